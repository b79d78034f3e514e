#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

extension ConnectionNetworkTests {
    /// Which exchanges share connections, and what becomes of the connections that nobody needs any more.
    struct ConnectionProfileTests {
        private static let configuration = TransportConfiguration(proxy: .none)

        private static func get(
            _ url: URL,
            _ delivery: BodyDelivery = .buffered,
            over transport: SocketTransport
        ) async throws -> TransportResponse {
            var request = TransportRequest(URLRequest(url: url, method: .get))
            request.delivery = delivery
            return try await transport.send(request)
        }

        /// Waits until the transport has no more sockets than that.
        private static func waitForSockets(of transport: SocketTransport, atMost count: Int) async {
            while await transport.statistics().sockets > count { await Task.yield() }
        }

        @Test func aChangedConfigurationBeginsWithNewConnections() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let transport = try SocketTransport(configuration: Self.configuration)
            for count in 1...5 {
                for _ in 0..<3 { _ = try await Self.get(server.url("/"), over: transport) }
                #expect(server.acceptedConnections == count)
                try transport.reconfigure(Self.configuration)
            }
            // None is left, because none of the configuration in force has been opened.
            await Self.waitForSockets(of: transport, atMost: 0)
            await transport.shutdown()
        }

        @Test(arguments: [BodyDelivery.buffered, .streamed])
        func exchangesUnderWayAreNotDisturbed(delivery: BodyDelivery) async throws {
            let server = try LoopbackServer()
            server.route(
                "/slow",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nsl"),
                .hold("body"),
                .send("ow")
            )
            server.route("/", .response(body: "ok"))
            let transport = try SocketTransport(configuration: Self.configuration)
            let slow = Task {
                let response = try await Self.get(server.url("/slow"), delivery, over: transport)
                guard let stream = response.stream else { return response.body }
                return try await stream.reduce(into: Data()) { $0.append($1) }
            }
            while server.requests(for: "/slow").isEmpty { await Task.yield() }
            for _ in 0..<3 {
                try transport.reconfigure(Self.configuration)
                _ = try await Self.get(server.url("/"), over: transport)
            }
            // That of the slow one, and the newest.
            await Self.waitForSockets(of: transport, atMost: 2)
            server.release("body")
            #expect(try await slow.value == Data("slow".utf8))
            await Self.waitForSockets(of: transport, atMost: 1)
            #expect(server.acceptedConnections == 4)
            await transport.shutdown()
        }

        @Test func exchangesThatAreCancelledFreeTheirConnection() async throws {
            let server = try LoopbackServer()
            server.route("/", .stall)
            let transport = try SocketTransport(configuration: Self.configuration)
            let requests = (0..<10).map { _ in Task { try await Self.get(server.url("/"), over: transport) } }
            while server.requests(for: "/").count < 8 { await Task.yield() }
            try transport.reconfigure(Self.configuration)
            for request in requests { request.cancel() }
            for request in requests { #expect(try await failure { try await request.value } is CancellationError) }
            await Self.waitForSockets(of: transport, atMost: 0)
            await transport.shutdown()
        }

        /// Changes the configuration all the time while requests are sent and cancelled.
        @Test(arguments: isThorough ? 1...4 : 1...1)
        func aStormOfChangesLosesNothing(seed: Int) async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            var configuration = Self.configuration
            configuration.eventLoops = seed % 2 + 1
            let transport = try SocketTransport(configuration: configuration)
            let dispatcher = URLRequestDispatcher(configuration: .init(), transport: transport)
            let changes = Task {
                while !Task.isCancelled {
                    try transport.reconfigure(configuration)
                    await Task.yield()
                }
            }
            let errors = await storm(400, seed: seed, of: dispatcher, to: [server.url("/")])
            #expect(errors == [])
            changes.cancel()
            _ = await changes.result
            #expect(await transport.statistics().exchanges == 0)
            try transport.reconfigure(configuration)
            await Self.waitForSockets(of: transport, atMost: 0)
            await transport.shutdown()
        }

        @Test func afterShutdownNothingBegins() async throws {
            let server = try LoopbackServer()
            let transport = try SocketTransport(configuration: Self.configuration)
            await transport.shutdown()
            try transport.reconfigure(Self.configuration)
            let error = try await failure { try await Self.get(server.url("/"), over: transport) }
            #expect((error as? TransportError)?.code == .shutDown)
            #expect(server.acceptedConnections == 0)
        }
    }
}
#endif
