/// Observes the bytes of a body while they pass, for recordings, checksums and logs.
///
/// An interceptor puts an observer on a body with ``ResponseBody/observed(by:)`` or ``RequestBody/observed(by:)``. The methods
/// are called one after the other, in the order of the bytes, by the task that reads. Only ``close()`` can come from another
/// thread at the same time, when the dispatcher is invalidated or the body is dropped.
public protocol BodyObserver: Sendable {
    /// Called before a chunk is given to the reader.
    ///
    /// - Parameter chunk: The chunk, never an empty one.
    func observe(_ chunk: Data)

    /// Called when the body has been read to its end.
    ///
    /// - Throws: Any error, which the reader gets instead of the end.
    func finish() async throws

    /// Called when the body has ended too early.
    ///
    /// - Parameter error: The error that the reader gets.
    func fail(_ error: any Error)

    /// Called when the body has been given up before its end. It may follow ``fail(_:)``.
    func close()
}
