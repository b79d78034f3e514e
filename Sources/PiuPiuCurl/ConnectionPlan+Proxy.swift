#if os(Linux)
import CurlShim
import PiuPiuAsync

extension ConnectionPlan {
    /// Returns the proxy for a request; `nil` for none.
    func proxy(for target: RequestTarget, _ request: TransportRequest) throws -> ProxyServer? {
        try proxies.proxy(for: target, request)
    }

    /// Returns libcurl's options for the proxy of a key.
    ///
    /// For every key, the options turn off the environment as libcurl's own source of proxies.
    func proxyOptions(for key: Key) throws -> [CurlOption] {
        let name = key.proxy == nil ? "the absence of a proxy" : "a proxy"
        var options = [
            CurlOption(PP_CURLOPT_PROXY, .text(key.proxy?.curlText(overrides) ?? ""), name),
            CurlOption(PP_CURLOPT_NOPROXY, .text(""), "the servers without a proxy"),
        ]
        guard let proxy = key.proxy else { return options }
        options.append(
            CurlOption(PP_CURLOPT_HEADEROPT, .long(Int(PP_CURLHEADER_SEPARATE)), "header fields for a proxy alone")
        )
        if proxy.kind == .https { options += try securityOptions(for: proxy) }
        guard !proxy.isHTTP else {
            options.append(
                CurlOption(PP_CURLOPT_SUPPRESS_CONNECT_HEADERS, .long(0), "the answers of a proxy")
            )
            // The handle writes the credentials itself, as field lines.
            options.append(
                CurlOption(PP_CURLOPT_PROXYAUTH, .long(Int(PP_CURLAUTH_BASIC)), "credentials for a proxy")
            )
            return options
        }
        options.append(CurlOption(PP_CURLOPT_SOCKS5_AUTH, .long(Int(PP_CURLAUTH_BASIC)), "credentials for a proxy"))
        guard let user = proxy.user else { return options }
        for (option, text) in [(PP_CURLOPT_PROXYUSERNAME, user), (PP_CURLOPT_PROXYPASSWORD, proxy.password)] {
            options.append(CurlOption(option, .text(try library.proxyCredential(text)), "credentials for a proxy"))
        }
        return options
    }
}

extension ProxyServer {
    /// The proxy in libcurl's syntax, without credentials, which libcurl could quote.
    fileprivate func curlText(_ overrides: AddressOverrides) -> String {
        let usual = overrides.otherSpelling(of: host.contains(":") ? "[\(host)]" : Substring(host), port: port)
        return "\(kind)://" + (usual.map { "\($0):\(port)" } ?? location)
    }
}

extension CurlLibrary {
    /// Returns a user name or password for CURLOPT_PROXYUSERNAME and CURLOPT_PROXYPASSWORD, percent-encoded for versions that
    /// decode it.
    ///
    /// - Throws: `TransportError` with the code `unsupported` if this version would cut the text off.
    fileprivate func proxyCredential(_ text: String) throws -> String {
        guard decodesProxyCredentials else { return text }
        let encoded = text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
        // Old versions have buffers of 256 bytes.
        guard encoded.utf8.count < 256 else {
            throw TransportError(.unsupported, reason: "libcurl \(version) cannot send proxy credentials that long")
        }
        return encoded
    }
}
#endif
