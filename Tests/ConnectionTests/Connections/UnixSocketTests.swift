#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import PiuPiuTesting
import TestSupport
import Testing

extension ConnectionNetworkTests {
    /// Requests to a real nginx behind Unix domain sockets.
    @Suite(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
    struct UnixSocketTests {
        private static let plain = Fixture.url("http://docker")
        private static let secure = Fixture.url("https://localhost")
        private let nginx: NginxVariant
        private let paths = (0..<3).map { _ in UnixRelay.freshPath() }

        init() throws {
            let certificates = try Certificates.shared.get()
            let hello = #"location / { return 200 "$server_protocol $connection $connection_requests $http_host"; }"#
            let tls = """
                ssl_certificate \(certificates.certificate("good").path);
                ssl_certificate_key \(certificates.key("good").path);
                """
            nginx = try NginxVariant(
                http: """
                    server { listen unix:\(paths[0]); \(hello) }
                    server { listen unix:\(paths[1]) ssl; \(tls) \(hello) }
                    server { listen unix:\(paths[2]) ssl http2; \(tls) \(hello) }
                    """
            )
        }

        private func dispatcher(
            _ origin: URL,
            _ path: Int,
            _ configure: (inout URLRequestDispatcher.Configuration) -> Void = { _ in }
        ) -> URLRequestDispatcher {
            URLRequestDispatcher.forTests {
                $0.transport.certificateAuthorityFile = nginx.authority
                $0.transport.routes[origin] = .unixSocket(path: paths[path])
                configure(&$0)
            }
        }

        /// Protocol, connection, which request of the connection it was, and the host.
        private func hello(_ dispatcher: URLRequestDispatcher, _ origin: URL) async throws -> [String] {
            let response = try await dispatcher.data(from: origin.appending(path: "hello"))
            return try response.decodeString().split(separator: " ").map(String.init)
        }

        @Test(arguments: [(plain, 0, "HTTP/1.1"), (secure, 1, "HTTP/1.1"), (secure, 2, "HTTP/2.0")])
        func requestsInARowShareAConnection(_ row: (URL, Int, String)) async throws {
            let dispatcher = dispatcher(row.0, row.1)
            var answers: [[String]] = []
            for _ in 0..<5 { answers.append(try await hello(dispatcher, row.0)) }
            #expect(answers.allSatisfy { $0[0] == row.2 && $0[3] == row.0.host() })
            #expect(Set(answers.map { $0[1] }).count == 1)
            #expect(answers.map { $0[2] } == ["1", "2", "3", "4", "5"])
            await dispatcher.shutdown()
        }

        @Test(arguments: [(plain, 0), (secure, 1), (secure, 2)])
        func manyAtOnceShareTheLimit(_ row: (URL, Int)) async throws {
            let dispatcher = dispatcher(row.0, row.1) { $0.connections.perHost = 16 }
            for _ in 0..<3 {
                let connections = try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<200 { group.addTask { try await hello(dispatcher, row.0)[1] } }
                    return try await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
                #expect(connections.count <= 16)
            }
            await dispatcher.shutdown()
            #expect(try await dispatcher.exchangeCount() == 0)
        }

        @Test func theCertificateMustBeForTheHostOfTheURL() async throws {
            let other = Fixture.url("https://other.test")
            await expect(.tls) { try await hello(dispatcher(other, 1), other) }
        }

        @Test func otherOriginsAreNotAffected() async throws {
            let dispatcher = dispatcher(Fixture.url("http://localhost"), 0)
            #expect(try await hello(dispatcher, Fixture.url("http://localhost"))[3] == "localhost")
            let direct = try await dispatcher.data(from: nginx.url(nginx.plain, "/hello"))
            #expect(try direct.decodeString().hasPrefix("HTTP/1.1"))
        }

        @Test func aMissingSocketIsAConnectionThatCannotBeOpened() async throws {
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.routes[Self.plain] = .unixSocket(path: UnixRelay.freshPath())
            }
            let error = try await failure { try await hello(dispatcher, Self.plain) } as? TransportError
            #expect(error?.code == .cannotConnect && error?.isSafeToRetry == true, "\(String(describing: error))")
        }

        @Test func anotherPathTakesEffectAtTheNextRequest() async throws {
            let configuration = TransportConfiguration(proxy: .none)
            var first = configuration
            first.routes[Self.plain] = .unixSocket(path: paths[0])
            let transport = try SocketTransport(configuration: first)
            let dispatcher = URLRequestDispatcher(transport: transport)
            #expect(try await hello(dispatcher, Self.plain)[2] == "1")
            #expect(try await hello(dispatcher, Self.plain)[2] == "2")
            let server = try LoopbackServer()
            server.route("/hello", .response(body: "HTTP/1.1 0 relay docker"))
            let relay = try UnixRelay(to: server.port)
            var second = configuration
            second.routes[Self.plain] = relay.route
            try transport.reconfigure(second)
            #expect(try await hello(dispatcher, Self.plain)[2] == "relay")
        }

        @Test func theEnvironmentsProxyIsNotUsed() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer()
                server.route("/hello", .response(body: "ok"))
                let relay = try UnixRelay(to: server.port)
                let nowhere = try RefusingPort()
                setenv("http_proxy", "http://127.0.0.1:\(nowhere.port)", 1)
                let dispatcher = URLRequestDispatcher.forTests {
                    $0.transport.proxy = .environment
                    $0.transport.routes[Fixture.url("http://docker")] = relay.route
                }
                #expect(try await dispatcher.data(from: Fixture.url("http://docker/hello")).data == Data("ok".utf8))
                let missing = URLRequestDispatcher.forTests {
                    $0.transport.proxy = .environment
                    $0.transport.routes[Fixture.url("http://docker")] = .unixSocket(path: "/tmp/piupiu-missing.sock")
                }
                await expect(.cannotConnect) { try await missing.data(from: Fixture.url("http://docker/hello")) }
            }
        }
    }
}
#endif
