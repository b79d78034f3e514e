#if os(Linux)
import CurlShim
import PiuPiuAsync

/// Choosing the HTTP version of an exchange.
extension CurlHandle.Settings {
    /// Returns whether a request needs a connection that it does not share.
    ///
    /// If an HTTP/2 stream is not ready for its bytes, libcurl keeps them in the single buffer of the connection, and reads
    /// nothing for the other streams meanwhile. The HTTP/3 streams don't wait for each other. Request trailers are sent with
    /// HTTP/1.1 only.
    func isExclusive(_ request: PreparedRequest) -> Bool {
        guard !request.sendsTrailers else { return true }
        return request.delivery == .streamed && (http3 == .never || !request.target.isSecure)
    }

    /// Returns whether the engine speaks HTTP/2 with a target without TLS, by prior knowledge (RFC 9113 §3.3).
    func speaksHTTP2WithoutTLS(_ target: RequestTarget) -> Bool {
        !cleartextHTTP2.isEmpty && !target.isSecure && cleartextHTTP2.contains(target.usualOrigin)
    }

    /// Returns whether an exchange may use a connection of HTTP/2 or HTTP/3.
    func offersHTTP2(_ exchange: CurlExchange) -> Bool {
        let target = exchange.request.target
        guard target.isSecure else { return speaksHTTP2WithoutTLS(target) }
        guard http3 != .required else { return true }
        return allowsHTTP2 && (exchange.needsHTTP2 || !isExclusive(exchange.request))
    }

    /// Returns the version that an exchange asks for, as libcurl's number.
    func version(for exchange: CurlExchange) -> Int {
        guard offersHTTP2(exchange) else { return Int(PP_CURL_HTTP_VERSION_1_1) }
        guard exchange.request.target.isSecure else { return Int(PP_CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE) }
        switch http3 {
        case .required: return Int(PP_CURL_HTTP_VERSION_3ONLY)
        case .preferred where !isExclusive(exchange.request): return Int(PP_CURL_HTTP_VERSION_3)
        case .altSvc where exchange.alternative != .none: return Int(PP_CURL_HTTP_VERSION_3)
        case .preferred, .altSvc, .never: return Int(PP_CURL_HTTP_VERSION_2TLS)
        }
    }
}
#endif
