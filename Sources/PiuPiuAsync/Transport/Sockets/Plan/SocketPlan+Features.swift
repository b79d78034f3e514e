#if os(Linux)
import PiuPiuEngine

/// What ``SocketTransport`` cannot do, and therefore refuses.
extension SocketPlan {
    /// Checks what a configuration asks for, as far as it does not depend on a request.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported`, which names the transport that can do it; `invalidURL` for
    ///   an origin of HTTP/2 without TLS that is none.
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
            throw TransportError(.unsupported, reason: "There is no HTTP/2: \(lack.reason)")
        }
        if configuration.http3 != .never { throw Self.unsupported("HTTP/3") }
    }

    /// Returns the error for what only another transport can do.
    ///
    /// - Parameter feature: What it is, in the plural or without a number.
    /// - Returns: The error; nothing was sent.
    static func unsupported(_ feature: String) -> TransportError {
        TransportError(
            .unsupported,
            reason: "SocketTransport does not support \(feature); CurlTransport of the product PiuPiuCurl does"
        )
    }
}
#endif
