#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuValues

extension ConnectionNetworkTests {
    /// Routes together with settings that have nothing to do with them.
    struct RouteCombinationTests {
        private static let docker = Fixture.url("http://docker")
        private let server: LoopbackServer

        init() throws {
            server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
        }

        @Test func aSocketHasNoProxyWhoeverChoosesIt() async throws {
            let relay = try UnixRelay(to: server.port)
            for isFunction in [false, true] {
                let proxy = try LoopbackServer()
                let chosen = try ProxyServer(.http, host: "127.0.0.1", port: proxy.port, user: "a", password: "b")
                let source: TransportConfiguration.Proxy = isFunction ? .choosing { _ in chosen } : .server(chosen)
                let dispatcher = URLRequestDispatcher.forTests {
                    $0.transport.proxy = source
                    $0.transport.routes[Self.docker] = relay.route
                }
                for _ in 0..<2 {
                    #expect(try await dispatcher.data(from: Self.docker).data == Data("ok".utf8))
                }
                #expect(proxy.acceptedConnections == 0)
                // Other origins keep it.
                _ = try await dispatcher.data(from: Fixture.url("http://other.test/"))
                #expect(proxy.requests.last?.header("Proxy-Authorization") != nil)
            }
            #expect(server.requests.allSatisfy { $0.header("Proxy-Authorization") == nil })
        }

        @Test func aSocketHasNoSettingsOfTCP() async throws {
            let relay = try UnixRelay(to: server.port)
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.routes[Self.docker] = relay.route
                $0.transport.network.userTimeout = .seconds(20)
                $0.transport.network.keepAlive = TCPKeepAlive()
                $0.transport.network.localEnd = .address("192.0.2.1")
                $0.transport.network.localPorts = 1...1
                $0.transport.network.ipVersion = .v6
            }
            for round in 0..<3 {
                let response = try await dispatcher.data(from: Self.docker)
                #expect(response.metrics?.isReusedConnection == (round > 0))
            }
        }

        @Test(
            .enabled(if: HTTP2Support.isDefault && NginxVariant.isAvailable, "nginx, openssl and nghttp2 are needed")
        )
        func aSocketSpeaksHTTP2WithoutTLS() async throws {
            let path = UnixRelay.freshPath()
            let answer = #"location / { return 200 "$server_protocol $connection"; }"#
            let nginx = try NginxVariant(http: "server { listen unix:\(path) http2; \(answer) }")
            defer { withExtendedLifetime(nginx) {} }
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.routes[Self.docker] = .unixSocket(path: path)
                $0.transport.cleartextHTTP2 = [Self.docker]
            }
            var connections: Set<String> = []
            for _ in 0..<3 {
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<100 {
                        group.addTask { try await dispatcher.data(from: Self.docker).decodeString() }
                    }
                    for try await text in group {
                        #expect(text.hasPrefix("HTTP/2.0 "))
                        connections.insert(text)
                    }
                }
            }
            #expect(connections.count <= 8)
        }

        @Test(.enabled(if: HAProxyServer.isAvailable, "haproxy is needed"))
        func haproxyGetsTheAddresses() async throws {
            let haproxy = try HAProxyServer()
            let url = Fixture.url("http://127.0.0.1:\(haproxy.port)/")
            let own = URLRequestDispatcher.forTests { $0.transport.network.haproxyHeader = HAProxyHeader() }
            for round in 0..<3 {
                let response = try await own.data(from: url)
                #expect(try response.decodeString() == "127.0.0.1 127.0.0.1 \(haproxy.port)")
                #expect(response.metrics?.isReusedConnection == (round > 0))
            }
            // Without the header, the server has no use for the connection.
            let without = try? await URLRequestDispatcher.forTests().data(from: url)
            #expect(without?.head?.statusCode != .ok)
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.network.haproxyHeader = HAProxyHeader(clientAddress: "192.0.2.7")
            }
            let text = try await dispatcher.data(from: url).decodeString()
            #expect(text.hasPrefix("192.0.2.7 "), "\(text)")
        }
    }
}
#endif
