#if os(Linux)
import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuExchange
@testable import PiuPiuSockets

/// What connections are given, and where they lead.
struct SocketProfileTests {
    private func profile(
        route: String? = nil,
        _ change: (inout TransportConfiguration) -> Void = { _ in }
    ) throws -> SocketProfile {
        var configuration = TransportConfiguration(proxy: .none)
        change(&configuration)
        return try SocketPlan(configuration).profile(for: SocketPlan.Key(route: route))
    }

    private func destination(_ profile: SocketProfile, _ url: String) throws -> String {
        switch profile.destination(of: try RequestTarget(Fixture.url(url))) {
        case .addresses(let addresses): addresses.map(\.text).joined(separator: " ")
        case .name(let name, let port): "name \(name) \(port)"
        }
    }

    // MARK: Numbers

    @Test func theDefaultsAreLibcurls() throws {
        let profile = try profile()
        #expect(profile.options == SocketOptions() && profile.family == .any)
        #expect(profile.eyeballsDelay == 200_000_000 && profile.cacheTime == 60_000_000_000)
        #expect(profile.maximumIdleTime == 90_000_000_000 && profile.maximumAge == .max)
        #expect(profile.proxyProtocol == nil && profile.requestGuard == nil && !profile.isRetired)
    }

    @Test func allSettingsArrive() throws {
        let profile = try profile {
            $0.network.ipVersion = .v6
            $0.network.happyEyeballsDelay = .microseconds(1500)
            $0.network.dnsCacheTime = .zero
            $0.network.localEnd = .address("[::1]")
            $0.network.localPorts = 1...65535
            $0.network.keepAlive = TCPKeepAlive(idle: .seconds(33), interval: .milliseconds(6500), count: 5)
            $0.network.userTimeout = .milliseconds(12_345)
            $0.network.maximumIdleTime = .milliseconds(1)
            $0.network.maximumConnectionAge = .seconds(7)
            $0.network.haproxyHeader = HAProxyHeader(clientAddress: "192.0.2.7")
        }
        #expect(profile.family == .v6 && profile.eyeballsDelay == 2_000_000 && profile.cacheTime == 0)
        #expect(profile.maximumIdleTime == 1_000_000_000 && profile.maximumAge == 7_000_000_000)
        #expect(profile.options.localEnd == SocketAddress(literal: "::1", port: 0).map { .address($0) })
        #expect(profile.options.localPorts == 1...65535 && profile.options.userTimeout == 12_345)
        #expect(profile.options.keepAlive == SocketOptions.KeepAlive(idle: 33, interval: 7, count: 5))
        #expect(profile.proxyProtocol?.client == SocketAddress(literal: "192.0.2.7", port: 0))
        let other = try self.profile {
            $0.network.localEnd = .interface("lo")
            $0.network.haproxyHeader = HAProxyHeader()
            $0.network.ipVersion = .v4
            $0.network.userTimeout = .seconds(Int64.max)
            $0.network.maximumIdleTime = .seconds(Int64.max)
        }
        #expect(other.options.localEnd == .interface("lo") && other.family == .v4)
        #expect(other.proxyProtocol == ProxyProtocolHeader() && other.options.userTimeout == .max)
        #expect(other.maximumIdleTime > 20 * 86_400 * 1_000_000_000)
    }

    // MARK: Destinations

    @Test(arguments: [
        ("http://a.example/", "name a.example 80"), ("https://A.Example.:8443/", "name a.example 8443"),
        ("http://127.0.0.1/", "127.0.0.1:80"), ("http://127.1:81/", "127.0.0.1:81"),
        ("http://2130706433/", "127.0.0.1:80"), ("http://127.0.0.1./", "127.0.0.1:80"),
        ("http://[::1]:5/", "[::1]:5"), ("http://[0:0::1]/", "[::1]:80"), ("http://[fe80::1%25lo]/", "[fe80::1%1]:80"),
        ("http://[fe80::1%251]/", "[fe80::1%1]:80"), ("http://[fe80::1%25nosuch0]/", ""), ("http://[::g]/", ""),
        ("http://localhost/", "[::1]:80 127.0.0.1:80"), ("http://a.LOCALHOST./", "[::1]:80 127.0.0.1:80"),
        ("http://256.1/", "name 256.1 80"), ("http://a/", "name a 80"),
    ])
    func hostsLeadWhereTheySay(_ url: String, _ expected: String) throws {
        guard (try? RequestTarget(Fixture.url(url))) != nil else { return }
        #expect(try destination(profile(), url) == expected)
    }

    @Test func theVersionOfIPIsKept() throws {
        let resolve = ["a.example:80": ["::2", "127.0.0.2"]]
        for (version, own, both, mine) in [
            (IPVersion.v4, "127.0.0.1:80", "127.0.0.2:80", "127.0.0.1:80"), (.v6, "", "[::2]:80", "[::1]:80"),
        ] {
            let profile = try profile {
                $0.network.ipVersion = version
                $0.network.resolve = resolve
            }
            #expect(try destination(profile, "http://127.0.0.1/") == own)
            #expect(try destination(profile, "http://a.example/") == both)
            #expect(try destination(profile, "http://localhost/") == mine)
        }
    }

    static let spellings = [
        ["piupiu.test", "piupiu.test.", "PIUPIU.Test.", "PiuPiu.TEST"], ["PiuPiu.test.", "piupiu.test"],
        ["127.0.0.1", "127.1", "0x7f.0.0.1", "017700000001", "2130706433", "127.0.0.1."],
        ["0x7f.1", "127.0.0.1", "127.1"], ["localhost", "LOCALHOST", "localhost."],
    ]

    @Test(arguments: spellings) func everySpellingOfAHostHasItsOverride(_ hosts: [String]) throws {
        let profile = try profile { $0.network.resolve = ["\(hosts[0]):8080": ["127.0.0.2", "[::2]", "::3"]] }
        for host in hosts {
            #expect(
                try destination(profile, "http://\(host):8080/") == "127.0.0.2:8080 [::2]:8080 [::3]:8080",
                "\(host)"
            )
            #expect(try destination(profile, "http://\(host):8081/").contains("127.0.0.2") == false)
        }
        #expect(try destination(profile, "http://other.test:8080/") == "name other.test 8080")
    }

    @Test(arguments: [
        (Route.unixSocket(path: "/run/a.sock"), "/run/a.sock"), (.abstractSocket(name: "a"), "@a"),
        (.host("B.example", port: 81), "name b.example 81"), (.host("127.0.0.3", port: 81), "127.0.0.3:81"),
        (.host("::3", port: 81), "[::3]:81"), (.host("[::3]", port: 81), "[::3]:81"),
        (.host("C.example.", port: 82), "127.0.0.9:82"),
    ])
    func routesLeadElsewhere(_ route: Route, _ expected: String) throws {
        let profile = try profile(route: "http://a.example:80") {
            $0.routes[Fixture.url("http://a.example")] = route
            $0.network.resolve = ["c.example:82": ["127.0.0.9"], "a.example:80": ["127.0.0.8"]]
        }
        #expect(try destination(profile, "http://a.example/") == expected)
    }

    // MARK: Which exchanges share a profile

    private func found(_ profiles: SocketProfiles, _ url: String) throws -> (SocketProfile, retires: Bool) {
        var retires = false
        let request = TransportRequest(URLRequest(url: Fixture.url(url)))
        let profile = try profiles.profile(for: try RequestTarget(Fixture.url(url)), request) { retires = true }
        return (profile, retires)
    }

    @Test func aUniformPlanHasOneProfile() throws {
        let profiles = try SocketProfiles(SocketPlan(TransportConfiguration(proxy: .none)))
        for url in ["http://a/", "https://b/", "http://c:81/"] {
            #expect(try found(profiles, url).0 === profiles.first)
        }
        var configuration = TransportConfiguration(proxy: .none)
        configuration.routes[Fixture.url("http://a")] = .host("b", port: 1)
        try profiles.change(to: SocketPlan(configuration))
        #expect(profiles.first.isRetired && profiles.changeCount == 1 && !profiles.configuration.routes.isEmpty)
        let routed = try found(profiles, "http://a/").0
        let usual = try found(profiles, "http://b/").0
        #expect(routed !== usual && usual !== profiles.first && !usual.isRetired)
        #expect(try found(profiles, "http://A./").0 === routed && found(profiles, "http://a:1/").0 === usual)
        configuration.routes[Fixture.url("http://a")] = .unixSocket(path: "")
        #expect(throws: TransportError.self) { try profiles.change(to: SocketPlan(configuration)) }
        #expect(profiles.changeCount == 1 && !usual.isRetired)
    }

    @Test func theNumberOfProfilesIsBounded() throws {
        var configuration = TransportConfiguration(proxy: .none)
        for number in 0..<100 { configuration.routes[Fixture.url("http://a\(number)")] = .host("b", port: 1) }
        let profiles = try SocketProfiles(SocketPlan(configuration))
        let first = try found(profiles, "http://a0/").0
        for number in 1..<100 {
            let (profile, retires) = try found(profiles, "http://a\(number)/")
            // The usual one counts too.
            #expect(!profile.isRetired && retires == (number > SocketProfiles.maximumCount - 2))
        }
        #expect(first.isRetired)
        #expect(try found(profiles, "http://a0/").0 !== first)
    }
}
#endif
