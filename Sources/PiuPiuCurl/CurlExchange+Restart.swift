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
    /// A server that ends each connection after a few requests repeatedly refuses some of those that share it.
    static let maximumRestarts: UInt8 = 20

    /// The maximum number of restarts because a shared HTTP/2 connection broke.
    ///
    /// It is lower than the limit for all restarts, because the exchange itself may break the connections.
    static let maximumBrokenConnections: UInt8 = 3

    /// The maximum number of times an exchange that is repeatedly refused is sent.
    ///
    /// It includes libcurl's own retries, five for each start.
    static let maximumRefusals = 30
}
#endif
