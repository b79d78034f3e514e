#if os(Linux)
import PiuPiuAsync

// The HTTP/2 connection of an exchange, and libcurl's trace of it.
extension CurlExchange {
    /// The HTTP/2 trace that the exchange needs from the start; `nil` for most.
    var neededTrace: CurlHTTP2Connection.Trace? {
        switch request.kind {
        // The server may end the stream before the request has ended.
        case .withStream: return .frames
        case .withContent(let body) where !isCopied(body): return .frames
        // A request that must not be sent twice is resent only if the server did not process it.
        case .withContent, .withoutContent, .head: return request.isIdempotent ? nil : .refusals
        }
    }

    /// Traces the exchange's connection until the exchange knows enough or leaves the connection.
    func trace(_ trace: CurlHTTP2Connection.Trace) {
        guard let http2, traced != trace else { return }
        endTrace()
        traced = trace
        http2.begin(trace)
    }

    /// Ends the trace that ``trace(_:)`` started.
    func endTrace() {
        if let traced = traced.take() { http2?.end(traced) }
    }

    /// Whether the exchange traces its connection to learn if the server did not process the request.
    var awaitsRefusal: Bool { traced == .refusals }

    /// Whether the exchange traces all frames of its connection, to learn how its stream ends.
    var tracesFrames: Bool { traced == .frames }

    /// Leaves the exchange's HTTP/2 connection.
    func leaveHTTP2(_ handle: CurlHandle?) {
        endTrace()
        if let handle, let http2 { http2.remove(handle) }
        http2 = nil
        stream = nil
    }
}
#endif
