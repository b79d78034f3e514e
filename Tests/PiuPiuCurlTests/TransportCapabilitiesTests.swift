#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import CurlShim
import Testing
@testable import PiuPiuCurl

struct TransportCapabilitiesTests {
    private static let all: Int32 = Int32(
        PP_CURL_VERSION_IPV6 | PP_CURL_VERSION_SSL | PP_CURL_VERSION_LIBZ | PP_CURL_VERSION_ASYNCHDNS
            | PP_CURL_VERSION_HTTP2 | PP_CURL_VERSION_UNIX_SOCKETS | PP_CURL_VERSION_HTTPS_PROXY
            | PP_CURL_VERSION_ALTSVC
    )

    /// Describes an invented library, which is complete unless it says otherwise.
    private static func capabilities(
        _ number: UInt32 = 0x08_0E_01,
        _ version: String = "8.14.1",
        without missing: Int = 0,
        with further: Int = 0,
        tls: String? = "OpenSSL/3.0.17",
        looksIntoTLS: Bool = true,
        ares: String? = nil,
        isInitialised: Bool = true,
        codings: [ContentCoding] = ContentCoding.allCases,
        authorities: (file: String?, folder: String?, keepsFolder: Bool) = ("/etc/authorities.pem", nil, false),
        readable: Set<String> = ["/etc/authorities.pem"]
    ) -> TransportCapabilities {
        let features = all & ~Int32(missing) | Int32(further)
        let library = CurlLibrary(
            versionNumber: number,
            version: version,
            supportsTLS: features & Int32(PP_CURL_VERSION_SSL) != 0,
            looksIntoTLS: looksIntoTLS,
            authorityFile: "/built/in.pem",
            authorityFolder: "/built/in"
        )
        var chosen = CertificateAuthorities(chosen: authorities.file, library: library)
        chosen.file = authorities.file
        chosen.folder = authorities.folder
        chosen.keepsFolder = authorities.keepsFolder
        return TransportCapabilities(
            CurlLibraryInfo(library: library, isInitialised: isInitialised, features: features, tls: tls, ares: ares),
            codings: codings,
            authorities: chosen,
            isReadable: { readable.contains($0) }
        )
    }

    @Test func aCompleteLibraryMissesNothing() {
        let capabilities = Self.capabilities()
        #expect(capabilities.missing.isEmpty && capabilities.hasEssentials)
        #expect(capabilities.http2 == .yes && capabilities.nameLookup == .threads)
        #expect(capabilities.http3 == .no(reason: "this libcurl was built without it"))
        #expect(
            "\(capabilities)"
                == "libcurl 8.14.1 with OpenSSL/3.0.17: HTTP/1.1, HTTP/2; gzip, deflate, br, zstd; IPv6, name lookups on "
                + "threads, Unix sockets, HTTPS proxies, Alt-Svc, inspection of TLS; authorities in "
                + "/etc/authorities.pem; nothing is missing"
        )
    }

    @Test(arguments: [
        (0x07_4A_00 as UInt32, "7.74.0", ["HTTP/2", "Reused connections"]),
        (0x07_50_00, "7.80.0", ["HTTP/2"]), (0x07_58_01, "7.88.1", ["HTTP/2", "Reused handles"]),
        (0x08_0D_00, "8.13.0", ["HTTP/2"]), (0x08_0E_00, "8.14.0", []), (0x08_17_00, "8.23.0", []),
    ])
    func anOldLibraryIsLimited(_ row: (UInt32, String, [String])) {
        let capabilities = Self.capabilities(row.0, row.1)
        #expect(capabilities.missing.map(\.subject) == row.2)
        #expect(capabilities.hasEssentials)
        #expect(capabilities.http2.isAvailable == !row.2.contains("HTTP/2"))
        for advice in capabilities.missing {
            #expect(advice.problem.contains(row.1) && advice.remedy.contains("8.14"), "\(advice)")
            #expect(advice.remedy.contains("bookworm-backports"))
        }
    }

    @Test func anUnsupportedLibraryIsEssential() {
        let capabilities = Self.capabilities(0x07_44_00, "7.68.0")
        #expect(!capabilities.hasEssentials)
        #expect(capabilities.missing.first?.problem == "libcurl 7.68.0 is too old, and every request fails")
        #expect("\(capabilities)".contains("missing or limited: libcurl (essential), HTTP/2"))
    }

    @Test func aLibraryThatCannotBeInitialisedIsEssential() {
        let capabilities = Self.capabilities(isInitialised: false)
        #expect(capabilities.missing.map(\.subject) == ["libcurl"] && !capabilities.hasEssentials)
    }

    @Test func aLibraryWithoutTLSIsEssentialAndSaysNothingElseOfIt() {
        let capabilities = Self.capabilities(
            without: PP_CURL_VERSION_SSL,
            tls: nil,
            looksIntoTLS: false,
            authorities: (nil, nil, true)
        )
        #expect(capabilities.missing.map(\.subject) == ["TLS"] && !capabilities.hasEssentials)
        #expect(capabilities.tls == nil && !capabilities.http2.isAvailable && !capabilities.inspectsTLS)
        #expect("\(capabilities)".hasPrefix("libcurl 8.14.1 with no TLS: HTTP/1.1; "))
    }

    @Test(arguments: [
        (PP_CURL_VERSION_HTTP2, "HTTP/2"), (PP_CURL_VERSION_IPV6, "IPv6"),
        (PP_CURL_VERSION_UNIX_SOCKETS, "Unix sockets"),
        (PP_CURL_VERSION_HTTPS_PROXY, "HTTPS proxies"),
        (PP_CURL_VERSION_ASYNCHDNS, "Name lookups"),
    ])
    func aMissingFeatureIsNamed(_ row: (Int, String)) {
        let capabilities = Self.capabilities(without: row.0)
        #expect(capabilities.missing.map(\.subject) == [row.1])
        #expect(capabilities.missing.allSatisfy { $0.remedy.contains("Debian: libcurl4") && !$0.isEssential })
    }

    @Test func featuresAreReported() {
        let few = Self.capabilities(without: Int(Self.all & ~Int32(PP_CURL_VERSION_SSL)))
        #expect(!few.supportsIPv6 && !few.supportsUnixSockets && !few.supportsHTTPSProxies)
        #expect(!few.supportsAlternativeServices && few.nameLookup == .blocking)
        let many = Self.capabilities(without: PP_CURL_VERSION_ASYNCHDNS, with: 1 << 25, ares: "1.34.5")
        #expect(many.http3 == .yes && many.nameLookup == .cares(version: "1.34.5") && many.missing.isEmpty)
        #expect("\(many)".contains("HTTP/1.1, HTTP/2, HTTP/3; ") && "\(many)".contains("by c-ares 1.34.5"))
    }

    @Test func theTLSLibraryInUseIsNamed() {
        let several = Self.capabilities(tls: "(GnuTLS/3.7.1) OpenSSL/1.1.1w (mbedTLS/3.0)")
        #expect(several.tls == "OpenSSL/1.1.1w")
        let other = Self.capabilities(tls: "GnuTLS/3.7.9", looksIntoTLS: false)
        #expect(other.missing.map(\.subject) == ["Reused connections over TLS"])
        #expect(other.missing.first?.problem.hasPrefix("GnuTLS/3.7.9 cannot be asked") == true)
    }

    @Test(arguments: [
        ([ContentCoding.gzip, .deflate, .brotli], ["zstd"]), ([.gzip, .deflate], ["br", "zstd"]),
        ([.brotli, .zstd], ["gzip"]), ([], ["gzip", "br", "zstd"]),
    ])
    func missingDecompressionIsNamed(_ row: ([ContentCoding], [String])) {
        let capabilities = Self.capabilities(codings: row.0)
        #expect(capabilities.missing.map(\.subject) == row.1)
        #expect(capabilities.contentCodings == row.0.map(\.name))
        #expect(capabilities.missing.allSatisfy { $0.remedy.contains("Debian") && !$0.isEssential })
    }

    @Test func authoritiesAreFound() {
        typealias Row = (authorities: (String?, String?, Bool), readable: Set<String>, found: [String])
        let rows: [Row] = [
            (("/a.pem", nil, false), ["/a.pem"], ["/a.pem"]),
            ((nil, nil, false), ["/built/in.pem"], ["/built/in.pem"]), ((nil, nil, true), ["/built/in"], ["/built/in"]),
            ((nil, "/a:/b", false), ["/b"], ["/b"]), (("/a.pem", "/b", false), ["/a.pem", "/b"], ["/a.pem", "/b"]),
        ]
        for row in rows {
            let capabilities = Self.capabilities(authorities: row.authorities, readable: row.readable)
            #expect(capabilities.authorities == row.found && capabilities.missing.isEmpty)
            let unreadable = Self.capabilities(authorities: row.authorities, readable: [])
            #expect(unreadable.missing.map(\.subject) == ["Certificate authorities"] && !unreadable.hasEssentials)
            #expect(unreadable.missing.first?.remedy.contains("ca-certificates") == true)
            #expect("\(unreadable)".contains("no authorities; missing or limited: Certificate authorities (essential)"))
        }
    }

    @Test func aFileThatCannotBeReadIsEssentialEvenWithAFolder() {
        let capabilities = Self.capabilities(authorities: ("/a.pem", "/b", false), readable: ["/b"])
        #expect(capabilities.authorities == ["/b"] && !capabilities.hasEssentials)
        let problem = "/a.pem cannot be read, and no server with an https URL is trusted"
        #expect(capabilities.missing.first?.problem == problem)
    }

    @Test func theDescriptionIsOneLine() {
        let path = "/a\nb\u{1B}[2J"
        let capabilities = Self.capabilities(authorities: (path, nil, false), readable: [path])
        #expect(!"\(capabilities)".unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test func theLibraryOfThisProcessIsDescribed() throws {
        let capabilities = CurlTransport.capabilities
        let library = try CurlLibrary.shared.get()
        #expect(capabilities.libraryVersion == library.version)
        #expect(capabilities.hasEssentials, "\(capabilities)")
        #expect(capabilities.tls?.contains("/") == true)
        #expect(capabilities.http2.isAvailable == library.hasReliableHTTP2)
        #expect(capabilities.contentCodings.joined(separator: ", ") == ContentCoding.allSupported)
        #expect(capabilities.inspectsTLS == library.looksIntoTLS)
        #expect(!"\(capabilities)".contains("\n"))
    }
}
#endif
