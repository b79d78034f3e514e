#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

/// What observers are told of connections, and how ``Statistics`` count them.
@Suite(.timeLimit(.generous))
struct ObservedConnectionsTests {
    private let recorder = ConnectionRecorder()
    private let statistics = Statistics()
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
        server.route("/close", .response(headers: ["Connection": "close"], body: "bye"))
        server.route("/held", .hold("go"), .response(body: "late"))
    }

    private func dispatcher(
        _ configure: (inout URLRequestDispatcher.Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        .forTests {
            // In this order: what a test waits for is told last.
            $0.observers = [statistics, recorder]
            $0.transport.eventLoops = 1
            configure(&$0)
        }
    }

    private var counts: [Int] {
        let total = statistics.snapshot().total
        return [total.openConnections, total.idleConnections]
    }

    @Test func aConnectionIsIdleBetweenItsExchanges() async throws {
        let dispatcher = dispatcher()
        for _ in 0..<3 { _ = try await dispatcher.data(from: server.url("/")) }
        await recorder.wait(for: 6)
        #expect(recorder.kinds == [.opened, .becameIdle, .becameActive, .becameIdle, .becameActive, .becameIdle])
        #expect(counts == [1, 1])
        let event = try #require(recorder.state.events.first)
        #expect(event.origin == "http://127.0.0.1:\(server.port)")
        #expect(event.connection.remoteAddress == "127.0.0.1:\(server.port)" && !event.connection.isReused)
        #expect(Set(recorder.state.events.map(\.id)).count == 1)
        #expect(Array(statistics.snapshot().origins.keys) == [event.origin])
        await dispatcher.shutdown()
        #expect(recorder.kinds.last == .closed(wasIdle: true) && recorder.kinds.count == 7)
        #expect(counts == [0, 0])
    }

    @Test func aConnectionThatTheServerClosesIsClosed() async throws {
        let dispatcher = dispatcher()
        for _ in 0..<2 { _ = try await dispatcher.data(from: server.url("/close")) }
        await dispatcher.shutdown()
        #expect(recorder.state.events.count { $0.kind == .opened } == 2)
        #expect(recorder.state.open == 0 && recorder.state.violations.isEmpty, "\(recorder.kinds)")
        #expect(counts == [0, 0])
    }

    @Test func anExchangeInProgressKeepsItsConnectionActive() async throws {
        let dispatcher = dispatcher()
        let held = Task { try await dispatcher.data(from: server.url("/held")) }
        await server.waitUntilHeld("go")
        _ = try await dispatcher.data(from: server.url("/"))
        await recorder.wait(for: 3)
        #expect(recorder.state.open == 2 && recorder.state.idle == 1)
        #expect(counts == [2, 1])
        server.release("go")
        _ = try await held.value
        await recorder.wait(for: 4)
        #expect(counts == [2, 2])
        await dispatcher.shutdown()
        #expect(recorder.state.open == 0 && recorder.state.violations.isEmpty)
    }

    @Test func aDispatcherThatIsGoneHasClosedItsConnections() async throws {
        do {
            let dispatcher = dispatcher()
            _ = try await dispatcher.data(from: server.url("/"))
            _ = try await dispatcher.stream(for: URLRequest(url: server.url("/"))).data
        }
        _ = await recorder.observed.wait { !$0.events.isEmpty && $0.open == 0 }
        #expect(recorder.state.violations.isEmpty && counts == [0, 0])
    }

    @Test(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
    func exchangesThatShareAConnectionMakeItIdleOnce() async throws {
        let nginx = try NginxVariant()
        let dispatcher = dispatcher { $0.transport.certificateAuthorityFile = nginx.authority }
        for _ in 0..<3 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask { _ = try await dispatcher.data(from: nginx.url(nginx.http2, "/hello")) }
                }
                try await group.waitForAll()
            }
        }
        await dispatcher.shutdown()
        let state = recorder.state
        #expect(state.open == 0 && state.violations.isEmpty, "\(state.violations)")
        let opened = state.events.count { $0.kind == .opened }
        #expect(opened == Set(nginx.finish().map(\.connection)).count)
        #expect(state.events.first { $0.kind == .opened }?.connection.httpVersion == "HTTP/2")
    }

    @Test func whateverIsCancelledEachConnectionIsClosedOnce() async throws {
        let dispatcher = dispatcher { $0.connections = ConnectionLimits(perHost: 4, total: 4) }
        let failures = await storm(
            rounds(300),
            seed: 11,
            of: dispatcher,
            to: [server.url("/"), server.url("/close"), server.url("/missing")]
        )
        #expect(failures == [])
        await dispatcher.shutdown()
        #expect(recorder.state.open == 0 && recorder.state.violations.isEmpty, "\(recorder.state.violations)")
        #expect(counts == [0, 0])
    }
}
#endif
