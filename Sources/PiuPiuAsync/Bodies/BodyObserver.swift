/// Observes the bytes of a body as they pass, for recordings, checksums and logs.
///
/// An interceptor adds an observer to a body with ``ResponseBody/observed(by:)`` or ``RequestBody/observed(by:)``. The
/// task that reads the body calls the methods one at a time, in byte order.
public protocol BodyObserver: Sendable {
    /// Called before a chunk is delivered to the reader.
    ///
    /// - Parameter chunk: The chunk, which is never empty.
    func observe(_ chunk: Data)

    /// Called when the body was read to its end.
    ///
    /// - Throws: Any error; the reader receives it instead of the end.
    func finish() async throws

    /// Called when the body ends too early.
    ///
    /// - Parameter error: The error that the reader receives.
    func fail(_ error: any Error)

    /// Called when the body is abandoned before its end, which can happen after ``fail(_:)``.
    func close()
}
