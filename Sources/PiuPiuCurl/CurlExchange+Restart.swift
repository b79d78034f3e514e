#if os(Linux)
import PiuPiuAsync

/// Decides whether and why an exchange is sent again.
extension CurlExchange {
    /// Whether the engine may send the request again (RFC 9110 §9.2.2), for any reason.
    var mayBeSentAgain: Bool { request.isIdempotent || isRefused }

    /// Whether the request can be sent again, because its body is repeatable.
    var canBeSentAgain: Bool { content.isRepeatable }

    /// The reason an exchange restarts.
    enum Restart {
        /// The connection was not suitable.
        case onFreshConnection
        /// The shared HTTP/2 connection broke.
        case afterBreak
        /// The server speaks only HTTP/2.
        case withHTTP2
        /// The server refused the expectation of "100 Continue" and has not processed the request (RFC 9110 §10.1.1).
        case withoutExpectation
        /// The server has not processed the request, and libcurl stopped retrying.
        case again
    }

    /// The maximum number of restarts of an exchange.
    ///
    /// Most restarts happen before anything was sent.
    static let maximumRestarts: UInt8 = 20

    /// The maximum number of times to send an idempotent request if its connections break, or libcurl does not report why.
    static let maximumStarts = 3

    /// The handling of a request that would be sent again.
    enum Repetition {
        case goAhead
        /// Send the request on a new connection.
        case onFreshConnection
        /// Leave another attempt to the retry policy.
        case refuse
    }

    /// Decides whether libcurl or the engine sends the request again, and counts that for its call.
    ///
    /// There is no pause: libcurl sends it within the same transfer.
    func repetition() -> Repetition {
        guard timeline.hasStarted, !isRepetitionCounted else { return .goAhead }
        guard isRefused else {
            guard timeline.starts < Self.maximumStarts else { return .refuse }
            // The server may have refused it because it came together with others.
            let isLast = timeline.starts == Self.maximumStarts - 1
            return isLast && !needsFreshConnection ? .onFreshConnection : .goAhead
        }
        guard let plan = request.request.restart(after: isLeftAlone ? .missed : .refused) else { return .refuse }
        isRepetitionCounted = true
        return plan.isAlone && !needsFreshConnection ? .onFreshConnection : .goAhead
    }
}
#endif
