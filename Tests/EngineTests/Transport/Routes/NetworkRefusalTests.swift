#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuSockets
@testable import PiuPiuURLSession

/// Which settings of the network and which routes are refused, before anything is sent.
struct NetworkRefusalTests {
    typealias Change = @Sendable (inout TransportConfiguration) -> Void

    struct Row: CustomTestStringConvertible, Sendable {
        let rule: String
        let isAllowed: Bool
        let change: Change

        init(_ rule: String, _ isAllowed: Bool, _ change: @escaping Change) {
            (self.rule, self.isAllowed, self.change) = (rule, isAllowed, change)
        }

        var testDescription: String { rule }
    }

    private static func route(_ route: Route, of origin: String = "http://docker") -> Change {
        { $0.routes[Fixture.url(origin)] = route }
    }

    private static func resolve(_ key: String, _ addresses: [String]) -> Change {
        { $0.network.resolve[key] = addresses }
    }

    private static func network(_ change: @escaping @Sendable (inout NetworkConfiguration) -> Void) -> Change {
        { change(&$0.network) }
    }

    private static let tooLong = Duration.seconds(Int64.max)

    static let rows = [
        Row("the defaults", true) { _ in }, Row("a path", true, route(.unixSocket(path: "/run/docker.sock"))),
        Row("a path of 107 bytes", true, route(.unixSocket(path: String(repeating: "p", count: 107)))),
        Row("a path of 108 bytes", false, route(.unixSocket(path: String(repeating: "p", count: 108)))),
        Row("a path of 54 letters in 108 bytes", false, route(.unixSocket(path: String(repeating: "é", count: 54)))),
        Row("no path", false, route(.unixSocket(path: ""))),
        Row("a path with NUL", false, route(.unixSocket(path: "/run/a\0b"))),
        Row("an abstract name", true, route(.abstractSocket(name: "docker"))),
        Row("an abstract name of 108 bytes", false, route(.abstractSocket(name: String(repeating: "p", count: 108)))),
        Row("no abstract name", false, route(.abstractSocket(name: ""))),
        Row("an abstract name with NUL", false, route(.abstractSocket(name: "\0a"))),
        Row("a route of no origin", false, route(.unixSocket(path: "/a"), of: "ftp://docker")),
        Row("a route of a name alone", false, route(.unixSocket(path: "/a"), of: "docker")),
        Row("a host", true, route(.host("example.com", port: 443))),
        Row("an IPv4 address", true, route(.host("127.0.0.1", port: 1))),
        Row("an IPv6 address", true, route(.host("::1", port: 65535))),
        Row("an IPv6 address in brackets", true, route(.host("[::1]", port: 80))),
        Row("port 0", false, route(.host("example.com", port: 0))),
        Row("port 65536", false, route(.host("example.com", port: 65536))),
        Row("a host with a port", false, route(.host("example.com:80", port: 80))),
        Row("a host with a comma", false, route(.host("a,b", port: 80))),
        Row("a host with NUL", false, route(.host("a\0b", port: 80))),
        Row("a host with a line break", false, route(.host("a\nb", port: 80))),
        Row("no host", false, route(.host("", port: 80))),
        Row("an override", true, resolve("api.example:443", ["127.0.0.1", "[::1]", "::1"])),
        Row("an override without addresses", false, resolve("api.example:443", [])),
        Row("an override by a name", false, resolve("api.example:443", ["localhost"])),
        Row("an override with a second line", false, resolve("api.example:443", ["127.0.0.1\nb:1:127.0.0.1"])),
        Row("an override without a port", false, resolve("api.example", ["127.0.0.1"])),
        Row("an override with port 0", false, resolve("api.example:0", ["127.0.0.1"])),
        Row("an override with port 65536", false, resolve("api.example:65536", ["127.0.0.1"])),
        Row("an override with a signed port", false, resolve("api.example:+80", ["127.0.0.1"])),
        Row("two overrides of a server", false) {
            $0.network.resolve = ["a.example:80": ["127.0.0.1"], "A.example:080": ["127.0.0.2"]]
        },
        Row("an override of all hosts", false, resolve("*:443", ["127.0.0.1"])),
        Row("a removal", false, resolve("-api.example:443", ["127.0.0.1"])),
        Row("an addition that expires", false, resolve("+api.example:443", ["127.0.0.1"])),
        Row("an override of an address", false, resolve("[::1]:443", ["127.0.0.1"])),
        Row("DNS over https", false, network { $0.dnsOverHTTPS = Fixture.url("https://dns.example/dns-query") }),
        Row("DNS over http", false, network { $0.dnsOverHTTPS = Fixture.url("http://dns.example/dns-query") }),
        Row("DNS with a password", false, network { $0.dnsOverHTTPS = Fixture.url("https://a:b@dns.example/") }),
        Row("DNS by a file", false, network { $0.dnsOverHTTPS = Fixture.url("file:///dns") }),
        Row("no memory for addresses", true, network { $0.dnsCacheTime = .zero }),
        Row("a negative memory for addresses", false, network { $0.dnsCacheTime = .seconds(-1) }),
        Row("an endless memory for addresses", true, network { $0.dnsCacheTime = tooLong }),
        Row("no head start", true, network { $0.happyEyeballsDelay = .zero }),
        Row("an endless head start", true, network { $0.happyEyeballsDelay = tooLong }),
        Row("a negative head start", false, network { $0.happyEyeballsDelay = .milliseconds(-1) }),
        Row("a local address", true, network { $0.localEnd = .address("::1") }),
        Row("a local name", false, network { $0.localEnd = .address("localhost") }),
        Row("a local address with a prefix", false, network { $0.localEnd = .address("if!lo") }),
        Row("an interface", true, network { $0.localEnd = .interface("eth0.5") }),
        Row("an interface with a prefix", false, network { $0.localEnd = .interface("host!a") }),
        Row("an interface of 16 bytes", false, network { $0.localEnd = .interface(String(repeating: "e", count: 16)) }),
        Row("no interface", false, network { $0.localEnd = .interface("") }),
        Row("all ports", true, network { $0.localPorts = 1...65535 }),
        Row("port 0 and more", false, network { $0.localPorts = 0...10 }),
        Row("too high ports", false, network { $0.localPorts = 65535...65536 }),
        Row("probes", true, network { $0.keepAlive = TCPKeepAlive() }),
        Row("probes without a pause", false, network { $0.keepAlive = TCPKeepAlive(interval: .zero) }),
        Row("probes at once", false, network { $0.keepAlive = TCPKeepAlive(idle: .zero) }),
        Row("probes as seldom as Linux allows", true, network { $0.keepAlive = TCPKeepAlive(idle: .seconds(32767)) }),
        Row("too late probes", false, network { $0.keepAlive = TCPKeepAlive(idle: .seconds(32768)) }),
        Row("too seldom probes", false, network { $0.keepAlive = TCPKeepAlive(interval: .seconds(32768)) }),
        Row("128 probes", false, network { $0.keepAlive = TCPKeepAlive(count: 128) }),
        Row("0 probes", false, network { $0.keepAlive = TCPKeepAlive(count: 0) }),
        Row("a user timeout", true, network { $0.userTimeout = .nanoseconds(1) }),
        Row("a user timeout of zero", false, network { $0.userTimeout = .zero }),
        Row("an endless user timeout", true, network { $0.userTimeout = tooLong }),
        Row("a client's name", false, network { $0.haproxyHeader = HAProxyHeader(clientAddress: "a\r\nb") }),
        Row("no idle time", false, network { $0.maximumIdleTime = .zero }),
        Row("an endless idle time", true, network { $0.maximumIdleTime = tooLong }),
        Row("no age", false, network { $0.maximumConnectionAge = .zero }),
        Row("a negative age", false, network { $0.maximumConnectionAge = .seconds(-5) }),
    ]

    private func configuration(_ row: Row) -> TransportConfiguration {
        var configuration = TransportConfiguration(proxy: .none)
        row.change(&configuration)
        return configuration
    }

    @Test(arguments: rows) func everyRule(_ row: Row) throws {
        let result = Result { try SocketPlan(configuration(row)) }
        switch result {
        case .success: #expect(row.isAllowed)
        case .failure(let error):
            #expect(!row.isAllowed && (error as? TransportError)?.code == .unsupported, "\(error)")
        }
    }

    @Test func aRefusedConfigurationReachesTheCallerAndKeepsTheOneBefore() async throws {
        var configuration = TransportConfiguration(proxy: .none)
        configuration.routes[Fixture.url("http://docker")] = .unixSocket(path: "")
        let dispatcher = URLRequestDispatcher.forTests { $0.transport.routes = configuration.routes }
        await expect(.unsupported) { try await dispatcher.data(from: Fixture.url("http://127.0.0.1:1/")) }
        let transport = try SocketTransport(configuration: TransportConfiguration(proxy: .none))
        #expect(throws: TransportError.self) { try transport.reconfigure(configuration) }
        #expect(transport.configuration.routes.isEmpty)
    }

    @Test func settingsThatAreTheSameForAllRequestsNeedNoLookUp() throws {
        var configuration = TransportConfiguration(proxy: .none)
        #expect(try SocketPlan(configuration).isUniform)
        configuration.network.resolve["a:1"] = ["127.0.0.1"]
        configuration.network.userTimeout = .seconds(1)
        #expect(try SocketPlan(configuration).isUniform)
        configuration.routes[Fixture.url("http://a")] = .host("b", port: 1)
        #expect(try !SocketPlan(configuration).isUniform)
        configuration.routes[Fixture.url("http://A:80/path")] = nil
        #expect(configuration.routes.isEmpty)
        #expect(try SocketPlan(configuration).isUniform)
    }

    @Test func urlSessionRefusesAllOfIt() throws {
        let target = try RequestTarget(Fixture.url("http://docker/"))
        for row in Self.rows.dropFirst() {
            #expect(SessionRequest.refusal(configuration(row), target)?.code == .unsupported, "\(row.rule)")
        }
        var configuration = TransportConfiguration()
        configuration.routes[Fixture.url("http://other")] = .host("a", port: 1)
        #expect(SessionRequest.refusal(configuration, target) == nil)
        for change in [{ $0.maximumReceiveRate = 1 }, { $0.maximumSendRate = 1 }] as [(inout RequestOptions) -> Void] {
            var request = TransportRequest(Fixture.request)
            change(&request.options)
            let prepared = try PreparedRequest(request, userAgent: nil)
            #expect(SessionRequest.refusal(TransportConfiguration(), prepared)?.code == .unsupported)
        }
    }
}
#endif
