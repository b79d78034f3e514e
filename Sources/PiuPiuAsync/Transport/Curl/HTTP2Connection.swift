#if os(Linux)
/// An HTTP/2 connection and the handles that use it.
///
/// libcurl's trace of a frame goes to whichever handle happens to read, so that either all of them are traced or none.
/// Tracing costs some microseconds a request. It is on only while an exchange is under way that needs to know more than
/// libcurl tells: one that must not be sent twice, or a response that says nothing of its length.
final class HTTP2Connection {
    private var handles: [ObjectIdentifier: CurlHandle] = [:]
    /// How many exchanges need the trace.
    private var tracedCount = 0
    /// What the trace has told.
    var monitor = HTTP2Monitor()

    /// Whether no handle uses it.
    var isEmpty: Bool { handles.isEmpty }

    /// Adds a handle that begins to use it.
    func add(_ handle: CurlHandle) {
        handles[ObjectIdentifier(handle)] = handle
        if tracedCount > 0 { handle.setTraced(true) }
    }

    /// Traces the connection for an exchange, until the exchange leaves it.
    func trace() {
        tracedCount += 1
        guard tracedCount == 1 else { return }
        for handle in handles.values { handle.setTraced(true) }
    }

    /// Removes a handle that no longer uses it.
    ///
    /// - Parameters:
    ///   - handle: The handle.
    ///   - wasTraced: Whether its exchange needed the trace.
    func remove(_ handle: CurlHandle, wasTraced: Bool) {
        handles[ObjectIdentifier(handle)] = nil
        handle.setTraced(false)
        guard wasTraced else { return }
        tracedCount -= 1
        guard tracedCount == 0 else { return }
        for handle in handles.values { handle.setTraced(false) }
    }
}
#endif
