#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// Statistics of real exchanges, and the lines of their log.
@Suite(.timeLimit(.generous)) struct StatisticsNetworkTests {
    private let statistics = Statistics()
    private let lines = LogLines()
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/ok", .response(body: "hello"))
        server.route("/missing", .response(status: 404, body: "no"))
        server.route("/broken", .response(status: 500))
        server.route("/moved", .redirect(to: "/ok"))
        server.route("/lost", .reset)
        server.route("/held", .hold("gate"), .response(body: "hello"))
    }

    private var origin: String { "http://127.0.0.1:\(server.port)" }

    private func dispatcher(
        _ observers: [any ExchangeObserver] = [],
        _ configure: (inout URLRequestDispatcher.Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        .forTests { configuration in
            configuration.observers = [statistics, lines.observer(from: .warning)] + observers
            configure(&configuration)
        }
    }

    @Test func theNumbersOfManyTasksAddUp() async throws {
        let dispatcher = dispatcher()
        let paths = ["/ok", "/ok", "/missing", "/ok", "/broken", "/ok", "/moved", "/ok", "/lost", "/ok"]
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                group.addTask { [server] in
                    for request in 0..<200 {
                        let path = paths[(task + request) % paths.count]
                        _ = try? await dispatcher.data(from: server.url(path))
                    }
                }
            }
        }
        await dispatcher.shutdown()
        let snapshot = statistics.snapshot()
        let tenth = 64 * 20
        #expect(snapshot.calls.started == 10 * tenth)
        #expect(snapshot.calls.responses == 9 * tenth)
        #expect(snapshot.calls.failures == tenth)
        #expect(snapshot.calls.inProgress == 0)
        let exchanges = try #require(snapshot.origins[origin])
        #expect(snapshot.origins.count == 1)
        #expect(snapshot.other == Statistics.Exchanges())
        #expect(snapshot.total == exchanges)
        #expect(exchanges.started == 11 * tenth)
        #expect([exchanges.inFlight, exchanges.waiting, exchanges.cancelled] as [Int] == [0, 0, 0])
        #expect(
            exchanges.responses == [.success: 7 * tenth, .redirect: tenth, .clientError: tenth, .serverError: tenth]
        )
        #expect(exchanges.failures.values.reduce(0, +) == tenth)
        #expect(exchanges.redirects == tenth)
        #expect(exchanges.duration.count == 11 * tenth)
        #expect(exchanges.queued.count == 11 * tenth)
        #expect(exchanges.firstByte.count == 10 * tenth)
        // One that is sent again over another connection took two.
        #expect(exchanges.openedConnections + exchanges.reusedConnections >= 11 * tenth)
        #expect(exchanges.openedConnections <= server.acceptedConnections)
        // The log has a line for each 500 and for each failure.
        #expect(lines.texts.count { $0.contains(" status=500 ") } == tenth)
        #expect(lines.texts.count { $0.contains(" error=") } == tenth)
        #expect(lines.texts.count == 2 * tenth)
    }

    @Test func theBytesAreThoseOfTheServer() async throws {
        let dispatcher = dispatcher()
        server.route("/large", .response(body: String(repeating: "x", count: 100_000)))
        for _ in 0..<5 { _ = try await dispatcher.data(from: server.url("/large")) }
        var request = URLRequest(url: server.url("/ok"), method: .post)
        request.httpBody = Data(repeating: 7, count: 10_000)
        _ = try await dispatcher.data(for: request)
        await dispatcher.shutdown()
        let exchanges = try #require(statistics.snapshot().origins[origin])
        #expect(exchanges.bytesReceived == server.bytesSent)
        #expect(exchanges.bytesSent > 10_000)
        #expect(exchanges.openedConnections + exchanges.reusedConnections == 6)
        #expect(exchanges.reusedConnections > 3)
    }

    @Test func anExchangeInTheQueueWaits() async throws {
        let queued = EventTally { if case .queued = $0 { true } else { false } }
        let dispatcher = dispatcher([queued]) { $0.connections = ConnectionLimits(perHost: 1, total: 1) }
        let url = server.url("/held")
        async let first = dispatcher.data(from: url)
        await server.waitUntilHeld("gate")
        let second = Task { try await dispatcher.data(from: url) }
        let third = Task { try await dispatcher.data(from: url) }
        await queued.tally.reach(2)
        #expect(statistics.snapshot().origins[origin]?.waiting == 2)
        #expect(statistics.snapshot().origins[origin]?.inFlight == 3)
        third.cancel()
        _ = try? await third.value
        #expect(statistics.snapshot().origins[origin]?.waiting == 1)
        server.release("gate")
        _ = try await (first, second.value)
        let exchanges = try #require(statistics.snapshot().origins[origin])
        #expect([exchanges.waiting, exchanges.inFlight, exchanges.cancelled] as [Int] == [0, 0, 1])
        #expect(exchanges.queued.count == 3)
        #expect(exchanges.queued.sum > .zero)
        #expect([exchanges.openedConnections, exchanges.reusedConnections] as [Int] == [1, 1])
    }

    @Test func aLineOfARealExchange() async throws {
        let all = LogLines()
        let dispatcher = dispatcher([all.observer()])
        for _ in 0..<2 { _ = try await dispatcher.data(from: server.url("/ok?token=42")) }
        await dispatcher.shutdown()
        let pattern = try Regex(
            #"event=exchange call=(\d) exchange=1 method=GET url=http://127\.0\.0\.1:\#(server.port)/ok status=200 "#
                + #"ms=\d+\.\d{3} queued_ms=\d+\.\d{3} first_byte_ms=\d+\.\d{3} in=\d+ out=\d+ http=HTTP/1\.1 connection=(\w+) "#
                + #"remote=127\.0\.0\.1:\#(server.port)"#
        )
        let matches = all.texts.map { $0.wholeMatch(of: pattern) }
        #expect(matches.compactMap { $0?[2].substring.map { String($0) } } == ["new", "reused"], "\(all.texts)")
    }

    @Test func aRefusedConnectionIsAFailure() async throws {
        let port = try RefusingPort()
        _ = try? await dispatcher().data(from: port.url)
        let exchanges = statistics.snapshot().origins["http://127.0.0.1:\(port.port)"]
        #expect(exchanges?.failures == ["cannotConnect": 1])
        #expect(exchanges?.openedConnections == 0)
        #expect(lines.texts.count == 1)
        #expect(lines.texts.first?.contains(" error=cannotConnect message=") == true)
    }
}
#endif
