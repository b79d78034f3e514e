import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// Ten thousand requests, fewer under a sanitizer, that meet an expired token.
@Suite(.timeLimit(.generous)) struct AuthenticationStormTests {
    /// Longer than any machine takes: these tests are about other ends of a refresh.
    private static let noLimit = Duration.seconds(100_000)
    private static let count = rounds(10_000)
    private let service = TokenService()

    /// Runs calls, so many at once, and counts how they end.
    private func run(
        _ count: Int = count,
        width: Int,
        _ call: @escaping @Sendable (Int) async throws -> String
    ) async -> [String: Int] {
        await withTaskGroup(of: String.self) { group in
            var ends: [String: Int] = [:]
            var next = 0
            while next < min(width, count) {
                let number = next
                group.addTask { await Self.end { try await call(number) } }
                next += 1
            }
            for await end in group {
                ends[end, default: 0] += 1
                guard next < count else { continue }
                let number = next
                group.addTask { await Self.end { try await call(number) } }
                next += 1
            }
            return ends
        }
    }

    private static func end(_ call: () async throws -> String) async -> String {
        do { return try await call() } catch let error as AuthenticationError { return "\(error.code)" } catch {
            return "\(type(of: error))"
        }
    }

    private func status(_ dispatcher: MockURLRequestDispatcher, _ url: URL = TokenService.url) async throws -> String {
        "\(try await dispatcher.data(from: url).statusCode.rawValue)"
    }

    private func leaked(_ dispatcher: MockURLRequestDispatcher) -> Int {
        dispatcher.transport.requests.count { $0.url.host() != "a.example" && $0["Authorization"] != nil }
    }

    @Test(arguments: [64, count]) func oneRefreshServesAll(_ width: Int) async throws {
        let dispatcher = service.dispatcher(try service.policy(limit: Self.noLimit))
        let ends = await run(width: width) { _ in try await status(dispatcher) }
        #expect(ends == ["200": Self.count])
        #expect(service.refreshes.count == 1)
        let sent = dispatcher.transport.requests.map { $0["Authorization"] ?? "-" }
        let old = sent.count { $0 == "Bearer token0" }
        #expect(old <= width)
        #expect(sent.count { $0 == "Bearer token1" } == Self.count)
        #expect(sent.count == Self.count + old)
    }

    /// All arrive before the refresh fails, so there is one failure for all.
    @Test func oneFailureFailsAllThatWait() async throws {
        let gate = Gate()
        let policy = try service.policy(nil, limit: Self.noLimit) { _ in
            try await gate.wait()
            throw TokenService.Down()
        }
        let dispatcher = service.dispatcher(policy)
        async let ends = run(width: Self.count) { _ in try await status(dispatcher) }
        await policy.waiters(Self.count)
        gate.open()
        #expect(await ends == ["Down": Self.count])
        #expect(service.refreshes.count == 1)
        #expect(dispatcher.transport.requests.isEmpty)
    }

    /// Each request begins at most one refresh, and there is never more than one at once.
    @Test func refreshesThatFailAreBounded() async throws {
        let running = Locked((now: 0, most: 0))
        let policy = try service.policy(limit: Self.noLimit) { _ in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            // All 64 requests in flight come to wait meanwhile.
            for _ in 0..<200 { await Task.yield() }
            running.withLock { $0.now -= 1 }
            throw TokenService.Down()
        }
        let dispatcher = service.dispatcher(policy)
        let ends = await run(width: 64) { _ in try await status(dispatcher) }
        #expect(ends == ["Down": Self.count])
        #expect(running.withLock { $0.most } == 1)
        #expect(service.refreshes.count <= Self.count)
        // Only the first requests were sent; each one once.
        #expect(dispatcher.transport.requests.count <= 64)
    }

    /// 64 at once, in lockstep: each generation of callers shares one failure.
    @Test func callersThatComeTogetherShareOneFailure() async throws {
        let gates = (0..<4).map { _ in Gate() }
        let service = service
        let policy = try service.policy(nil, limit: Self.noLimit) { _ in
            try await gates[service.refreshes.count - 1].wait()
            throw TokenService.Down()
        }
        let dispatcher = service.dispatcher(policy)
        for gate in gates {
            async let ends = run(2500, width: 2500) { _ in try await status(dispatcher) }
            await policy.waiters(2500)
            gate.open()
            #expect(await ends == ["Down": 2500])
        }
        #expect(service.refreshes.count == 4)
    }

    @Test func aRefreshThatHangsEndsAtItsLimit() async throws {
        let clock = ManualClock()
        let hang = Gate()
        let policy = try service.policy { _ in try await hang.wait() }
        let dispatcher = service.dispatcher(policy, clock: clock)
        async let ends = run(width: Self.count) { _ in try await status(dispatcher) }
        await policy.waiters(Self.count)
        await clock.sleeper(until: .seconds(30))
        clock.advance(by: .seconds(30))
        #expect(await ends == ["refreshTimedOut": Self.count])
        #expect(service.refreshes.count == 1)
    }

    @Test func cancelledWaitersEndAndTheOthersGoOn() async throws {
        let gate = Gate()
        let policy = try service.policy(limit: Self.noLimit) { _ in try await gate.wait() }
        let dispatcher = service.dispatcher(policy)
        let url = TokenService.url
        var random = SeededRandom(seed: 14)
        let calls = (0..<Self.count).map { _ in Task { try await dispatcher.data(from: url).statusCode } }
        let chosen = Set((0..<Self.count).filter { _ in random.picks(50) })
        // Some before they are sent, some while they wait, some while the refresh ends.
        for index in chosen where index % 3 == 0 { calls[index].cancel() }
        await gate.arrival()
        for index in chosen where index % 3 == 1 { calls[index].cancel() }
        gate.open()
        for index in chosen where index % 3 == 2 { calls[index].cancel() }
        var ends: [String: Int] = [:]
        for (index, call) in calls.enumerated() {
            let end = await Self.end { "\(try await call.value.rawValue)" }
            ends[end, default: 0] += 1
            if !chosen.contains(index) { #expect(end == "200") }
        }
        #expect((ends["200"] ?? 0) + (ends["CancellationError"] ?? 0) == Self.count)
        #expect((ends["200"] ?? 0) >= Self.count - chosen.count)
        #expect(service.refreshes.count == 1)
        #expect(policy.state.withLock { $0.machine.waiterCount } == 0)
        #expect(dispatcher.transport.exchangeCount == 0)
    }

    @Test func foreignOriginsInBetweenGetNoToken() async throws {
        let service = service
        let transport = MockTransport { request in
            switch request.path {
            case "/away": MockAnswer(.temporaryRedirect, headers: ["Location": "https://b.example/page"])
            case "/home": MockAnswer(.temporaryRedirect, headers: ["Location": "https://a.example/page"])
            default: service.answer(request)
            }
        }
        let policy = try service.policy(limit: Self.noLimit)
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [policy])
        let urls = [
            TokenService.url, TokenService.foreign, Fixture.url("https://a.example/away"),
            Fixture.url("https://b.example/home"),
        ]
        let ends = await run(width: 64) { number in "\(number % 4) \(try await status(dispatcher, urls[number % 4]))" }
        let share = Self.count / urls.count
        #expect(ends == ["0 200": share, "1 401": share, "2 401": share, "3 200": share])
        #expect(service.refreshes.count == 1)
        #expect(leaked(dispatcher) == 0)
        #expect(transport.requests.contains { $0.url.host() == "b.example" })
    }
}
