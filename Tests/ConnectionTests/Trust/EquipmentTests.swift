import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// The servers that the tests of trust are played with.
    struct EquipmentTests {
        @Test(
            "A relay puts TLS in front of a scripted server",
            .enabled(if: TLSRelay.isAvailable),
            arguments: [
                Wire.tls12, .tls13,
            ]
        )
        func relay(_ wire: Wire) async throws {
            let server = try WiredServer(wire)
            server.script.route("PUT", "/", .echo)
            let dispatcher = server.dispatcher()
            let body = String(repeating: "x", count: 300_000)
            for _ in 0..<3 {
                let response = try await dispatcher.data(for: URLRequest("PUT", server.url("/"), body: body))
                #expect(response.data == Data(body.utf8))
            }
            #expect(server.script.acceptedConnections == 1)
            // The relay is another process, and what it tells may come later.
            await server.relay?.waitForHandshakes(1)
            #expect(server.relay?.agreedProtocols == ["http/1.1"])
        }

        @Test(
            "A relay refuses clients without a common protocol",
            .enabled(if: TLSRelay.isAvailable),
            arguments: [
                TLSRelay.Settings.Mismatch.close, .alert,
            ]
        )
        func refusal(_ mismatch: TLSRelay.Settings.Mismatch) async throws {
            let server = try WiredServer(.tls13) {
                $0.protocols = ["h2"]
                $0.mismatch = mismatch
            }
            await #expect(throws: TransportError.self) {
                try await server.dispatcher().data(from: server.url("/"))
            }
            #expect(server.relay?.agreedProtocols == [])
        }

        @Test("A scripted server answers over HTTP/2", .enabled(if: HTTP2Script.isAvailable))
        func http2() async throws {
            let server = try HTTP2Script { exchange in
                exchange.respond(200, [HTTP2Field("x-method", exchange.request.method)], body: exchange.request.path)
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            for index in 0..<20 {
                let path = "/\(index)?x=%20\(String(repeating: "yZ~", count: index))"
                let response = try await dispatcher.data(from: server.url(path))
                #expect(response.data == Data(path.utf8))
                #expect(response.headers["x-method"] == "GET")
                #expect(response.head?.httpVersion == "HTTP/2")
            }
            let large = String(repeating: "large", count: 100_000)
            let put = URLRequest("PUT", server.url("/put"), body: large)
            #expect(try await dispatcher.data(for: put).data == Data("/put".utf8))
            #expect(server.requests.last?.body.count == large.utf8.count)
            #expect(server.requests.last?["content-length"] == "\(large.utf8.count)")
            #expect(server.requests.map(\.ordinal) == Array(1...21))
            #expect(server.acceptedConnections == 1)
        }

        @Test("A scripted server holds exchanges and keeps to the flow control", .enabled(if: HTTP2Script.isAvailable))
        func http2Gates() async throws {
            let body = [UInt8](repeating: 0x78, count: 8 << 20)
            let server = try HTTP2Script { exchange in
                exchange.hold("gate") { exchange in
                    exchange.head()
                    exchange.data(body, ends: true)
                }
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            let response = Task { try await dispatcher.data(from: server.url("/")).data }
            await server.waitUntilHeld("gate")
            server.release("gate")
            #expect(try await response.value == Data(body))
        }

        @Test("An nginx with settings of its own writes a log", .enabled(if: NginxVariant.isAvailable))
        func nginx() async throws {
            let nginx = try NginxVariant(http: "keepalive_requests 3;", server: #"location /x { return 201 "x"; }"#)
            let dispatcher = URLRequestDispatcher.trusting(nginx.authority, http2: true)
            for port in [nginx.plain, nginx.http1, nginx.tls12, nginx.http2] {
                for _ in 0..<4 {
                    #expect(try await dispatcher.data(from: nginx.url(port, "/x")).statusCode == .created)
                }
            }
            let log = nginx.finish()
            #expect(log.map(\.ordinal) == Array(repeating: [1, 2, 3, 1], count: 4).flatMap(\.self))
            #expect(Set(log.map(\.connection)).count == 8)
            #expect(log.allSatisfy { $0.target == "/x" && $0.status == 201 })
            #expect(log.last?.version == "HTTP/2.0")
        }

        @Test("nghttpd speaks HTTP/2 only", .enabled(if: NghttpdServer.shared != nil))
        func nghttpd() async throws {
            let server = try #require(NghttpdServer.shared)
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            let response = try await dispatcher.data(from: server.url("/small.txt"))
            #expect(response.data == Data("small".utf8))
            #expect(response.head?.httpVersion == "HTTP/2")
        }
    }
}
