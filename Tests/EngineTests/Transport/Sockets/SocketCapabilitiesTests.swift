#if os(Linux)
import PiuPiuAsync
import PiuPiuEngine
import Testing

@testable import PiuPiuSockets

/// What the transport over sockets says that it can do.
struct SocketCapabilitiesTests {
    private let library = OpenSSLLibrary.shared

    private func capabilities(
        _ library: Result<OpenSSLLibrary, TLSSetupFailure>,
        framing: Result<NGHTTP2Library, NGHTTP2Library.Lack> = NGHTTP2Library.shared,
        codings: [ContentCoding] = ContentCoding.allCases,
        isReadable: Bool = true
    ) -> TransportCapabilities {
        var authorities = TLSSettings.Authorities()
        authorities.files = ["/etc/authorities.pem"]
        return TransportCapabilities(library, framing, codings: codings, authorities: authorities) { _ in isReadable }
    }

    @Test func whatIsHereIsToldOnOneLine() throws {
        let version = try library.get().version.split(separator: " ")[1]
        let capabilities = capabilities(library)
        #expect(
            "\(capabilities)"
                == "sockets with OpenSSL/\(version): HTTP/1.1, HTTP/2; gzip, deflate, br, zstd; IPv6, name lookups on threads, "
                + "Unix sockets, HTTPS proxies, inspection of TLS; authorities in /etc/authorities.pem; "
                + "nothing is missing"
        )
        #expect(capabilities.hasEssentials && capabilities.libraryVersion == version)
    }

    @Test func withoutOpenSSLNoServerWithTLSCanBeReached() {
        let capabilities = capabilities(.failure(TLSSetupFailure(reason: "libssl.so.3 or libssl.so.1.1 is missing")))
        #expect(capabilities.tls == nil && !capabilities.hasEssentials && !capabilities.inspectsTLS)
        #expect(!capabilities.supportsHTTPSProxies)
        #expect(
            capabilities.missing.first?.description
                == "TLS: libssl.so.3 or libssl.so.1.1 is missing, and every request to an https URL fails. "
                + "Install OpenSSL 1.1.1 or newer (Debian: libssl3)."
        )
    }

    @Test func withoutNGHTTP2ThereIsNoHTTP2() {
        let capabilities = capabilities(library, framing: .failure(.init(reason: "libnghttp2.so.14 is missing")))
        #expect(capabilities.http2 == .no(reason: "libnghttp2.so.14 is missing") && capabilities.hasEssentials)
        #expect(
            capabilities.missing.first?.description
                == "HTTP/2: libnghttp2.so.14 is missing, and requests use HTTP/1.1. "
                + "Install nghttp2 1.33 or newer (Debian: libnghttp2-14)."
        )
    }

    @Test func authoritiesThatCannotBeReadAreEssential() {
        let capabilities = capabilities(library, isReadable: false)
        #expect(capabilities.authorities.isEmpty && !capabilities.hasEssentials)
        #expect(capabilities.missing.map(\.subject) == ["Certificate authorities"])
    }

    @Test func aMissingDecoderIsTold() {
        let missing = capabilities(library, codings: [.gzip, .deflate, .brotli]).missing
        #expect(missing.map(\.subject) == ["zstd"])
    }

    @Test func theTransportFindsThemItself() {
        #expect(SocketTransport.capabilities.engine == "sockets")
    }
}
#endif
