import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

/// Interceptors that run on the thread of their caller.
@Suite(.timeLimit(.generous)) struct CallerDriverTests {
    /// Lives as long as the task that has it.
    private final class Token: Sendable {
        private let ended: Tally

        init(_ made: Tally, _ ended: Tally) {
            self.ended = ended
            made.add()
        }

        deinit { ended.add() }
    }

    private actor Counter {
        private(set) var count = 0

        func add() { count += 1 }
    }

    private static func dispatcher(
        _ body: @escaping @Sendable (TransportRequest, InterceptorChain) async throws -> TransportResponse
    ) -> URLRequestDispatcher {
        URLRequestDispatcher(
            interceptors: [Intercepting(body)],
            transport: ScriptedTransport { .scripted(200, for: $0, body: "a") }
        )
    }

    /// The identity of the current thread; the caller must not suspend between two uses.
    private static var thread: Int {
        #if canImport(Darwin)
        pthread_self().hashValue
        #else
        Int(bitPattern: UInt(pthread_self()))
        #endif
    }

    // MARK: The caller's thread

    @Test func theCallerRunsTheTaskUntilItSuspends() async {
        let driver = CallerDriver()
        let (seen, caller) = (Locked(0), Self.thread)
        _ = driver.begin(for: nil) {
            seen.withLock { $0 = Self.thread }
            driver.conclude(.failure(CancellationError()))
        }
        #expect(seen.withLock { $0 } == 0)
        _ = await driver.outcome()
        #expect(seen.withLock { $0 } == caller)
    }

    @Test @MainActor func theThreadOfAnActorIsNotForInterceptors() async throws {
        let isOnMainThread = Locked<[Bool]>([])
        let dispatcher = Self.dispatcher { request, next in
            isOnMainThread.withLock { $0.append(DispatchQueue.isMain) }
            defer { isOnMainThread.withLock { $0.append(DispatchQueue.isMain) } }
            return try await next(request)
        }
        #expect(try await dispatcher.data(for: Fixture.request).statusCode == .ok)
        #expect(isOnMainThread.withLock { $0 } == [false, false])
    }

    // MARK: What interceptors do

    @Test func childTasksCanWaitForEachOther() async throws {
        let dispatcher = Self.dispatcher { request, next in
            let (first, second) = (Tally(), Tally())
            return try await withThrowingTaskGroup(of: TransportResponse?.self) { group in
                group.addTask {
                    await second.reach(1)
                    first.add()
                    return try await next(request)
                }
                group.addTask {
                    second.add()
                    await first.reach(1)
                    return nil
                }
                for _ in 0..<50 {
                    group.addTask {
                        await Task.yield()
                        return nil
                    }
                }
                var response: TransportResponse?
                for try await result in group { response = result ?? response }
                return try #require(response)
            }
        }
        #expect(try await dispatcher.data(for: Fixture.request).statusCode == .ok)
    }

    @Test func anInterceptorCanVisitActors() async throws {
        let counter = Counter()
        let dispatcher = Self.dispatcher { request, next in
            await counter.add()
            await MainActor.run {}
            async let isAdded: Void = counter.add()
            let response = try await next(request)
            await isAdded
            await counter.add()
            return response
        }
        // Calls at the same time contend for the actor.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await dispatcher.data(for: Fixture.request) } }
            try await group.waitForAll()
        }
        #expect(await counter.count == 60)
    }

    @Test func anInterceptorCanMakeCallsOfItsOwn() async throws {
        let inner = Self.dispatcher { try await $1($0) }
        let outer = Self.dispatcher { request, next in
            _ = try await inner.data(for: Fixture.request)
            async let other = inner.data(for: Fixture.request)
            let response = try await next(request)
            #expect(try await other.statusCode == .ok)
            return response
        }
        #expect(try await outer.data(for: Fixture.request).statusCode == .ok)
    }

    @Test func anInterceptorThatYieldsLetsOtherTasksRun() async throws {
        // More calls than the pool has threads.
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount
        let (arrived, isDone) = (Tally(), Tally())
        let dispatcher = Self.dispatcher { request, next in
            arrived.add()
            while isDone.count == 0 { await Task.yield() }
            return try await next(request)
        }
        let calls = (0..<count).map { _ in Task { try await dispatcher.data(for: Fixture.request) } }
        await arrived.reach(count)
        await Task { isDone.add() }.value
        for call in calls { #expect(try await call.value.statusCode == .ok) }
    }

    @Test func policiesThatRunNoCodeOfUsersNeedNoTask() {
        func isPrompt(_ interceptor: any Interceptor) -> Bool {
            (interceptor as? any PromptInterceptor)?.isPrompt ?? false
        }
        let policies: [any Interceptor] = [
            RetryPolicy(), RateLimit(1), ConcurrencyLimit(1), CircuitBreaker(), Hedging(), Validation.success,
        ]
        for policy in policies { #expect(isPrompt(policy), "\(policy)") }
        #expect(!isPrompt(ConcurrencyLimit(1) { _ in .high }))
        #expect(!isPrompt(CircuitBreaker(classify: { _ in .success })))
        #expect(!isPrompt(CircuitBreaker(onStateChange: { _ in })))
        #expect(!isPrompt(Hedging { _ in nil }))
        let scope = LimitScope.key { _ in nil }
        let scoped: [any Interceptor] = [
            RateLimit(1, scope: scope), ConcurrencyLimit(1, scope: scope), CircuitBreaker(scope: scope),
        ]
        for policy in scoped { #expect(!isPrompt(policy), "\(policy)") }
    }

    // MARK: Ends

    @Test func anInterceptorMayIgnoreACancellation() async throws {
        let (gate, release) = (Gate(), Tally())
        let dispatcher = Self.dispatcher { request, _ in
            // Ends with the cancellation, which the interceptor ignores.
            try? await gate.wait()
            await release.reach(1)
            return .scripted(Task.isCancelled ? 202 : 200, for: request)
        }
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await gate.arrival()
        call.cancel()
        release.add()
        #expect(try await call.value.statusCode == .accepted)
    }

    @Test func theTaskOfACancelledCallerIsCancelledFromItsFirstJob() async {
        let (driver, isCancelled) = (CallerDriver(), Locked(false))
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let task = driver.begin(for: nil) {
                isCancelled.withLock { $0 = Task.isCancelled }
                driver.conclude(nil)
            }
            _ = await withTaskCancellationHandler {
                await driver.outcome()
            } onCancel: {
                task.cancel()
            }
        }.value
        #expect(isCancelled.withLock { $0 })
    }

    @Test(arguments: [true, false]) func thePoolRunsWhatTheCallerLeaves(isInvalidated: Bool) async throws {
        let (reached, released, ended, counter) = (Tally(), Tally(), Tally(), Counter())
        let dispatcher = Self.dispatcher { request, _ in
            reached.add()
            await released.reach(1)
            // All that needs another job.
            await withTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        await Task.yield()
                        await counter.add()
                    }
                }
            }
            await MainActor.run {}
            #expect(await counter.count == 20)
            ended.add()
            return .scripted(200, for: request)
        }
        let options = RequestOptions(timeouts: Timeouts(total: isInvalidated ? nil : .milliseconds(1)))
        let call = Task { try await dispatcher.data(for: Fixture.request, options: options) }
        if isInvalidated {
            await reached.reach(1)
            dispatcher.invalidateAndCancel()
        }
        let error = try await failure { try await call.value }
        #expect(isInvalidated ? error is CancellationError : TransportError.Code.timeout(.total) ~= error)
        released.add()
        await ended.reach(1)
    }

    @Test func aStormOfCancellationsLeavesNothing() async throws {
        let (made, ended, counter) = (Tally(), Tally(), Counter())
        weak var core: DispatcherCore?
        do {
            let dispatcher = Self.dispatcher { request, next in
                let token = Token(made, ended)
                defer { withExtendedLifetime(token) {} }
                await counter.add()
                async let isAdded: Void = counter.add()
                await Task.yield()
                let response = try await next(request)
                await isAdded
                return response
            }
            core = dispatcher.core
            let failures = await storm(1000, seed: 7, of: dispatcher, to: [Fixture.url])
            #expect(failures == [])
            await dispatcher.shutdown()
        }
        // The tasks end shortly after their outcome.
        await until { ended.count == made.count && core == nil }
        #expect(made.count > 0)
    }

    @Test func nothingKeepsADriverThatIsOver() async {
        weak var driver: CallerDriver?
        do {
            let made = CallerDriver()
            driver = made
            let task = made.begin(for: nil) {
                await Task.yield()
                made.conclude(.failure(CancellationError()))
            }
            _ = await made.outcome()
            await task.value
        }
        await until { driver == nil }
    }
}
