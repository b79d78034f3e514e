#if os(Linux)
import PiuPiuEngine
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

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

    @Test(arguments: NetworkRefusalTests.rows)
    func theNetworkIsCheckedAsForLibcurl(_ row: NetworkRefusalTests.Row) throws {
        let error = refusal { try plan { row.change(&$0) } }
        let isMissing = row.rule.hasPrefix("DNS")
        #expect((error == nil) == (row.isAllowed && !isMissing), "\(error?.reason ?? "")")
        guard let error, !isMissing else { return }
        #expect(error.code == .unsupported)
        let library = try CurlLibrary.shared.get()
        var configuration = TransportConfiguration(proxy: .none)
        row.change(&configuration)
        #expect(refusal { try ConnectionPlan(configuration, library: library) }?.reason == error.reason)
    }

    static let features: [(String, Change)] = [
        ("DNS over HTTPS", { $0.network.dnsOverHTTPS = Fixture.url("https://dns.example/dns-query") }),
        ("TCP Fast Open", { $0.network.usesFastOpen = true }),
        ("HTTP/3", { $0.http3 = .preferred }), ("HTTP/3", { $0.http3 = .altSvc }), ("HTTP/3", { $0.http3 = .required }),
        ("proxies", { $0.proxy = (try? ProxyServer(.http, host: "a", port: 1)).map { .server($0) } ?? .none }),
    ]

    @Test(arguments: features.indices) func whatIsMissingNamesTheOtherTransport(_ index: Int) {
        let (feature, change) = Self.features[index]
        let error = refusal { try plan(change) }
        #expect(error?.code == .unsupported)
        #expect(error?.reason == "SocketTransport does not support \(feature): use CurlTransport")
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

    @Test func aProxyOfTheEnvironmentIsRefusedOnlyForRequestsThatHaveIt() throws {
        let plan = try plan(variables: ["http_proxy": "http://proxy.example:3128", "no_proxy": "direct.example"])
        #expect(!plan.isUniform)
        let error = refusal { try key(plan, "http://a.example/?secret") }
        #expect(error?.code == .unsupported && error?.reason.contains("CurlTransport") == true)
        #expect(error?.request?.url?.host() == "a.example" && "\(error as Any)".contains("secret") == false)
        #expect(try key(plan, "http://direct.example/") == .usual)
        #expect(try key(plan, "https://a.example/") == .usual)
        let broken = try self.plan(variables: ["http_proxy": "ftp://x"])
        #expect(refusal { try key(broken, "http://a.example/") }?.code == .proxy)
    }

    @Test func aFunctionMayChooseNoProxy() throws {
        let proxy = try ProxyServer(.http, host: "proxy.example", port: 3128)
        let plan = try plan { $0.proxy = .choosing { $0.host() == "a.example" ? proxy : nil } }
        #expect(refusal { try key(plan, "http://a.example/") }?.code == .unsupported)
        #expect(try key(plan, "http://b.example/") == .usual)
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
