import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// When a server is known to speak HTTP/2.
    @Suite(.enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"))
    struct HTTP2AdmissionTests {
        @Test("A request is answered while the first requests to its server are still waiting for theirs")
        func ninth() async throws {
            let server = try HTTP2Script { exchange in
                if exchange.request.path == "/held" {
                    exchange.hold("gate") { $0.respond(body: "held") }
                } else {
                    exchange.respond(body: "quick")
                }
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true) {
                $0.connections.perHost = 8
            }
            let held = (0..<8).map { _ in Task { try await dispatcher.data(from: server.url("/held")).data } }
            await server.waitUntilHeld("gate", count: 8)
            var options = dispatcher.configuration.options
            options.timeouts.total = .seconds(120)
            for _ in 0..<3 {
                let quick = try await dispatcher.data(for: URLRequest(url: server.url("/quick")), options: options)
                #expect(quick.data == Data("quick".utf8))
            }
            server.release("gate")
            for task in held { #expect(try await task.value == Data("held".utf8)) }
            #expect(server.acceptedConnections <= 8)
        }

        @Test("All of a hundred first requests are sent before one is answered")
        func hundred() async throws {
            let server = try HTTP2Script { exchange in exchange.hold("gate") { $0.respond(body: "held") } }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true) {
                $0.connections.perHost = 8
                $0.timeouts.queue = .seconds(120)
            }
            let held = (0..<100).map { _ in Task { try await dispatcher.data(from: server.url("/held")).data } }
            let arrival = Task { await server.waitUntilHeld("gate", count: 100) }
            // If they do not all arrive, those that wait fail in time, and the others have to be released.
            let watch = Task {
                for task in held.reversed() { if (try? await task.value) == nil { arrival.cancel() } }
            }
            #expect(await arrival.value)
            server.release("gate")
            await watch.value
            for task in held { #expect(try await task.value == Data("held".utf8)) }
            #expect(server.acceptedConnections <= 8)
        }
    }
}
