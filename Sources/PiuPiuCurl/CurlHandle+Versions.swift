#if os(Linux)
import CurlShim
import PiuPiuAsync

/// Which version of HTTP an exchange asks for.
extension CurlHandle.Settings {
    /// Returns whether a request needs a connection that it does not share.
    ///
    /// libcurl keeps what a stream of HTTP/2 is not ready for in the one buffer of its connection, and reads nothing for the
    /// others meanwhile. The streams of HTTP/3 don't wait for each other. Trailers of requests are sent with HTTP/1.1 only.
    func isExclusive(_ request: PreparedRequest) -> Bool {
        guard !request.sendsTrailers else { return true }
        return request.delivery == .streamed && (http3 == .never || !request.target.isSecure)
    }

    /// Returns whether HTTP/2 is spoken with a target without TLS, by prior knowledge (RFC 9113 §3.3).
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

    /// Returns libcurl's number of the version that an exchange asks for.
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
