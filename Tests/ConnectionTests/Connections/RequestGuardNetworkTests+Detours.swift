#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import PiuPiuTesting
import TestSupport
import Testing

// Proxies, routes and other transports.
extension ConnectionNetworkTests.RequestGuardNetworkTests {
    @Test func proxiesAreRefused() async throws {
        let proxies: [TransportConfiguration.Proxy] = [
            .server(try ProxyServer("http://127.0.0.1:1")), .server(try ProxyServer("socks5://127.0.0.1:1")),
            .choosing { _ in nil },
        ]
        for proxy in proxies {
            let transport = try SocketTransport(configuration: TransportConfiguration(proxy: proxy))
            var guarded = transport.configuration
            guarded.requestGuard = Self.requestGuard
            let configuration = guarded
            for attempt in [
                { _ = try SocketTransport(configuration: configuration) },
                { try transport.reconfigure(configuration) },
            ] {
                let error = try #require(throws: TransportError.self) { try attempt() }
                #expect(error.code == .unsupported)
                #expect(error.reason == "A request guard cannot check the addresses behind a proxy")
            }
            await transport.shutdown()
        }
    }

    @Test(arguments: [false, true])
    func unixSocketsAreRefused(_ isAbstract: Bool) async throws {
        let server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
        let relay = try UnixRelay(to: server.port, isAbstract: isAbstract)
        let url = Fixture.url("http://docker/")
        let open = Self.dispatcher(nil) { $0.transport.routes[url] = relay.route }
        #expect(try await open.data(from: url).decodeString() == "hello")
        let guarded = Self.dispatcher { $0.transport.routes[url] = relay.route }
        let error = try await #require(throws: TransportError.self) { try await guarded.data(from: url) }
        #expect(error.code == .unsupported)
        let socket = isAbstract ? "an abstract Unix socket" : "a Unix socket"
        #expect(error.reason == "A request guard cannot check the addresses behind \(socket)")
        #expect(server.acceptedConnections == 1)
    }

    @Test(arguments: ["127.0.0.2", "localhost", "::1", "127.2", "0x7f.0.0.2", "mixed.example"])
    func aRouteToAForbiddenAddressIsNotConnectedTo(_ host: String) async throws {
        let listeners = try [AddressListener("127.0.0.2"), AddressListener("::1")]
        var requestGuard = RequestGuard()
        requestGuard.allowedPorts = nil
        for listener in listeners {
            let dispatcher = Self.dispatcher(requestGuard) {
                $0.transport.routes[Fixture.url("http://a.example")] = .host(host, port: listener.port)
                $0.transport.network.resolve = ["mixed.example:\(listener.port)": ["127.0.0.2", "[::1]"]]
            }
            await expect(.forbiddenAddress) { try await dispatcher.data(from: Fixture.url("http://a.example/")) }
            await dispatcher.shutdown()
        }
        #expect(listeners.map { $0.connections() } == [0, 0])
    }

    @Test func aProxyOfTheEnvironmentIsNotUsed() async {
        await #expect(processExitsWith: .success) {
            let proxy = try AddressListener("127.0.0.1")
            let server = try LoopbackServer()
            server.route("/", .response(body: "hello"))
            for name in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"] {
                setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
            }
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
            let dispatcher = ConnectionNetworkTests.RequestGuardNetworkTests.dispatcher {
                $0.transport.proxy = .environment
            }
            #expect(try await dispatcher.data(from: server.url("/")).decodeString() == "hello")
            await expect(.forbiddenAddress) {
                try await dispatcher.data(from: Fixture.url("http://127.0.0.2:\(server.port)/"))
            }
            #expect(proxy.connections() == 0)
        }
    }

    @Test func urlSessionRefusesEveryRequest() async throws {
        let server = try LoopbackServer()
        server.route("/", .response())
        var configuration = TransportConfiguration(proxy: .none)
        configuration.requestGuard = Self.requestGuard
        let transport = URLSessionTransport(configuration: configuration)
        for url in [server.url("/").absoluteString, "https://127.0.0.1:\(server.port)/"] {
            await expect(.unsupported) { try await transport.send(Self.get(url)) }
        }
        #expect(server.acceptedConnections == 0)
        await transport.shutdown()
    }
}
#endif
