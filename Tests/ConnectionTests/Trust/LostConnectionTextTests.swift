import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// What an error says of a request that the server has received.
    struct LostConnectionTextTests {
        private func check(_ error: any Error) {
            let code = TransportError.Code.of(error)
            #expect(code == .connectionLost || code == .http2, "\(error)")
            #expect((error as? TransportError)?.mayBeSentAgain == false)
            let texts = [
                "\(error)", (error as? TransportError)?.reason, (error as? TransportError)?.underlyingDescription,
                (error as? TransportError)?.localizedDescription, String(reflecting: error),
            ]
            for text in texts.compactMap({ $0?.lowercased() }) {
                for words in ["failed to connect", "couldn't connect", "could not connect", "connect to", "refused"] {
                    #expect(!text.contains(words), "\(text)")
                }
            }
        }

        @Test(
            "A POST that the server received does not end with words about connecting",
            arguments: Wire.available,
            ["", "small", String(repeating: "large", count: 50_000)]
        )
        func received(_ wire: Wire, _ body: String) async throws {
            let server = try WiredServer(wire)
            server.script.route("/first", .response(body: "first"))
            server.script.route("POST", "/second", .close)
            let dispatcher = server.dispatcher()
            _ = try await dispatcher.data(from: server.url("/first"))
            let request = URLRequest("POST", server.url("/second"), body: body)
            check(try await failure { try await dispatcher.data(for: request) })
            #expect(server.script.requests(for: "/second").count == 1)
        }

        @Test("A POST that the server received does not end with words about connecting, where the server is gone")
        func gone() async throws {
            for isReset in [true, false] {
                let server = try LoopbackServer()
                server.route("/first", .response(body: "first"))
                server.route("POST", "/second", .hold("received"), isReset ? .reset : .close)
                let dispatcher = URLRequestDispatcher.trusting(nil)
                _ = try await dispatcher.data(from: server.url("/first"))
                let request = URLRequest("POST", server.url("/second"), body: "x")
                let post = Task { try await dispatcher.data(for: request) }
                await server.waitUntilHeld("received")
                server.stop()
                check(try await failure { try await post.value })
            }
        }

        @Test(
            "A POST that is lost over HTTP/2 does not end with words about connecting",
            .enabled(if: HTTP2Support.isAvailable)
        )
        func http2() async throws {
            for isGone in [true, false] {
                let server = try HTTP2Script { exchange in
                    if exchange.request.path == "/first" { exchange.respond(body: "first") }
                    if exchange.request.path == "/second" {
                        exchange.hold("received") { _ in }
                        if !isGone { exchange.peer.close() }
                    }
                }
                let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
                _ = try await dispatcher.data(from: server.url("/first"))
                let request = URLRequest("POST", server.url("/second"), body: "x")
                let post = Task { try await dispatcher.data(for: request) }
                await server.waitUntilHeld("received")
                if isGone { server.stop() }
                check(try await failure { try await post.value })
            }
        }
    }
}
