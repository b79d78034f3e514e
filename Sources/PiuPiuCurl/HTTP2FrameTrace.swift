#if os(Linux)
import CurlShim
import PiuPiuAsync

/// libcurl's trace of HTTP/2 frames.
///
/// It is one switch for the whole process, and formatting the frames costs more than a tenth of a small request. It is
/// therefore on only while a connection needs it.
enum HTTP2FrameTrace {
    private static let connections = Locked(0)

    /// Records that a connection starts (1) or stops (-1) needing the trace.
    static func need(by difference: Int) {
        // libcurl's function is called under the lock to keep the calls in order. It takes only its own lock.
        connections.withLock { connections in
            let isTraced = connections > 0
            connections += difference
            guard isTraced != (connections > 0) else { return }
            pp_trace_http2(connections > 0)
        }
    }
}
#endif
