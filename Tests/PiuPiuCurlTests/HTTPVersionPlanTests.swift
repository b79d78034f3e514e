#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuURLSession
@testable import PiuPiuValues
@testable import PiuPiuCurl

/// What a configuration says about versions of HTTP, and what each libcurl can do of it.
struct HTTPVersionPlanTests {
    private static func library(_ number: UInt32, hasHTTP3: Bool = false) -> CurlLibrary {
        var library = CurlLibrary(versionNumber: number, version: "of the test", supportsTLS: true)
        library.looksIntoTLS = true
        library.hasHTTP3 = hasHTTP3
        return library
    }

    private func plan(
        _ library: CurlLibrary,
        _ configure: (inout TransportConfiguration) -> Void
    ) throws -> CurlHandle.Settings {
        var configuration = TransportConfiguration(proxy: .none)
        configure(&configuration)
        return try ConnectionPlan(configuration, library: library).settings(for: .usual)
    }

    private func code(_ library: CurlLibrary, _ configure: (inout TransportConfiguration) -> Void) -> TransportError
        .Code?
    {
        do {
            _ = try plan(library, configure)
            return nil
        } catch {
            return TransportError.Code.of(error)
        }
    }

    @Test(arguments: [
        (UInt32(0x07_4a_00), HTTP2Use.automatic, TransportError.Code.unsupported as TransportError.Code?),
        (0x07_4a_00, .always, .unsupported), (0x07_58_01, .automatic, .unsupported),
        (0x07_58_01, .always, .unsupported),
        (0x08_0e_01, .automatic, nil), (0x08_0e_01, .always, nil), (0x08_0e_01, .never, .unsupported),
        (0x08_17_00, .never, .unsupported),
    ])
    func withoutTLSItTakesHTTP2(_ row: (UInt32, HTTP2Use, TransportError.Code?)) {
        let code = code(Self.library(row.0)) {
            $0.http2 = row.1
            $0.cleartextHTTP2 = [Fixture.url("http://a.example")]
        }
        #expect(code == row.2)
    }

    @Test(arguments: ["https://a.example", "ftp://a.example", "a.example", "http://", "/path", "http://a b", ""])
    func aURLThatIsNoOriginIsRefused(_ text: String) {
        guard let url = URL(string: text) else { return }
        #expect(code(Self.library(0x08_17_00)) { $0.cleartextHTTP2 = [url] } == .invalidURL)
    }

    @Test func originsAreComparedByHostAndPort() throws {
        let settings = try plan(Self.library(0x08_17_00)) {
            $0.cleartextHTTP2 = [Fixture.url("HTTP://A.example/path?query"), Fixture.url("http://b.example:8080")]
        }
        for (url, isSpoken) in [
            ("http://a.example:80/", true), ("http://a.example/x", true), ("http://a.example:81/", false),
            ("https://a.example/", false), ("http://b.example/", false), ("http://b.example:8080/y", true),
        ] {
            #expect(settings.speaksHTTP2WithoutTLS(try RequestTarget(Fixture.url(url))) == isSpoken, "\(url)")
        }
    }

    @Test func aLibraryWithoutHTTP3CannotRequireIt() throws {
        for library in [
            Self.library(0x08_17_00), Self.library(0x08_16_00, hasHTTP3: true),
            Self.library(0x07_58_01, hasHTTP3: true),
        ] {
            #expect(code(library) { $0.http3 = .required } == .unsupported)
            for use in [HTTP3Use.preferred, .altSvc] {
                #expect(try plan(library) { $0.http3 = use }.http3 == .never)
            }
        }
        let library = Self.library(0x08_17_00, hasHTTP3: true)
        for use in [HTTP3Use.never, .preferred, .altSvc, .required] {
            #expect(try plan(library) { $0.http3 = use }.http3 == use)
        }
        #expect(try plan(library) { _ in }.http3 == .never)
    }

    @Test(arguments: [HTTP3Use.preferred, .altSvc])
    func anAdvertisementOrAPreferenceDoesNotLeadPastAProxy(_ use: HTTP3Use) throws {
        let library = Self.library(0x08_17_00, hasHTTP3: true)
        var configuration = TransportConfiguration(proxy: .none)
        configuration.http3 = use
        let plan = try ConnectionPlan(configuration, library: library)
        let proxy = try ProxyServer(.http, host: "proxy.example", port: 3128)
        #expect(try plan.settings(for: ConnectionPlan.Key(proxy: proxy)).http3 == .never)
    }

    @Test func whatHTTP3DoesNotHaveIsNotRequiredOfIt() throws {
        let library = Self.library(0x08_17_00, hasHTTP3: true)
        let changes: [(inout TransportConfiguration) -> Void] = [
            { $0.network.haproxyHeader = HAProxyHeader() }, { $0.tls.maximumVersion = .tls12 },
        ]
        for change in changes {
            for (use, code, planned) in [
                (HTTP3Use.required, TransportError.Code.unsupported as TransportError.Code?, HTTP3Use.never),
                (.preferred, nil, .never), (.never, nil, .never),
            ] {
                let configure: (inout TransportConfiguration) -> Void = {
                    $0.http3 = use
                    change(&$0)
                }
                #expect(self.code(library, configure) == code)
                if code == nil { #expect(try plan(library, configure).http3 == planned) }
            }
        }
        #expect(try plan(library) { ($0.http3, $0.tls.maximumVersion) = (.required, .tls13) }.http3 == .required)
    }

    @Test func http3CannotPassAUnixSocket() throws {
        let library = Self.library(0x08_17_00, hasHTTP3: true)
        var configuration = TransportConfiguration(proxy: .none)
        for origin in ["https://a.example", "http://a.example"] {
            configuration.routes[Fixture.url(origin)] = .unixSocket(path: "/run/a.sock")
        }
        configuration.http3 = .required
        let required = try ConnectionPlan(configuration, library: library)
        func key(_ url: String) throws -> ConnectionPlan.Key {
            let request = TransportRequest(URLRequest(url: Fixture.url(url)))
            return try required.key(for: RequestTarget(Fixture.url(url)), request)
        }
        let error = #expect(throws: TransportError.self) { try key("https://a.example/") }
        #expect(error?.code == .unsupported && error?.reason.contains("Unix socket") == true)
        #expect(try key("http://a.example/").route != nil)
        #expect(try key("https://b.example/").route == nil)
        configuration.http3 = .preferred
        let preferred = try ConnectionPlan(configuration, library: library)
        #expect(try preferred.settings(for: ConnectionPlan.Key(route: "https://a.example:443")).http3 == .never)
        #expect(try preferred.settings(for: .usual).http3 == .preferred)
    }

    @Test func http3CannotBePreferredToHTTP1Alone() {
        let library = Self.library(0x08_17_00, hasHTTP3: true)
        for use in [HTTP3Use.preferred, .altSvc] {
            let code = code(library) {
                $0.http3 = use
                $0.http2 = .never
            }
            #expect(code == .unsupported)
        }
        #expect(
            code(library) {
                $0.http3 = .required
                $0.http2 = .never
            } == nil
        )
    }

    @Test func theDescriptionOfAConfigurationShowsTheVersions() {
        var configuration = TransportConfiguration()
        configuration.http3 = .preferred
        configuration.cleartextHTTP2 = [Fixture.url("http://user:secret@a.example/path")]
        let text = "\(configuration)"
        #expect(text.contains("preferred") && text.contains("http://a.example:80"))
        #expect(!text.contains("secret"))
    }
}

/// What `URLSession` cannot do.
struct SessionVersionTests {
    @Test(arguments: [
        ("https://a.example", HTTP3Use.required, true), ("https://a.example", .preferred, false),
        ("https://a.example", .altSvc, false),
        ("http://a.example", .required, false), ("http://b.example", .never, true),
    ])
    func itCannotBeToldWhichVersionToSpeak(_ row: (String, HTTP3Use, Bool)) throws {
        var configuration = TransportConfiguration()
        configuration.http3 = row.1
        configuration.cleartextHTTP2 = [Fixture.url("http://b.example:80/")]
        let refusal = SessionRequest.refusal(configuration, try RequestTarget(Fixture.url(row.0)))
        #expect((refusal?.code == .unsupported) == row.2)
    }
}
#endif
