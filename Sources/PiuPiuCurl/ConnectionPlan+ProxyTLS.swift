#if os(Linux)
import CurlShim
import PiuPiuAsync

/// TLS with a proxy itself, which libcurl configures separately from TLS with servers.
extension ConnectionPlan {
    /// The options for servers that libcurl has a second time for proxies.
    private static let counterparts = [
        PP_CURLOPT_SSL_CIPHER_LIST.rawValue: PP_CURLOPT_PROXY_SSL_CIPHER_LIST,
        PP_CURLOPT_TLS13_CIPHERS.rawValue: PP_CURLOPT_PROXY_TLS13_CIPHERS,
        PP_CURLOPT_CRLFILE.rawValue: PP_CURLOPT_PROXY_CRLFILE,
    ]

    /// Returns libcurl's options for TLS with a proxy: the transport's settings, never those of an origin.
    ///
    /// The client's certificate is for servers only. If the proxy has its own authorities, the revocation lists do not apply to
    /// them.
    func securityOptions(for proxy: ProxyServer) throws -> [CurlOption] {
        guard library.supportsHTTPSProxies else {
            throw TransportError(.unsupported, reason: "libcurl \(library.version) cannot apply a proxy over TLS")
        }
        let usual = tls.material(for: nil)
        var options = [
            CurlOption(PP_CURLOPT_PROXY_SSL_VERIFYPEER, .long(1), "the verification of a proxy's certificate"),
            CurlOption(PP_CURLOPT_PROXY_SSL_VERIFYHOST, .long(2), "the verification of a proxy's name"),
            CurlOption(
                PP_CURLOPT_PROXY_SSLVERSION,
                .long(usual.versions.minimum | (usual.versions.maximum ?? 0)),
                "the TLS versions of a proxy"
            ),
        ]
        for option in usual.options {
            guard let code = Self.counterparts[option.code],
                code != PP_CURLOPT_PROXY_CRLFILE || proxy.authorityFile == nil
            else { continue }
            options.append(CurlOption(code, option.value, "\(option.name) for a proxy"))
        }
        if let pins = SPKIPin.curlText(tls.rules.pins(of: proxy)) {
            options.append(CurlOption(PP_CURLOPT_PROXY_PINNEDPUBLICKEY, .text(pins), "pins of a proxy's public keys"))
        }
        return options + authorityOptions(for: proxy, usual.authorities)
    }

    private func authorityOptions(for proxy: ProxyServer, _ usual: CertificateAuthorities) -> [CurlOption] {
        let own = proxy.authorityFile.map { CertificateAuthorities(chosen: TLSFile.path(of: $0), library: library) }
        let authorities = own ?? usual
        let name = "the certificate authorities of a proxy"
        var options: [CurlOption] = []
        if let file = authorities.file {
            options.append(CurlOption(PP_CURLOPT_PROXY_CAINFO, .text(file), name))
        } else if authorities.folder != nil {
            options.append(CurlOption(PP_CURLOPT_PROXY_CAINFO, .nothing, name))
        }
        if let folder = authorities.folder {
            options.append(CurlOption(PP_CURLOPT_PROXY_CAPATH, .text(folder), name))
        } else if !authorities.keepsFolder {
            options.append(CurlOption(PP_CURLOPT_PROXY_CAPATH, .nothing, name))
        }
        return options
    }

    /// Returns the in-memory files in the options for a proxy.
    func files(for proxy: ProxyServer?) -> [MemoryFile] {
        guard proxy?.kind == .https else { return [] }
        return [tls.material(for: nil).authorities.memory].compactMap { $0 }
    }
}

extension SPKIPin {
    /// Returns pins in the form of CURLOPT_PINNEDPUBLICKEY; `nil` for none.
    static func curlText(_ pins: [SPKIPin]) -> String? {
        pins.isEmpty ? nil : pins.map { "sha256//" + $0.digest.base64EncodedString() }.joined(separator: ";")
    }
}
#endif
