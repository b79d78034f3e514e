import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// Servers of the tests of policies.
@Suite(.timeLimit(.generous))
enum PolicyNetworkTests {
    /// Coalescing over the platform's transport.
    struct CoalescingServerTests {
        private let policy = Coalescing()

        @Test func aThousandEqualRequestsAreOneExchange() async throws {
            let server = try LoopbackServer()
            server.route("/a", .hold("a"), .response(body: "shared"))
            let dispatcher = URLRequestDispatcher.forTests(interceptors: [policy])
            let calls = (0..<1000).map { _ in Task { try await dispatcher.data(from: server.url("/a")).decodeString() }
            }
            await policy.waiters(1000)
            server.release("a")
            for call in calls { #expect(try await call.value == "shared") }
            #expect(server.requests.count == 1)
            #expect(server.acceptedConnections == 1)
        }

        @Test func onlyTheLastCallThatIsCancelledClosesTheConnection() async throws {
            let server = try LoopbackServer()
            server.route("/a", .hold("a"), .stall)
            let dispatcher = URLRequestDispatcher.forTests(interceptors: [policy])
            let calls = (0..<1000).map { _ in Task { try await dispatcher.data(from: server.url("/a")) } }
            await policy.waiters(1000)
            await server.waitUntilHeld("a")
            for call in calls.dropFirst() { call.cancel() }
            for call in calls.dropFirst() { await #expect(throws: CancellationError.self) { try await call.value } }
            #expect(server.openConnections == 1)
            #expect(policy.waiterCount == 1)
            calls[0].cancel()
            await #expect(throws: CancellationError.self) { try await calls[0].value }
            #expect(await server.waitForOpenConnections(atMost: 0))
            #expect(server.requests.count == 1)
        }

        @Test func aLargeResponseIsInMemoryOnce() async throws {
            let server = try LoopbackServer()
            let size = 10 << 20
            server.route("/a", .hold("a"), .response(body: String(repeating: "x", count: size)))
            let dispatcher = URLRequestDispatcher.forTests(interceptors: [policy])
            let calls = (0..<1000).map { _ in Task { try await dispatcher.data(from: server.url("/a")).data } }
            await policy.waiters(1000)
            await server.waitUntilHeld("a")
            #if os(Linux)
            let memory = try ResidentMemory()
            #endif
            server.release("a")
            var bodies: [Data?] = []
            for call in calls { bodies.append(try await call.value) }
            let addresses = bodies.map { $0?.withUnsafeBytes { $0.baseAddress.map { Int(bitPattern: $0) } } }
            #expect(Set(addresses).count == 1)
            #expect(bodies.allSatisfy { $0?.count == size })
            #if os(Linux)
            // A thousand copies would be 10 GB. The server, the transport's buffer and other tests that run at the same
            // time have their part in it, and a sanitizer keeps memory of its own.
            if !isSanitized { #expect(try memory.growth() < 50 * size) }
            #endif
            #expect(server.requests.count == 1)
        }
    }
}
