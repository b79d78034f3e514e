#if os(Linux)
import PiuPiuEngine

/// The features that ``SocketTransport`` does not support, and therefore refuses.
extension SocketPlan {
    /// Checks the parts of the configuration that do not depend on a request.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported`, which names the transport that supports the feature, or
    ///   `invalidURL` if an entry for HTTP/2 without TLS is not an origin.
    func checkFeatures() throws {
        try checkVersions()
        if configuration.network.dnsOverHTTPS != nil { throw Self.unsupported("DNS over HTTPS") }
        if configuration.network.usesFastOpen { throw Self.unsupported("TCP Fast Open") }
    }

    private func checkVersions() throws {
        for url in configuration.cleartextHTTP2 {
            guard let target = try? RequestTarget(url), !target.isSecure else {
                throw TransportError(.invalidURL, reason: "An origin for HTTP/2 without TLS is not an http URL")
            }
        }
        if !configuration.cleartextHTTP2.isEmpty {
            guard configuration.http2 != .never else {
                throw TransportError(
                    .unsupported,
                    reason: "HTTP/2 is turned off, so it cannot be used without TLS"
                )
            }
        }
        if configuration.http2 == .always || !configuration.cleartextHTTP2.isEmpty,
            case .failure(let lack) = NGHTTP2Library.shared
        {
            throw TransportError(.unsupported, reason: "HTTP/2 is not available: \(lack.reason)")
        }
        if configuration.http3 != .never { throw Self.unsupported("HTTP/3") }
    }

    /// Returns the error for a feature that only another transport supports; the name is in the plural or without an article.
    static func unsupported(_ feature: String) -> TransportError {
        TransportError(
            .unsupported,
            reason: "SocketTransport does not support \(feature); CurlTransport of the product PiuPiuCurl does"
        )
    }
}
#endif
