import PiuPiuAsync
import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// Cancelling chains that begin on the main thread, in every state.
@Suite(.timeLimit(.generous)) struct MainThreadCancellationTests {
    /// A future whose action never ends it.
    private static func endless(_ lives: Lives) -> ResponseFuture<Int> {
        let token = lives.token()
        return ResponseFuture<Int> { _ in _ = token }
    }

    private static func nested(_ count: Int, _ make: () -> ResponseFuture<Int>) -> ResponseFuture<Int> {
        (0..<count).reduce(make()) { future, _ in
            let right = make()
            return future.parallelJoin(Int.self) { right }.then { $0.0 + $0.1 }
        }
    }

    @Test func cancellingInsideSendBeginsNoWorkOfATask() async throws {
        for _ in 0..<rounds(2000) {
            let lives = Lives()
            let starts = Tally()
            let events = FutureEvents()
            await MainActor.run {
                let token = lives.token()
                let work = ResponseFuture<Int> { () async in
                    _ = token
                    starts.add()
                    return 1
                }
                let last = ResponseFuture<Int> { $0.cancel() }
                events.record(work.parallelJoin(Int.self) { last }, token: lives.token()).send()
            }
            await events.completions()
            await lives.end()
            #expect(events.all == ["cancellation", "completion"])
            #expect(starts.count == 0)
        }
    }

    @Test func cancellingAfterSendCancelsWhatHasBegun() async throws {
        var lateCount = 0
        for _ in 0..<rounds(100) {
            let lives = Lives()
            let events = FutureEvents()
            let isLate = await MainActor.run {
                let left = Self.endless(lives)
                let inner = Self.endless(lives)
                let right = inner.then { $0 }.parallelJoin(Int.self) { Self.endless(lives) }.then { $0.0 }
                let chain = left.parallelJoin(Int.self) { events.record(right, "right ") }
                events.record(chain, "chain ").send()
                chain.cancel()
                return [left, inner].contains { $0.status != .cancelled }
            }
            await events.completions(of: 2)
            let expected = ["right cancellation", "right completion", "chain cancellation", "chain completion"]
            #expect(Set(events.all) == Set(expected))
            if isLate || events.all != expected { lateCount += 1 }
            await lives.end()
        }
        // The task, which has just begun on another thread, may do a part of it at the same time.
        #expect(lateCount < rounds(100))
    }

    @Test func aDeepTreeOfJoinsIsCancelledAfterSend() async throws {
        let lives = Lives()
        let events = FutureEvents()
        await MainActor.run {
            let tree = Self.nested(3000) { Self.endless(lives) }
            let chain = events.record(tree, token: lives.token())
            chain.send()
            chain.cancel()
        }
        await events.completions()
        #expect(events.all == ["cancellation", "completion"])
        await lives.end()
    }

    @Test func cancellingElsewhereDuringSendEndsEverything() async throws {
        for turns in 0..<rounds(1000) {
            let lives = Lives()
            let events = FutureEvents()
            do {
                let count = turns % 5
                let chain = events.record(
                    Self.nested(count) {
                        let token = lives.token()
                        return turns % 2 == 0
                            ? ResponseFuture<Int> { _ in _ = token }
                            : ResponseFuture<Int> { () async throws in
                                _ = token
                                try await Task.sleep(for: .seconds(1000))
                                return 1
                            }
                    },
                    token: lives.token()
                )
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await MainActor.run { chain.send() } }
                    group.addTask {
                        for _ in 0..<(turns / 5) % 7 { await Task.yield() }
                        chain.cancel()
                    }
                }
            }
            await events.completions()
            #expect(events.all == ["cancellation", "completion"])
            await lives.end()
        }
    }

    @Test func aBusyActorIsNotWaitedForByWhatWasCancelled() async throws {
        actor Busy {
            let calls = Tally()
            func future(_ kind: Int, _ token: LifeToken) -> ResponseFuture<Int> {
                switch kind {
                case 0:
                    ResponseFuture<Int> { future in
                        self.assertIsolated()
                        _ = token
                        self.calls.add()
                        future.succeed(with: 1)
                    }
                case 1:
                    ResponseFuture(result: 1).thenResult(Int.self) { _ in
                        self.assertIsolated()
                        _ = token
                        self.calls.add()
                        return 1
                    }
                default:
                    ResponseFuture(result: 1).replace(Int.self) { _ in
                        self.assertIsolated()
                        _ = token
                        self.calls.add()
                        return ResponseFuture(result: 1)
                    }
                }
            }
            func block(_ semaphore: DispatchSemaphore, _ started: Tally) {
                started.add()
                Self.wait(semaphore)
            }
            private static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }
        }
        for isFromMain in [false, true] {
            for kind in 0..<3 {
                for isJoined in [false, true] {
                    let lives = Lives()
                    let events = FutureEvents()
                    let busy = Busy()
                    do {
                        let inner = await busy.future(kind, lives.token())
                        let future =
                            isJoined ? inner.parallelJoin(Int.self) { ResponseFuture(result: 2) }.then { $0.0 } : inner
                        let semaphore = DispatchSemaphore(value: 0)
                        let started = Tally()
                        let blocker = Task { await busy.block(semaphore, started) }
                        await started.reach(1)
                        _ = events.record(future, token: lives.token())
                        if isFromMain { await MainActor.run { future.send() } } else { future.send() }
                        for _ in 0..<10 { await Task.yield() }
                        future.cancel()
                        await events.completions()
                        #expect(events.all == ["cancellation", "completion"])
                        semaphore.signal()
                        await blocker.value
                    }
                    await lives.end()
                    #expect(busy.calls.count == 0)
                }
            }
        }
    }
}
