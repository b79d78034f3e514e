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
    ///   - request: The request, with a method that takes a body and without a body of its own.
    ///   - body: The body to send.
    /// - Returns: The transfer.
    func upload(for request: URLRequest, from body: RequestBody) -> Transfer<Data?>
}
