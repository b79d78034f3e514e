import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

// Ends.
extension HedgingTests {
    @Test func cancellingEndsBoth() async throws {
        let transport = transport { _ in .hang }
        let dispatcher = dispatcher(transport)
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        _ = try await transport.requests(atLeast: 1)
        await move(to: .seconds(1), from: .zero)
        _ = try await transport.requests(atLeast: 2)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        while transport.exchangeCount > 0 { await Task.yield() }
        #expect(clock.deadlines.isEmpty)
    }

    @Test func cancellingBeforeTheDelayEndsTheCall() async throws {
        let transport = transport { _ in .hang }
        let dispatcher = dispatcher(transport)
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        _ = try await transport.requests(atLeast: 1)
        await clock.sleeper(until: .seconds(1))
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        while transport.exchangeCount > 0 { await Task.yield() }
        #expect(transport.requests.count == 1)
        #expect(clock.deadlines.isEmpty)
    }

    @Test func theTotalLimitHoldsForBoth() async throws {
        let transport = transport { _ in .hang }
        let dispatcher = URLRequestDispatcher(
            configuration: .init(options: RequestOptions(timeouts: Timeouts(idle: nil, total: .seconds(3)))),
            interceptors: [Hedging(after: .fixed(.seconds(1)))],
            transport: transport
        )
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        _ = try await transport.requests(atLeast: 1)
        await move(to: .seconds(1), from: .zero)
        _ = try await transport.requests(atLeast: 2)
        clock.advance(by: .seconds(2))
        let error = try await failure { try await call.value }
        #expect(TransportError.Code.timeout(.total) ~= error)
        while transport.exchangeCount > 0 { await Task.yield() }
    }

    @Test func bothAttemptsSeeTheTaskLocalsAndThePriorityOfTheCall() async throws {
        enum Local { @TaskLocal static var value = 0 }
        let seen = Locked<[(Int, TaskPriority)]>([])
        let transport = transport { attempt in
            seen.withLock { $0.append((Local.value, Task.currentPriority)) }
            return attempt == 1 ? .hang : MockAnswer(.ok)
        }
        let dispatcher = dispatcher(transport)
        let call = Task(priority: .utility) {
            try await Local.$value.withValue(7) { try await dispatcher.data(for: Fixture.request) }
        }
        _ = try await transport.requests(atLeast: 1)
        await move(to: .seconds(1), from: .zero)
        // Waiting for the task would raise its priority.
        _ = try await transport.requests(atLeast: 2)
        let early = seen.withLock { $0 }
        #expect(try await call.value.attempts == Self.hedged)
        #expect(seen.withLock { $0.map(\.0) } == [7, 7])
        #expect(early.allSatisfy { $0.1 == .utility })
    }

    @Test func aStormEndsEachCallOnce() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        let transport = ScriptedTransport { request in
            let text = request.urlRequest.url?.path() ?? ""
            for _ in 0..<(text.utf8.reduce(request.attempts.count * 7) { $0 &+ Int($1) } % 40) { await Task.yield() }
            try Task.checkCancellation()
            return .scripted(text.hasSuffix("3") ? 503 : 200, for: request, body: text)
        }
        let budget = RetryBudget(ratio: 1, perSecond: 1000)
        let policies: [any Interceptor] = [Coalescing(), Hedging(after: .fixed(.microseconds(50)), budget: budget)]
        let dispatcher = URLRequestDispatcher(interceptors: policies, transport: transport)
        let faults = await withTaskGroup(of: String?.self) { group in
            for index in 0..<1000 {
                let path = "/\(random.picks(50) ? index : random.below(20))"
                let yields = random.picks(50) ? random.below(60) : nil
                group.addTask {
                    let call = Task {
                        try await dispatcher.data(for: URLRequest(url: Fixture.url("https://example.com\(path)")))
                    }
                    if let yields {
                        for _ in 0..<yields { await Task.yield() }
                        call.cancel()
                    }
                    do {
                        let text = try await call.value.decodeString()
                        return text == path ? nil : "\(path) got \(text)"
                    } catch {
                        return yields != nil && error is CancellationError ? nil : "\(path) failed: \(error)"
                    }
                }
            }
            return await group.reduce(into: [String]()) { if let fault = $1 { $0.append(fault) } }
        }
        #expect(faults == [], "seed \(seed)")
        await transport.idle()
    }
}
