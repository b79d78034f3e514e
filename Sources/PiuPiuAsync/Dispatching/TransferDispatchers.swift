/// A type that sends a body that need not be in memory.
public protocol UploadDispatcher: AnyObject, Sendable {
    /// Sends a body and collects the response.
    ///
    /// The transfer starts when it is iterated or its ``Transfer/response()`` is called. That throws ``TransferError``
    /// if the body cannot be sent, the errors of ``DataDispatcher/data(for:)``, the errors of a stream that produces
    /// the body, and `CancellationError` if the task or the dispatcher is cancelled.
    ///
    /// A server may respond before it has read the whole body, for example with 413. That ends the upload with its
    /// response.
    ///
    /// - Parameters:
    ///   - request: The request, with a method that takes a body, and without a body.
    ///   - body: The body to send.
    /// - Returns: The transfer.
    func upload(for request: URLRequest, from body: RequestBody) -> Transfer<Data?>

    /// Sends a body with its own limits and collects the response.
    ///
    /// A type that does not implement this method refuses such transfers with ``TransportError/Code/unsupported``, instead of
    /// ignoring their limits.
    ///
    /// - Parameters:
    ///   - request: The request, with a method that takes a body, and without a body.
    ///   - body: The body to send.
    ///   - options: The limits, in place of the dispatcher's.
    /// - Returns: The transfer, as for ``upload(for:from:)``.
    func upload(for request: URLRequest, from body: RequestBody, options: RequestOptions) -> Transfer<Data?>
}

extension UploadDispatcher {
    /// Refuses the transfer, because the dispatcher does not support limits of single requests.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body to send.
    ///   - options: The limits.
    /// - Returns: A transfer that throws ``TransportError`` with the code `unsupported`.
    public func upload(
        for request: URLRequest,
        from body: RequestBody,
        options: RequestOptions
    ) -> Transfer<Data?> {
        let missing = "implement upload(for:from:options:)"
        let error = TransportError(
            .unsupported,
            reason: "\(type(of: self)) does not support limits for single requests: \(missing)",
            request: request,
            sensitiveHeaders: options.sensitiveHeaders
        )
        return Transfer(sending: body) { _ in throw error }
    }
}

/// A type that saves a response's body to a file.
public protocol DownloadDispatcher: AnyObject, Sendable {
    /// Saves a response's body to a file.
    ///
    /// The bytes go to a hidden file next to the destination. Once complete and checked, it replaces the destination.
    /// An existing destination is replaced, missing folders are created, and a partial file is never visible at the
    /// destination. A failed or cancelled download leaves nothing behind, unless ``DownloadOptions/resume`` says
    /// otherwise.
    ///
    /// A symbolic link at the destination stays, and the file that it leads to is replaced. A pipe or a device, such as
    /// `/dev/null`, receives the bytes as they arrive: the download waits for the reader of a pipe, never resumes, cannot
    /// take back written bytes if it fails, and throws ``TransferError/Code/notARegularFile`` if the options have a
    /// function that verifies the file. It throws the same error for a folder, a socket and a block device.
    ///
    /// The transfer starts when it is iterated or its ``Transfer/response()`` is called. That throws ``TransferError``
    /// if a file cannot be written or the server responds with a failure, the errors of ``DataDispatcher/data(for:)``,
    /// and `CancellationError` if the task or the dispatcher is cancelled.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: The URL of the file.
    ///   - options: Which responses are accepted, how the file is checked, and whether the download can resume.
    /// - Returns: The transfer; its response's body is the destination. A 304 response leaves the destination
    ///   unchanged.
    func download(for request: URLRequest, to destination: URL, options: DownloadOptions) -> Transfer<URL>
}

extension DownloadDispatcher {
    /// Saves a response's body to a file, with the default options.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: The URL of the file.
    /// - Returns: The transfer, as for ``download(for:to:options:)``.
    public func download(for request: URLRequest, to destination: URL) -> Transfer<URL> {
        download(for: request, to: destination, options: DownloadOptions())
    }
}
