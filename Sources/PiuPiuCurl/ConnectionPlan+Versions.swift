#if os(Linux)
import CurlShim
import PiuPiuAsync

/// The HTTP versions of connections.
extension ConnectionPlan {
    /// Returns the use of HTTP/3 for a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The use; `HTTP3Use.never` if HTTP/3 is preferred or advertised, but not possible.
    /// - Throws: `TransportError` with the code `unsupported` if HTTP/3 is required, but not possible, or if libcurl cannot
    ///   fall back as configured.
    func http3(for key: Key) throws -> HTTP3Use {
        switch configuration.http3 {
        case .never: return .never
        case .preferred, .altSvc:
            guard library.supportsHTTP3, key.proxy == nil, !isSocket(key.route), obstacle(for: key) == nil else {
                return .never
            }
            guard configuration.http2 != .never else {
                throw unsupported("libcurl cannot prefer HTTP/3 without falling back to HTTP/2")
            }
            return configuration.http3
        case .required:
            guard library.supportsHTTP3 else { throw unsupported("libcurl \(library.version) cannot speak HTTP/3") }
            if let obstacle = obstacle(for: key) { throw unsupported("HTTP/3 is required, and has no \(obstacle)") }
            return .required
        }
    }

    /// Returns the requirement of a key that HTTP/3 cannot meet; `nil` for none.
    private func obstacle(for key: Key) -> String? {
        if configuration.network.haproxyHeader != nil { return "PROXY protocol" }
        let maximum = tls.material(for: key.tls).versions.maximum
        return maximum == Int(PP_CURL_SSLVERSION_MAX_TLSv1_2) ? "TLS 1.2" : nil
    }

    /// Checks whether a target can be reached with the required version.
    ///
    /// - Throws: `TransportError` with the code `unsupported` if HTTP/3 is required, and there is a proxy or a Unix socket.
    func checkVersion(for target: RequestTarget, _ proxy: ProxyServer?, _ route: String?) throws {
        guard target.isSecure, configuration.http3 == .required else { return }
        guard proxy == nil else { throw unsupported("HTTP/3 cannot be used through a proxy") }
        guard !isSocket(route) else { throw unsupported("HTTP/3 cannot be used over a Unix socket") }
    }

    /// Returns the origins that speak HTTP/2 without TLS.
    ///
    /// - Returns: The origins.
    /// - Throws: `TransportError` with the code `invalidURL` if a URL names none, and `unsupported` if HTTP/2 is turned off, or
    ///   libcurl is too old.
    func cleartextHTTP2() throws -> Set<String> {
        guard !configuration.cleartextHTTP2.isEmpty else { return [] }
        let origins = try configuration.cleartextHTTP2.map { url in
            guard let target = try? RequestTarget(url), !target.isSecure else {
                throw TransportError(.invalidURL, reason: "An origin for HTTP/2 without TLS is not an http URL")
            }
            return target.usualOrigin
        }
        guard configuration.http2 != .never else {
            throw unsupported("HTTP/2 is turned off, so it cannot be used without TLS")
        }
        // With 7.88, a connection breaks if concurrent requests start on it.
        guard library.hasReliableHTTP2 else {
            throw unsupported("libcurl \(library.version) does not speak HTTP/2 without TLS reliably")
        }
        return Set(origins)
    }

    private func unsupported(_ reason: String) -> TransportError { TransportError(.unsupported, reason: reason) }
}
#endif
