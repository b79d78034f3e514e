import PiuPiuAsync
import PiuPiuFutures
import TestSupport
import Testing

@Suite(.timeLimit(.generous)) struct FetchResultTests {
    // K6, B44, rule 4
    @Test func theResultCanBeFetchedAgain() async throws {
        let value = ResponseFuture<Int> { () async in 1 }
        let failing = ResponseFuture<Int> { () async throws in throw Failure(number: 2) }
        let cancelled = ResponseFuture<Int> { $0.cancel() }
        for _ in 0..<3 {
            #expect(try await value.fetchResult() == 1)
            await #expect(throws: Failure(number: 2)) { try await failing.fetchResult() }
            await #expect(throws: CancellationError.self) { try await cancelled.fetchResult() }
        }
    }

    @Test func manyFetchAtTheSameTime() async throws {
        let work = HangingWork()
        let future = work.future()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await future.fetchResult() } }
            await work.starts.reach(1)
            work.gate.open()
            for try await value in group { #expect(value == 7) }
        }
        #expect(work.starts.count == 1)
    }

    // K6, B14, rule 4
    @Test func fetchingDoesNotStealHandlers() async throws {
        let events = FutureEvents()
        #expect(try await events.record(ResponseFuture(result: 1)).fetchResult() == 1)
        await events.completions()
        #expect(events.all == ["success 1", "completion"])
    }

    // K6, B42, rule 4
    @Test func cancellingTheFutureThrows() async {
        let work = HangingWork()
        let future = work.future()
        let fetch = Task { try await future.fetchResult() }
        await work.starts.reach(1)
        future.cancel()
        await #expect(throws: CancellationError.self) { try await fetch.value }
        await #expect(throws: CancellationError.self) {
            try await ResponseFuture(result: 1).replace(Int.self) { _ in nil }.fetchResult()
        }
    }

    // K6, B43, rule 4
    @Test func cancellingTheTaskCancelsTheFuture() async {
        let events = FutureEvents()
        let work = HangingWork()
        let future = events.record(work.future())
        let fetch = Task { try await future.then { $0 + 1 }.fetchResult() }
        await work.starts.reach(1)
        fetch.cancel()
        await #expect(throws: CancellationError.self) { try await fetch.value }
        await work.cancels.reach(1)
        await events.completions()
        #expect(events.all == ["cancellation", "completion"])
    }

    @Test func aTaskThatIsCancelledAlreadyBeginsNothing() async throws {
        let work = HangingWork()
        let finished = ResponseFuture(result: 1)
        finished.send()
        let gate = Gate()
        let fetch = Task {
            try? await gate.wait()
            #expect(try await finished.fetchResult() == 1)
            return try await work.future().fetchResult()
        }
        fetch.cancel()
        await #expect(throws: CancellationError.self) { try await fetch.value }
        #expect(work.starts.count == 0)
    }

    // MARK: Without the main actor

    /// Keeps the main actor busy until something has happened elsewhere.
    @MainActor private static func block(until semaphore: DispatchSemaphore) -> Bool {
        semaphore.wait(timeout: .now() + 600) == .success
    }

    // K8, B45, rule 5
    @Test func chainsEndWhileTheMainActorIsBlocked() async throws {
        let semaphore = DispatchSemaphore(value: 0)
        let isBlocked = Gate()
        let results = Task.detached {
            defer { semaphore.signal() }
            try await isBlocked.wait()
            let events = FutureEvents()
            let future = ResponseFuture<Int> { future in Task.detached { future.succeed(with: 1) } }
            let chain = events.record(future).then { $0 + 1 }.then(on: .global()) { $0 + 1 }
                .parallelJoin(Int.self) { ResponseFuture { () async in 5 } }
            let all = ResponseFuture<[Int]>(childFutures: [ResponseFuture(result: 1), chain.then { $0.0 + $0.1 }])
            let failing = chain.then { _ -> Int in throw Failure(number: 4) }.safeResult()
            let fulfilled = ResponseFuture<[Int]> { all.fulfill($0) }
            _ = try await failing.fetchResult()
            return (try await fulfilled.fetchResult(), events.all)
        }
        let wasReleased = await Task { @MainActor in
            isBlocked.open()
            return Self.block(until: semaphore)
        }.value
        #expect(wasReleased)
        let (values, events) = try await results.value
        #expect(values == [1, 8])
        #expect(events.isEmpty)
    }

    /// Work begins on the thread that waits for it, which must not add to its stack each time.
    @Test func futuresInsideOfFuturesNeedNoStack() async throws {
        @Sendable func nested(_ depth: Int) -> ResponseFuture<Int> {
            ResponseFuture { depth == 0 ? 0 : try await nested(depth - 1).fetchResult() + 1 }
        }
        #expect(try await nested(10_000).fetchResult() == 10_000)
    }

    @Test func workBeginsOnTheThreadThatWaitsForIt() async throws {
        @Sendable func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
        let isOnSameThread = try await Task.detached {
            let waiting = thread()
            return try await ResponseFuture { () async in thread() == waiting }.fetchResult()
        }.value
        #expect(isOnSameThread)
    }

    @Test func workGoesOnAfterItWaited() async throws {
        let values = try await Task.detached {
            try await ResponseFuture { () async throws in
                await Task.yield()
                let inner = try await ResponseFuture { () async in
                    await Task.yield()
                    return 1
                }.fetchResult()
                async let child = inner + 1
                return [inner, await child, await Task { inner + 2 }.value]
            }.fetchResult()
        }.value
        #expect(values == [1, 2, 3])
    }

    @Test func immediateTasksInsideOfFuturesNeedNoStack() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        @Sendable func nested(_ depth: Int) -> ResponseFuture<Int> {
            ResponseFuture {
                depth == 0 ? 0 : try await Task.immediate { try await nested(depth - 1).fetchResult() }.value + 1
            }
        }
        let depth = rounds(10_000)
        #expect(try await Task.detached { try await nested(depth).fetchResult() }.value == depth)
    }

    @MainActor @Test func workIsNotDoneOnTheMainThreadOfWhoWaits() async throws {
        let future = ResponseFuture { () async in Thread.isMainThread }.then { $0 || Thread.isMainThread }
        #expect(try await future.fetchResult() == false)
    }

    @MainActor @Test func workIsNotDoneOnTheMainThreadOfAnImmediateTask() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let future = ResponseFuture { () async in DispatchQueue.isMain }.then { $0 || DispatchQueue.isMain }
        // Nothing says that it runs on the main thread.
        @Sendable nonisolated func fetch() -> Task<Bool, any Error> {
            Task.immediate { try await future.fetchResult() }
        }
        #expect(try await fetch().value == false)
    }

    /// The work may run on the thread that waits for it; it is bounded, as it takes a thread from other tests.
    @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
    func workThatNeverWaitsIsCancelled(byTheTask: Bool, inALink: Bool) async {
        let cancel = Locked<(@Sendable () -> Void)?>(nil)
        @Sendable func spin() throws -> Int {
            // From a thread that nothing else waits for.
            Thread.detachNewThread { cancel.withLock { $0 }?() }
            let start = ContinuousClock.now
            // What cancels has a thread of its own; the limit is for a cancel that is lost.
            while !Task.isCancelled, start.duration(to: .now) < .seconds(120) {}
            guard Task.isCancelled else { return 0 }
            throw CancellationError()
        }
        let future =
            inALink
            ? ResponseFuture(result: 1).then { _ in try spin() } : ResponseFuture { () async throws in try spin() }
        let waiting = Task.detached {
            while cancel.withLock({ $0 == nil }) { await Task.yield() }
            return try await future.fetchResult()
        }
        cancel.withLock { $0 = { byTheTask ? waiting.cancel() : future.cancel() } }
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func aFutureThatFulfillsItselfEndsAndTells() async throws {
        let future = ResponseFuture<Int> { _ in }
        future.fulfill(future)
        future.update(with: TransferTask(progress: TransferProgress(direction: .receiving)))
        future.succeed(with: 1)
        #expect(try await future.fetchResult() == 1)
    }
}
