#if os(Linux)
import Glibc
import PiuPiuEngine

extension SocketTransport {
    /// The capabilities of the transport with the OpenSSL of this process, and the missing libraries and files.
    ///
    /// The value is computed at each access, because the environment and the authorities' files may have changed. It reads a
    /// few files of the system and never uses the network.
    public static var capabilities: TransportCapabilities {
        TransportCapabilities(
            OpenSSLLibrary.shared,
            NGHTTP2Library.shared,
            codings: ContentCoding.allCases.filter(\.isAvailable),
            authorities: (try? TLSSettings.authorities(TLSConfiguration(), nil)) ?? TLSSettings.Authorities(),
            isReadable: { access($0, R_OK) == 0 }
        )
    }
}

extension TransportCapabilities {
    /// Derives the capabilities of ``SocketTransport`` from the state of the libraries.
    ///
    /// - Parameters:
    ///   - library: OpenSSL, or the reason why it cannot be used.
    ///   - framing: nghttp2, or the reason why it cannot be used.
    ///   - codings: The content codings whose libraries are available.
    ///   - authorities: The system's authorities.
    ///   - isReadable: Whether a file or folder can be read.
    init(
        _ library: Result<OpenSSLLibrary, TLSSetupFailure>,
        _ framing: Result<NGHTTP2Library, NGHTTP2Library.Lack>,
        codings: [ContentCoding],
        authorities: TLSSettings.Authorities,
        isReadable: (String) -> Bool
    ) {
        let version = (try? library.get()).map { Self.shortVersion($0.version) }
        let http2: Support =
            switch framing {
            case .success: .yes
            case .failure(let lack): .no(reason: lack.reason)
            }
        let locations = authorities.files + authorities.folders
        self.init(
            engine: "sockets",
            libraryVersion: version ?? "none",
            tls: version.map { "OpenSSL/\($0)" },
            http2: http2,
            http3: .no(reason: "SocketTransport does not speak it"),
            contentCodings: codings.map(\.name),
            supportsIPv6: true,
            nameLookup: .threads,
            supportsUnixSockets: true,
            supportsHTTPSProxies: version != nil,
            supportsAlternativeServices: false,
            inspectsTLS: version != nil,
            authorities: locations.filter(isReadable),
            missing: Advice.openSSL(library) + Advice.nghttp2(framing)
                + Advice.authorities(supportsTLS: version != nil, locations, file: authorities.files.first, isReadable)
                + Advice.missing(of: codings)
        )
    }

    /// The number in a text such as "OpenSSL 3.0.17 1 Jul 2025".
    private static func shortVersion(_ text: String) -> String {
        let words = text.split(separator: " ")
        return words.count > 1 ? String(words[1]) : text
    }
}

extension TransportCapabilities.Advice {
    fileprivate static func openSSL(_ library: Result<OpenSSLLibrary, TLSSetupFailure>) -> [Self] {
        guard case .failure(let failure) = library else { return [] }
        return [
            Self(
                subject: "TLS",
                problem: "\(failure.reason), and every request to an https URL fails",
                remedy: "Install OpenSSL 1.1.1 or newer (Debian: libssl3)",
                isEssential: true
            )
        ]
    }

    fileprivate static func nghttp2(_ library: Result<NGHTTP2Library, NGHTTP2Library.Lack>) -> [Self] {
        guard case .failure(let lack) = library else { return [] }
        return [
            Self(
                subject: "HTTP/2",
                problem: "\(lack.reason), and requests use HTTP/1.1",
                remedy: "Install nghttp2 1.33 or newer (Debian: libnghttp2-14)",
                isEssential: false
            )
        ]
    }
}
#endif
