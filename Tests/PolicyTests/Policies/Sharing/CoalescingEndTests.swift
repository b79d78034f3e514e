import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// How shared exchanges, and the calls that share them, end: cancellation, deadlines, shutting down.
@Suite(.timeLimit(.generous)) struct CoalescingEndTests {
    private let gate = Gate()
    private let policy = Coalescing()

    private func held() -> ScriptedTransport {
        ScriptedTransport { [gate] request in
            try await gate.wait()
            return .scripted(200, for: request, body: "shared")
        }
    }

    // MARK: Cancellation

    @Test(arguments: [0, 500, 999]) func theExchangeGoesOnWhileOneCallIsLeft(survivor: Int) async throws {
        let transport = held()
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let first = Task { try await dispatcher.data(for: Fixture.request) }
        await policy.waiters(1)
        let calls = [first] + (1..<1000).map { _ in Task { try await dispatcher.data(for: Fixture.request) } }
        await policy.waiters(1000)
        await gate.arrival()
        for (index, call) in calls.enumerated() where index != survivor { call.cancel() }
        for (index, call) in calls.enumerated() where index != survivor {
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        #expect(policy.waiterCount == 1)
        #expect(transport.exchangeCount == 1)
        gate.open()
        #expect(try await calls[survivor].value.decodeString() == "shared")
        #expect(transport.requests.count == 1)
    }

    @Test func theLastCallThatIsCancelledEndsTheExchange() async throws {
        let transport = held()
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let calls = (0..<10).map { _ in Task { try await dispatcher.data(for: Fixture.request) } }
        await policy.waiters(10)
        await gate.arrival()
        for call in calls { call.cancel() }
        for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
        await transport.idle()
        #expect(policy.waiterCount == 0)
        gate.open()
        #expect(try await dispatcher.data(for: Fixture.request).decodeString() == "shared")
        #expect(transport.requests.count == 2)
    }

    @Test func aCancelledCallSendsNothing() async throws {
        let transport = held()
        let chain = InterceptorChain([policy], transport: transport)
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await chain(TransportRequest(Fixture.request))
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(transport.requests.isEmpty)
    }

    @Test func aCallEndsAtOnceWhateverTheExchangeDoes() async throws {
        let waiters = Locked<[CheckedContinuation<Void, Never>]>([])
        let hung = Intercepting(distinguishesCallers: false) { request, next in
            await withCheckedContinuation { waiter in waiters.withLock { $0.append(waiter) } }
            return try await next(request)
        }
        let transport = held()
        let chain = InterceptorChain([policy, hung], transport: transport)
        let call = Task { try await chain(TransportRequest(Fixture.request)) }
        await policy.waiters(1)
        while waiters.withLock({ $0.isEmpty }) { await Task.yield() }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        for waiter in waiters.withLock({ $0 }) { waiter.resume() }
    }

    // MARK: Deadlines

    private static func limited(_ total: Duration?) -> RequestOptions {
        RequestOptions(timeouts: Timeouts(idle: nil, total: total))
    }

    @Test func anEarlierDeadlineOfALaterCallEndsThatCall() async throws {
        let clock = ManualClock()
        let transport = MockTransport(clock: clock) { _ in MockAnswer(.ok, body: "late", after: .seconds(4)) }
        let chain = InterceptorChain([policy], transport: transport)
        var request = TransportRequest(Fixture.request, options: Self.limited(nil))
        let first = Task { [request] in try await chain(request) }
        await clock.sleeper(until: .seconds(4))
        request.deadline = chain.clock.instant.advanced(by: .seconds(1))
        let second = Task { [request] in try await chain(request) }
        await clock.sleeper(until: .seconds(1))
        clock.advance(by: .seconds(1))
        let error = try await failure { try await second.value }
        #expect(TransportError.Code.timeout(.total) ~= error)
        clock.advance(by: .seconds(3))
        #expect(try await first.value.body == Data("late".utf8))
    }

    @Test func theLastDeadlineEndsTheExchange() async throws {
        let clock = ManualClock()
        let transport = MockTransport(clock: clock) { _ in .hang }
        let chain = InterceptorChain([policy], transport: transport)
        let request = TransportRequest(Fixture.request, options: Self.limited(.seconds(3)))
        let calls = (0..<2).map { _ in Task { try await chain(request) } }
        await policy.waiters(2)
        _ = try await transport.requests(atLeast: 1)
        while clock.deadlines.count < 2 { await Task.yield() }
        clock.advance(by: .seconds(3))
        for call in calls {
            let error = try await failure { try await call.value }
            #expect(TransportError.Code.timeout(.total) ~= error)
        }
        while transport.exchangeCount > 0 { await Task.yield() }
        #expect(policy.waiterCount == 0)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-5), .zero])
    func anyLimitCanBeGiven(_ total: Duration) async throws {
        gate.open()
        let chain = InterceptorChain([policy], transport: held())
        let request = TransportRequest(Fixture.request, options: Self.limited(total))
        let response = try? await chain(request)
        #expect((response != nil) == (total > .zero))
    }

    // MARK: Shutting down

    @Test func invalidatingEndsEveryCall() async throws {
        let transport = held()
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let calls = (0..<50).map { _ in Task { try await dispatcher.data(for: Fixture.request) } }
        await policy.waiters(50)
        await dispatcher.shutdown(gracePeriod: .zero)
        for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
        await transport.idle()
        #expect(policy.waiterCount == 0)
    }

    @Test func releasingTheDispatcherEndsEveryCallAndLeavesNothing() async throws {
        weak var released: Coalescing?
        let transport = held()
        let calls: [Task<Response<Data?>, any Error>]
        do {
            let policy = Coalescing()
            released = policy
            let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
            let core = dispatcher.core
            calls = (0..<50).map { _ in Task { try await core.data(for: Fixture.request) } }
            await policy.waiters(50)
            await gate.arrival()
        }
        for call in calls { #expect(TransportError.Code.shutDown ~= (try await failure { try await call.value })) }
        await transport.idle()
        while released != nil { await Task.yield() }
    }

    @Test func shuttingDownGracefullyLetsTheCallsFinish() async throws {
        let transport = held()
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let calls = (0..<50).map { _ in Task { try await dispatcher.data(for: Fixture.request) } }
        await policy.waiters(50)
        let shutdown = Task { await dispatcher.shutdown() }
        gate.open()
        for call in calls { #expect(try await call.value.decodeString() == "shared") }
        await shutdown.value
    }

    // MARK: All at once

    /// 1,000 calls in flight that join, are cancelled, and write, at random.
    @Test func aStormEndsEachCallOnce() async throws {
        for _ in 0..<20 {
            let seed = UInt64.random(in: 0 ... .max)
            var random = SeededRandom(seed: seed)
            let transport = ScriptedTransport { request in
                let text = request.urlRequest.url?.path() ?? ""
                for _ in 0..<(text.utf8.reduce(0) { $0 &+ Int($1) } % 40) { await Task.yield() }
                try Task.checkCancellation()
                return .scripted(200, for: request, body: text)
            }
            let policy = Coalescing()
            let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
            let faults = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<1000 {
                    let path = "/\(random.below(20))"
                    let isWrite = random.picks(2)
                    let yields = random.picks(50) ? random.below(60) : nil
                    group.addTask {
                        let url = Fixture.url("https://example.com\(path)")
                        let call = Task { try await dispatcher.data(for: URLRequest(isWrite ? "POST" : "GET", url)) }
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
            #expect(policy.waiterCount == 0)
            await transport.idle()
            #expect(transport.requests.count < 1000)
        }
    }
}
