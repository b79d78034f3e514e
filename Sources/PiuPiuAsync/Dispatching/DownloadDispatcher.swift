/// Something that saves what is at a URL to a file.
public protocol DownloadDispatcher: AnyObject, Sendable {
    /// Saves a response's body to a file.
    ///
    /// The bytes go to a hidden file beside the destination, which takes the destination's place when it is complete and
    /// checked. An existing destination is replaced, missing folders are created, and at no moment is there half a file.
    /// A failure and a cancel leave nothing behind, unless ``DownloadOptions/resume`` says so.
    ///
    /// Nothing happens before the transfer is iterated, or asked for its ``Transfer/response()``. That throws
    /// ``TransferError`` where a file could not be written or the server answered with a failure, what
    /// ``DataDispatcher/data(for:)`` throws, and `CancellationError` where the task or the dispatcher was cancelled.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: Where the file is to be.
    ///   - options: What is accepted, how it is checked, and whether it may continue.
    /// - Returns: The transfer; its response's body is the destination. A 304 leaves the destination as it is.
    func download(for request: URLRequest, to destination: URL, options: DownloadOptions) -> Transfer<URL>
}

extension DownloadDispatcher {
    /// Saves a response's body to a file, with the options that suit most.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: Where the file is to be.
    /// - Returns: The transfer, as of ``download(for:to:options:)``.
    public func download(for request: URLRequest, to destination: URL) -> Transfer<URL> {
        download(for: request, to: destination, options: DownloadOptions())
    }
}
