#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

extension ConnectionNetworkTests {
    /// Which server a name leads to, with two that listen on the same port of different addresses.
    @Suite(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
    struct ResolveTests {
        let nginx: NginxVariant
        /// The port without TLS and the one with TLS, on 127.0.0.1 and on 127.0.0.2.
        let ports: [Int]
        private let held: [HeldPort]

        init() throws {
            let certificates = try Certificates.shared.get()
            held = try (0..<2).map { _ in try HeldPort() }
            let ports = held.map(\.port)
            self.ports = ports
            let tls = """
                ssl_certificate \(certificates.certificate("good").path);
                ssl_certificate_key \(certificates.key("good").path);
                """
            nginx = try NginxVariant(
                http: ["127.0.0.1", "127.0.0.2"].map { address in
                    let answer = #"location / { return 200 "\#(address) $server_protocol"; }"#
                    return """
                        server { listen \(address):\(ports[0]); \(answer) }
                        server { listen \(address):\(ports[1]) ssl http2; \(tls) \(answer) }
                        """
                }.joined(separator: "\n")
            )
        }

        func configuration(_ key: String, _ addresses: [String]) -> TransportConfiguration {
            var configuration = TransportConfiguration(
                certificateAuthorityFile: nginx.authority,
                http2: .always,
                proxy: .none
            )
            configuration.network.resolve[key] = addresses
            return configuration
        }

        func answer(_ dispatcher: URLRequestDispatcher, _ url: String) async throws -> String {
            try await dispatcher.data(from: Fixture.url(url)).decodeString()
        }

        @Test(arguments: [("http", "piupiu.test", 0, "HTTP/1.1"), ("https", "localhost", 1, "HTTP/2.0")])
        func aChangedOverrideTakesEffectAtTheNextRequest(_ row: (String, String, Int, String)) async throws {
            let key = "\(row.1):\(ports[row.2])"
            let url = "\(row.0)://\(key)/"
            let transport = try SocketTransport(configuration: configuration(key, ["127.0.0.1"]))
            let dispatcher = URLRequestDispatcher(transport: transport)
            for address in ["127.0.0.1", "127.0.0.2", "127.0.0.1"] {
                try transport.reconfigure(configuration(key, [address]))
                for _ in 0..<3 { #expect(try await answer(dispatcher, url) == "\(address) \(row.3)") }
            }
            try transport.reconfigure(configuration(key, ["127.0.0.2"]))
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await answer(dispatcher, url) } }
                for try await text in group { #expect(text == "127.0.0.2 \(row.3)") }
            }
        }

        @Test func whatIsUnderWayIsNotDisturbed() async throws {
            let server = try LoopbackServer()
            server.route("/held", .hold("gate"), .response(body: "held"))
            let key = "piupiu.test:\(server.port)"
            let transport = try SocketTransport(configuration: configuration(key, ["127.0.0.1"]))
            let dispatcher = URLRequestDispatcher(transport: transport)
            let held = Task { try await answer(dispatcher, "http://\(key)/held") }
            await server.waitUntilHeld("gate")
            try transport.reconfigure(configuration(key, ["127.0.0.2"]))
            await expect(.cannotConnect) { try await answer(dispatcher, "http://\(key)/held") }
            server.release("gate")
            #expect(try await held.value == "held")
        }

        @Test func theNextAddressIsTriedIfOneDoesNotAnswer() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let key = "Piupiu.Test:\(server.port)"
            let transport = try SocketTransport(configuration: configuration(key, ["[::1]", "127.0.0.2", "127.0.0.1"]))
            let dispatcher = URLRequestDispatcher(transport: transport)
            #expect(try await answer(dispatcher, "http://piupiu.test:\(server.port)/") == "ok")
        }

        @Test func aRouteLeadsToAnotherHostAndTheCertificateIsForTheURL() async throws {
            let server = try #require(NginxServer.shared)
            func send(_ host: String, to port: Int) async throws -> String {
                let dispatcher = URLRequestDispatcher.forTests {
                    $0.transport.certificateAuthorityFile = server.authority
                    $0.transport.routes[Fixture.url("https://\(host)")] = .host("127.0.0.1", port: port)
                }
                return try await answer(dispatcher, "https://\(host)/hello")
            }
            #expect(try await send("elsewhere.test", to: server.wrongHost).hasPrefix("HTTP/1.1"))
            #expect(try await send("localhost", to: server.http2).hasPrefix("HTTP/2"))
            await expect(.tls) { try await send("elsewhere.test", to: server.http2) }
            await expect(.tls) { try await send("localhost", to: server.wrongHost) }
        }

        @Test func aRouteIsForItsOriginAlone() async throws {
            let servers = try (0..<2).map { _ in try LoopbackServer() }
            for (index, server) in servers.enumerated() { server.route("/", .response(body: "\(index)")) }
            let routed = Fixture.url("http://localhost:\(servers[0].port)")
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.routes[routed] = .host("localhost", port: servers[1].port)
            }
            for _ in 0..<3 {
                #expect(try await answer(dispatcher, "http://localhost:\(servers[0].port)/") == "1")
                #expect(try await answer(dispatcher, "http://127.0.0.1:\(servers[0].port)/") == "0")
            }
            #expect(servers.map(\.acceptedConnections) == [1, 1])
        }
    }
}
#endif
