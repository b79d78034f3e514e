#if os(Linux)
import SuiteSupport
import PiuPiuAsync
import TestSupport
import Testing

/// The samples of the article on routes, and of the comment on ``Routes``.
struct RouteSamplesTests {
    @Test func article() throws {
        let docker = Fixture.url("http://docker")
        let agent = Fixture.url("http://agent")
        let api = Fixture.url("https://api.example.com")

        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.routes[docker] = .unixSocket(path: "/var/run/docker.sock")
        configuration.transport.routes[agent] = .abstractSocket(name: "agent")
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        defer { withExtendedLifetime(dispatcher) {} }

        configuration.transport.routes[api] = .host("standby.example.com", port: 8443)
        configuration.transport.network.resolve["api.example.com:443"] = ["192.0.2.10", "[2001:db8::10]"]

        let transport = try SocketTransport(configuration: configuration.transport)
        configuration.transport.network.resolve["api.example.com:443"] = ["192.0.2.11"]
        try transport.reconfigure(configuration.transport)
        #expect(transport.configuration == configuration.transport)

        var network = NetworkConfiguration()
        network.dnsOverHTTPS = URL(string: "https://dns.example.com/dns-query")
        network.ipVersion = .v4
        network.localEnd = .interface("eth1")
        network.keepAlive = TCPKeepAlive(idle: .seconds(30), interval: .seconds(10))
        network.userTimeout = .seconds(20)
        network.maximumIdleTime = .seconds(45)
        configuration.transport.network = network

        var options = RequestOptions()
        options.maximumReceiveRate = 500_000
        options.maximumSendRate = 100_000
        #expect(options != RequestOptions())
    }

    @Test func routes() {
        var configuration = URLRequestDispatcher.Configuration()

        configuration.transport.routes[URL(string: "http://docker")!] = .unixSocket(path: "/var/run/docker.sock")

        #expect(!configuration.transport.routes.isEmpty)
    }
}
#endif
