/// Something that sends a body that need not be in memory.
public protocol UploadDispatcher: AnyObject, Sendable {
    /// Sends a body and collects the response.
    ///
    /// Nothing happens before the transfer is iterated, or asked for its ``Transfer/response()``. That throws
    /// ``TransferError`` where the body cannot be sent, what ``DataDispatcher/data(for:)`` throws, what a stream of the
    /// body throws, and `CancellationError` where the task or the dispatcher was cancelled.
    ///
    /// A server may answer before it has read everything, with 413 for example: that ends the upload with its response.
    ///
    /// - Parameters:
    ///   - request: The request, with a method that takes a body and without a body of its own.
    ///   - body: What to send.
    /// - Returns: The transfer.
    func upload(for request: URLRequest, from body: RequestBody) -> Transfer<Data?>
}
