#if os(Linux)
/// Whether and why an exchange is sent a second time.
extension CurlExchange {
    /// Whether the engine may send it a second time (RFC 9110 §9.2.2), for whatever reason.
    var mayBeSentAgain: Bool { request.isIdempotent || isRefused }

    /// Whether it can be sent a second time, because its body can be had again.
    var canBeSentAgain: Bool { content.isRepeatable }

    /// Why an exchange begins anew.
    enum Restart {
        /// The connection was not fit for it.
        case onFreshConnection
        /// The HTTP/2 connection broke that it shared.
        case afterBreak
        /// The server speaks nothing but HTTP/2.
        case withHTTP2
        /// The server does not answer "100 Continue", and has not processed it (RFC 9110 §10.1.1).
        case withoutExpectation
        /// The server has not processed it, and libcurl doesn't try any more.
        case again
    }

    /// How often an exchange may begin anew.
    ///
    /// A server that ends each connection after a few requests refuses some of those that share it, again and again.
    static let maximumRestarts: UInt8 = 20

    /// How often an exchange may begin anew because the HTTP/2 connection broke that it shared: not as often, because it
    /// may be what breaks them.
    static let maximumBrokenConnections: UInt8 = 3

    /// How often an exchange that is refused again and again may be sent, those times included that libcurl sends it
    /// by itself, five for each beginning.
    static let maximumRefusals = 30
}
#endif
