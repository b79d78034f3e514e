#if os(Linux)
import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuEngine
@testable import PiuPiuSockets
@testable import PiuPiuValues

/// What a configuration means for connections over sockets of our own, and what is refused.
struct SocketPlanTests {
    typealias Change = @Sendable (inout TransportConfiguration) -> Void

    private func plan(variables: [String: String] = [:], _ change: Change = { _ in }) throws -> SocketPlan {
        var configuration = TransportConfiguration(proxy: variables.isEmpty ? .none : .environment)
        change(&configuration)
        return try SocketPlan(configuration, variables: variables)
    }

    private func key(_ plan: SocketPlan, _ url: String, isForeign: Bool = false) throws -> SocketPlan.Key {
        var request = TransportRequest(URLRequest(url: Fixture.url(url)))
        request.isForeignRedirect = isForeign
        return try plan.key(for: RequestTarget(Fixture.url(url)), request)
    }

    private func refusal(_ work: () throws -> some Any) -> TransportError? {
        do {
            _ = try work()
            return nil
        } catch {
            return error as? TransportError
        }
    }

    // MARK: The configuration

    static let features: [(String, Change)] = [
        ("DNS over HTTPS", { $0.network.dnsOverHTTPS = Fixture.url("https://dns.example/dns-query") }),
        ("TCP Fast Open", { $0.network.usesFastOpen = true }),
        ("HTTP/3", { $0.http3 = .preferred }), ("HTTP/3", { $0.http3 = .altSvc }), ("HTTP/3", { $0.http3 = .required }),
    ]

    @Test(arguments: features.indices) func whatIsMissingNamesTheOtherTransport(_ index: Int) {
        let (feature, change) = Self.features[index]
        let error = refusal { try plan(change) }
        #expect(error?.code == .unsupported)
        let reason = "SocketTransport does not support \(feature); CurlTransport of the product PiuPiuCurl does"
        #expect(error?.reason == reason)
    }

    @Test func cleartextHTTP2IsCheckedFirst() {
        for text in ["https://a.example", "ftp://a.example", "/path"] {
            #expect(refusal { try plan { $0.cleartextHTTP2 = [Fixture.url(text)] } }?.code == .invalidURL)
        }
        let error = refusal {
            try plan { ($0.http2, $0.cleartextHTTP2) = (.never, [Fixture.url("http://a.example")]) }
        }
        #expect(error?.code == .unsupported && error?.reason.contains("turned off") == true)
    }

    @Test(arguments: [HTTP2Use.automatic, .always, .never]) func everyUseOfHTTP2IsTaken(_ use: HTTP2Use) throws {
        #expect(try plan { $0.http2 = use }.isUniform)
    }

    @Test func tlsRulesAreChecked() {
        #expect(refusal { try plan { $0.tls = .insecurelyWithoutVerification } }?.code == .unsupported)
        #expect(
            refusal { try plan { $0.tlsByOrigin[Fixture.url("http://a")] = TLSConfiguration() } }?.code == .unsupported
        )
    }

    // MARK: Proxies

    @Test func aProxyOfTheEnvironmentIsAPartOfTheKey() throws {
        let plan = try plan(variables: ["http_proxy": "http://proxy.example:3128", "no_proxy": "direct.example"])
        #expect(!plan.isUniform)
        let proxy = try ProxyServer("http://proxy.example:3128")
        #expect(try key(plan, "http://a.example/") == SocketPlan.Key(proxy: proxy))
        #expect(try key(plan, "http://direct.example/") == .usual)
        #expect(try key(plan, "https://a.example/") == .usual)
        let broken = try self.plan(variables: ["http_proxy": "ftp://x"])
        #expect(refusal { try key(broken, "http://a.example/") }?.code == .proxy)
    }

    @Test func aFunctionMayChooseNoProxy() throws {
        let proxy = try ProxyServer(.http, host: "proxy.example", port: 3128, user: "ada")
        let plan = try plan { $0.proxy = .choosing { $0.host() == "a.example" ? proxy : nil } }
        #expect(try key(plan, "http://a.example/").proxy == proxy)
        #expect(try key(plan, "http://b.example/") == .usual)
    }

    @Test(arguments: ProxyServer.Kind.allCases) func theConnectionLeadsToTheProxy(_ kind: ProxyServer.Kind) throws {
        let proxy = try ProxyServer(kind, host: "proxy.example", port: 3128)
        let plan = try plan {
            $0.proxy = .server(proxy)
            $0.network.resolve = ["proxy.example:3128": ["192.0.2.1"], "a.example:80": ["192.0.2.2"]]
        }
        let key = try key(plan, "http://a.example/")
        let profile = try plan.profile(for: key)
        #expect(profile.proxy == proxy)
        let target = try RequestTarget(Fixture.url("http://a.example/"))
        let address = try #require(SocketAddress(literal: "192.0.2.1", port: 3128))
        #expect(profile.destination(of: target) == .addresses([address]))
        let server = try #require(SocketAddress(literal: "192.0.2.2", port: 80))
        #expect(profile.serverDestination(of: target) == .addresses([server]))
        #expect((profile.proxyTLS != nil) == (kind == .https))
        #expect(try plan.profile(for: .usual).proxyTLS == nil)
    }

    private func firstMessage(_ kind: ProxyServer.Kind, _ url: String, _ change: Change = { _ in }) throws -> [UInt8]? {
        let proxy = try ProxyServer(kind, host: "proxy.example", port: 1, user: "u")
        let plan = try plan {
            $0.proxy = .server(proxy)
            change(&$0)
        }
        let profile = try plan.profile(for: try key(plan, url))
        let address = SocketAddress(literal: "192.0.2.2", port: 80)
        let target = try RequestTarget(Fixture.url(url))
        return try profile.tunnel(to: target, fields: FieldList("X", "y"), address: address)?.firstMessage
    }

    @Test func onlySomeRequestsAreTunnelled() throws {
        let connect = Array("CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\nX: y\r\n\r\n".utf8)
        for kind in [ProxyServer.Kind.http, .https] {
            #expect(try firstMessage(kind, "http://a.example/") == nil)
            #expect(try firstMessage(kind, "https://A.example/") == connect)
            // A route to the same place is none.
            #expect(
                try firstMessage(kind, "http://a.example/") {
                    $0.routes[Fixture.url("http://a.example")] = .host("A.example", port: 80)
                } == nil
            )
            for (host, port, authority) in [
                ("b.example", 80, "b.example:80"), ("a.example", 81, "a.example:81"), ("::1", 80, "[::1]:80"),
                ("[::1]", 80, "[::1]:80"),
            ] {
                let message = try firstMessage(kind, "http://a.example/") {
                    $0.routes[Fixture.url("http://a.example")] = .host(host, port: port)
                }
                #expect(message?.starts(with: Array("CONNECT \(authority) HTTP/1.1\r\n".utf8)) == true)
            }
        }
        #expect(try firstMessage(.socks4, "http://a.example/") == [4, 1, 0, 80, 192, 0, 2, 2, 0x75, 0])
        #expect(
            try firstMessage(.socks4a, "http://a.example/") == [4, 1, 0, 80, 0, 0, 0, 1, 0x75, 0]
                + Array("a.example\0".utf8)
        )
        // An address needs no lookup; those that stand for names are told as such.
        #expect(try firstMessage(.socks4a, "http://127.0.0.1/") == [4, 1, 0, 80, 127, 0, 0, 1, 0x75, 0])
        for text in ["0.0.0.9", "[::1]"] {
            #expect(try firstMessage(.socks4a, "http://\(text)/")?.prefix(8) == [4, 1, 0, 80, 0, 0, 0, 1])
        }
        for kind in [ProxyServer.Kind.socks5, .socks5h] {
            #expect(try firstMessage(kind, "https://a.example/") == [5, 2, 0, 2])
        }
    }

    @Test func socks4HasNoIPv6() throws {
        let families: [(IPVersion, AddressFamily?)] = [(.any, .v4), (.v4, .v4), (.v6, nil)]
        for (version, family) in families {
            let proxy = try ProxyServer(.socks4, host: "proxy.example", port: 1)
            let plan = try plan { ($0.network.ipVersion, $0.proxy) = (version, .server(proxy)) }
            #expect(try plan.profile(for: SocketPlan.Key(proxy: proxy)).serverFamily == family)
        }
    }

    @Test func tlsWithAProxyHasTheTransportsSettings() throws {
        let proxy = try ProxyServer("https://proxy.example")
        let pin = try SPKIPin(digest: Data(repeating: 7, count: 32))
        // HTTP/2 is not offered to a proxy. What is the same otherwise is loaded once.
        let usual = try plan { ($0.proxy, $0.http2) = (.server(proxy), .never) }
        #expect(try usual.tls.provider(of: proxy) === usual.tls.provider(for: nil))
        #expect(try usual.tls.provider(of: ProxyServer("http://proxy.example")) == nil)
        let file = Fixture.url("file:///etc/ssl/own.pem")
        let own = try ProxyServer(.https, host: "proxy.example", authorityFile: file)
        #expect(try usual.tls.provider(of: own) !== usual.tls.provider(for: nil))
        let changes: [Change] = [
            { $0.tls.requiresStapledStatus = true }, { $0.tls.pins = ["PROXY.example.": [pin]] },
        ]
        for change in changes {
            let plan = try plan(change)
            #expect(try plan.tls.provider(of: proxy) !== plan.tls.provider(for: nil))
        }
        let origin = try plan {
            $0.tlsByOrigin[Fixture.url("https://proxy.example")] = .insecurelyWithoutVerification
            $0.http2 = .never
        }
        let provider = try origin.tls.provider(of: proxy)
        #expect(try provider === origin.tls.provider(for: nil))
        #expect(try provider !== origin.tls.provider(for: "https://proxy.example:443"))
        let both = try plan { $0.proxy = .server(proxy) }
        #expect(try both.tls.provider(of: proxy) !== both.tls.provider(for: nil))
    }

    // MARK: Routes

    @Test func aRedirectFromElsewhereDoesNotReachAUnixSocket() throws {
        let plan = try plan {
            $0.routes[Fixture.url("http://docker")] = .unixSocket(path: "/run/docker.sock")
            $0.routes[Fixture.url("http://abstract")] = .abstractSocket(name: "docker")
            $0.routes[Fixture.url("http://other")] = .host("a", port: 1)
        }
        for host in ["docker", "DOCKER.", "abstract"] {
            #expect(refusal { try key(plan, "http://\(host)/", isForeign: true) }?.code == .unsafeRedirect)
            #expect(try key(plan, "http://\(host)/").route != nil)
        }
        #expect(try key(plan, "http://other/", isForeign: true).route == "http://other:80")
        #expect(try key(plan, "http://docker:81/", isForeign: true) == .usual)
    }

    @Test func aUnixSocketNeedsNoProxy() throws {
        let plan = try plan(variables: ["http_proxy": "http://proxy.example:3128"]) {
            $0.routes[Fixture.url("http://docker")] = .unixSocket(path: "/run/docker.sock")
        }
        #expect(try key(plan, "http://docker/").route == "http://docker:80")
    }

    // MARK: The guard

    @Test func aGuardChecksTheTargetAndTheWay() throws {
        let guarded = try plan(variables: ["http_proxy": "http://proxy.example:3128"]) {
            $0.requestGuard = RequestGuard()
            $0.routes[Fixture.url("http://docker")] = .unixSocket(path: "/run/docker.sock")
            $0.routes[Fixture.url("http://abstract")] = .abstractSocket(name: "docker")
            $0.routes[Fixture.url("http://other")] = .host("a", port: 80)
        }
        #expect(!guarded.isUniform)
        #expect(refusal { try key(guarded, "http://a.example:81/") }?.code == .forbiddenAddress)
        #expect(try key(guarded, "http://a.example/") == .usual)
        for (origin, name) in [
            ("http://docker:80", "a Unix socket"), ("http://abstract:80", "an abstract Unix socket"),
        ] {
            let error = refusal { try guarded.profile(for: SocketPlan.Key(route: origin)) }
            #expect(error?.code == .unsupported)
            #expect(error?.reason == "A request guard cannot check the addresses behind \(name)")
        }
        _ = try guarded.profile(for: SocketPlan.Key(route: "http://other:80"))
        let proxy = try ProxyServer("http://proxy.example:3128")
        for route in [nil, "http://other:80"] {
            let error = refusal { try guarded.profile(for: SocketPlan.Key(proxy: proxy, route: route)) }
            #expect(error?.reason == "A request guard cannot check the addresses behind a proxy")
        }
        let error = refusal {
            try plan {
                $0.requestGuard = RequestGuard()
                $0.proxy = .choosing { _ in nil }
            }
        }
        #expect(error?.reason == "A request guard cannot check the addresses behind a proxy")
    }

    @Test func aGuardChecksAddresses() throws {
        let profile = try plan { $0.requestGuard = RequestGuard() }.profile(for: .usual)
        for (literal, port, isAllowed) in [
            ("127.0.0.1", UInt16(80), false), ("::1", 80, false), ("::ffff:10.0.0.1", 80, false), ("8.8.8.8", 80, true),
            ("8.8.8.8", 81, false), ("2001:4860:4860::8888", 443, true),
        ] {
            let address = try #require(SocketAddress(literal: literal, port: port))
            #expect((profile.refusal(of: address) == nil) == isAllowed, "\(literal)")
        }
        let socket = try #require(SocketAddress.unixSocket(path: "/a"))
        #expect(profile.refusal(of: socket) != nil)
        #expect(try plan().profile(for: .usual).refusal(of: socket) == nil)
    }

    // MARK: TLS

    @Test func originsWithSettingsOfTheirOwnHaveKeys() throws {
        let pin = try SPKIPin(digest: Data(repeating: 7, count: 32))
        let plan = try plan {
            $0.tls.pins = ["pinned.example": [pin]]
            $0.tlsByOrigin[Fixture.url("https://own.example")] = TLSConfiguration()
        }
        #expect(!plan.isUniform)
        #expect(try key(plan, "https://own.example./") == SocketPlan.Key(tls: "https://own.example:443"))
        let pinned = try key(plan, "https://PINNED.example:8443/")
        #expect(pinned == SocketPlan.Key(tls: "https://pinned.example:8443"))
        #expect(try key(plan, "https://a.example/") == .usual)
        #expect(try key(plan, "http://pinned.example/") == .usual)
        // What was read and agreed is kept per settings, not per profile.
        let usual = try plan.profile(for: .usual).tls
        #expect(try plan.profile(for: .usual).tls === usual)
        let own = try plan.profile(for: SocketPlan.Key(tls: "https://own.example:443")).tls
        let again = try plan.profile(for: SocketPlan.Key(tls: "https://own.example:443")).tls
        #expect(own !== usual && again === own)
        #expect(try plan.profile(for: pinned).tls !== usual)
    }

    @Test(arguments: [
        ("a.example", "a.example"), ("A.example.", "a.example"), ("127.1", "127.0.0.1"), ("[0::1]", "::1"),
        ("[fe80::1%25lo]", "fe80::1"),
    ])
    func certificatesAreForTheHost(_ host: String, _ certified: String) throws {
        #expect(try RequestTarget(Fixture.url("https://\(host):8443/")).certifiedHost == certified)
    }

    // MARK: Failures

    @Test func failuresOfTheNetworkHaveCodes() {
        let rows: [(ExchangeFailure, TransportError.Code, String?)] = [
            (ExchangeFailure(OpenFailure(code: ECONNREFUSED, what: "connect")), .cannotConnect, nil),
            (ExchangeFailure(OpenFailure(code: EMFILE, what: "open")), .outOfResources, nil),
            (
                ExchangeFailure(OpenFailure(.cannotApply("the TCP user timeout"), what: "x")), .unsupported,
                "The system cannot apply the TCP user timeout"
            ),
            (
                ExchangeFailure(OpenFailure(.forbidden("because"), what: "x")), .forbiddenAddress,
                "The request guard forbids the address: because"
            ),
            (ExchangeFailure(LookupFailure(.notFound, code: EAI_NONAME)), .cannotResolveHost, nil),
            (ExchangeFailure(LookupFailure(.temporary, code: EAI_AGAIN)), .cannotResolveHost, nil),
            (ExchangeFailure(LookupFailure(.outOfResources, code: EAI_MEMORY)), .outOfResources, nil),
        ]
        for (failure, code, reason) in rows {
            let error = failure.error(for: TransportRequest(Fixture.request)) as? TransportError
            #expect(error?.code == code && error?.reason == reason ?? code.text)
            let isSafe = code == .cannotConnect || code == .cannotResolveHost
            #expect(error?.isSafeToRetry == isSafe)
        }
    }
}
#endif
