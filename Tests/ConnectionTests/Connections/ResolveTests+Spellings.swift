#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuValues

/// An override of a host applies to all spellings of it, and to no other host.
extension ConnectionNetworkTests.ResolveTests {
    /// Spellings of hosts, the first of which an override has.
    static let spellings = [
        ["piupiu.test", "piupiu.test.", "PIUPIU.Test.", "PiuPiu.TEST"],
        ["PiuPiu.test.", "piupiu.test", "piupiu.test.", "PIUPIU.TEST."],
        ["127.0.0.1", "127.1", "0x7f.0.0.1", "017700000001", "2130706433", "127.0.0.1."],
        ["0x7f.1", "127.0.0.1", "127.1", "2130706433"],
        ["localhost", "LOCALHOST", "localhost.", "LocalHost."],
        ["xn--bcher-kva.test", "bücher.test", "XN--Bcher-KVA.test."],
    ]

    @Test(arguments: spellings)
    func everySpellingOfAHostHasItsOverride(_ hosts: [String]) async throws {
        let transport = try SocketTransport(configuration: configuration("\(hosts[0]):\(ports[0])", ["127.0.0.2"]))
        let dispatcher = URLRequestDispatcher(transport: transport)
        for host in hosts + hosts {
            let url = "http://\(host):\(ports[0])/"
            #expect(try await answer(dispatcher, url) == "127.0.0.2 HTTP/1.1", "\(host)")
            // Nothing of it is left for the next request.
            guard hosts.contains("127.1") else {
                #expect(try await answer(dispatcher, "http://127.0.0.1:\(ports[0])/") == "127.0.0.1 HTTP/1.1")
                continue
            }
        }
        // Another port has no override.
        guard hosts.contains("127.1") else { return }
        let server = try LoopbackServer()
        server.route("/", .response(body: "direct"))
        for host in hosts where !host.hasSuffix(".") {
            #expect(try await answer(dispatcher, "http://\(host):\(server.port)/") == "direct")
        }
    }

    @Test(arguments: [
        ["localhost", "LOCALHOST.", "localhost.", "LocalHost"], ["LocalHost.", "localhost", "LOCALHOST."],
    ])
    func certificatesAreStillForTheURL(_ hosts: [String]) async throws {
        let transport = try SocketTransport(configuration: configuration("\(hosts[0]):\(ports[1])", ["127.0.0.2"]))
        let dispatcher = URLRequestDispatcher(transport: transport)
        for host in hosts {
            #expect(try await answer(dispatcher, "https://\(host):\(ports[1])/") == "127.0.0.2 HTTP/2.0", "\(host)")
        }
        let other = try SocketTransport(configuration: configuration("elsewhere.test.:\(ports[1])", ["127.0.0.2"]))
        await expect(.tls) {
            try await answer(URLRequestDispatcher(transport: other), "https://elsewhere.test:\(ports[1])/")
        }
    }

    @Test func theServerIsToldTheHostOfTheURL() async throws {
        let server = try LoopbackServer()
        server.route("/", .response(body: "ok"))
        let transport = try SocketTransport(configuration: configuration("piupiu.test:\(server.port)", ["127.0.0.1"]))
        _ = try await answer(URLRequestDispatcher(transport: transport), "http://piupiu.test.:\(server.port)/")
        #expect(server.requests.first?.header("Host") == "piupiu.test.:\(server.port)")
        #expect(server.requests.map(\.target) == ["/"])
    }

    @Test func manyRequestsWithOtherSpellingsAtOnceAreNotMixedUp() async throws {
        let transport = try SocketTransport(configuration: configuration("piupiu.test:\(ports[0])", ["127.0.0.2"]))
        let dispatcher = URLRequestDispatcher(transport: transport)
        let hosts = [
            ("piupiu.test", "127.0.0.2"), ("piupiu.test.", "127.0.0.2"), ("127.0.0.1", "127.0.0.1"),
            ("127.1", "127.0.0.1"),
        ]
        try await withThrowingTaskGroup(of: (String, String).self) { group in
            for index in 0..<120 {
                let (host, address) = hosts[index % hosts.count]
                group.addTask { (address, try await answer(dispatcher, "http://\(host):\(ports[0])/")) }
            }
            for try await (address, text) in group { #expect(text == "\(address) HTTP/1.1") }
        }
    }

    @Test func theHostOfARouteHasItsOverrideToo() async throws {
        var configuration = configuration("standby.test:\(ports[0])", ["127.0.0.2"])
        for (index, host) in ["standby.test", "Standby.TEST", "standby.test."].enumerated() {
            configuration.routes[Fixture.url("http://\(index).test")] = .host(host, port: ports[0])
        }
        let dispatcher = URLRequestDispatcher(transport: try SocketTransport(configuration: configuration))
        for index in 0..<3 {
            for dot in ["", "."] {
                #expect(try await answer(dispatcher, "http://\(index).test\(dot)/") == "127.0.0.2 HTTP/1.1")
            }
        }
    }

    @Test func aProxyHasItsOverrideAndResolvesTheNamesOfServersItself() async throws {
        let proxy = try LoopbackServer()
        proxy.route("/a", .response(body: "ok"))
        for host in ["proxy.test", "PROXY.test", "Proxy.test."] {
            var configuration = configuration("proxy.test:\(proxy.port)", ["127.0.0.1"])
            configuration.network.resolve["server.test:80"] = ["127.0.0.2"]
            configuration.proxy = .server(try ProxyServer(.http, host: host, port: proxy.port))
            let dispatcher = URLRequestDispatcher(transport: try SocketTransport(configuration: configuration))
            #expect(try await answer(dispatcher, "http://server.test./a") == "ok")
        }
        #expect(
            proxy.requests.map { "\($0.method) \($0.target)" }
                == Array(repeating: "GET http://server.test./a", count: 3)
        )
    }

    @Test(arguments: [ProxyServer.Kind.socks4, .socks5])
    func aNameThatIsResolvedForAProxyHasItsOverride(_ kind: ProxyServer.Kind) async throws {
        let address = Locked<[[UInt8]]>([])
        let proxy = try RawServer { connection in
            if kind == .socks4 {
                let message = try connection.read(8)
                address.withLock { $0.append(Array(message.suffix(4))) }
                while try connection.read(1) != [0] {}
                connection.write([0, 91] + [UInt8](repeating: 0, count: 6))
            } else {
                _ = try connection.read(Int(try connection.read(2)[1]))
                connection.write([5, 0])
                let message = try connection.read(10)
                address.withLock { $0.append(Array(message[4..<8])) }
                connection.write([5, 2, 0, 1, 0, 0, 0, 0, 0, 0])
            }
            _ = try? connection.read()
        }
        var configuration = configuration("server.test:80", ["192.0.2.7"])
        configuration.proxy = .server(try ProxyServer(kind, host: "127.0.0.1", port: proxy.port))
        let dispatcher = URLRequestDispatcher(transport: try SocketTransport(configuration: configuration))
        for host in ["server.test", "server.test.", "SERVER.Test."] {
            try await proxyError { try await answer(dispatcher, "http://\(host)/") }
        }
        #expect(address.withLock { $0 } == Array(repeating: [192, 0, 2, 7], count: 3))
    }

    @Test func twoSpellingsOfAHostAreOneOverride() async throws {
        for (first, second) in [("a.test", "A.test."), ("127.0.0.1", "127.1"), ("a.test..", "a.test.")] {
            var configuration = configuration("\(first):80", ["127.0.0.2"])
            configuration.network.resolve["\(second):80"] = ["127.0.0.2"]
            await expect(.unsupported) { try SocketTransport(configuration: configuration) }
            configuration.network.resolve["\(second):80"] = nil
            configuration.network.resolve["\(second):81"] = ["127.0.0.2"]
            _ = try SocketTransport(configuration: configuration)
        }
    }

    @Test func aHostThatIsNotWrittenInASCIIIsNoKeyOfAnOverride() async throws {
        for key in ["bücher.test:80", "a%2Etest:80", "[::1]:80", "a test:80"] {
            await expect(.unsupported) { try SocketTransport(configuration: configuration(key, ["127.0.0.2"])) }
        }
        let transport = try SocketTransport(configuration: configuration("a.test:80", ["127.0.0.2"]))
        await expect(.invalidURL) { try await answer(URLRequestDispatcher(transport: transport), "http://a%2Etest/") }
    }
}
#endif
