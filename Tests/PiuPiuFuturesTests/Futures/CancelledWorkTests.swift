import PiuPiuAsync
import PiuPiuFutures
import TestSupport
import Testing

/// What becomes of work whose chain was cancelled a moment before, and of what work leaves behind.
@Suite(.timeLimit(.generous)) struct CancelledWorkTests {
    /// A future that a chain comes to.
    enum Next: CaseIterable, Sendable {
        case operation, action, chain, join, children

        func future(_ runs: Tally) -> ResponseFuture<Int> {
            let operation = ResponseFuture<Int> { () async in
                runs.add()
                return 1
            }
            switch self {
            case .operation: return operation
            case .action:
                return ResponseFuture<Int> { future in
                    runs.add()
                    future.succeed(with: 1)
                }
            case .chain: return operation.then { $0 + 1 }.then { $0 + 1 }
            case .join: return operation.parallelJoin(Int.self) { operation.then { $0 + 1 } }.then { $0.0 + $0.1 }
            case .children: return ResponseFuture<[Int]>(childFutures: [operation, operation]).then { $0.count }
            }
        }
    }

    // Rule 3
    @Test(arguments: Next.allCases) func whatIsCancelledBetweenTwoFuturesDoesNotBeginTheNext(_ next: Next) async {
        let runs = Tally()
        let (events, nextEvents) = (FutureEvents(), FutureEvents())
        let second = nextEvents.record(next.future(runs))
        let whole = Locked<ResponseFuture<Int>?>(nil)
        // The first has ended, and nothing waits for the second yet.
        let outer = events.record(
            ResponseFuture(result: 1).replace(Int.self) { _ in
                let outer = whole.withLock { whole in
                    defer { whole = nil }
                    return whole
                }
                outer?.cancel()
                return second
            }
        )
        whole.withLock { $0 = outer }
        outer.send()
        await events.completions()
        await nextEvents.completions()
        #expect(events.all == ["cancellation", "completion"])
        #expect(nextEvents.all == ["cancellation", "completion"])
        #expect(second.status == .cancelled)
        #expect(runs.count == 0)
    }

    @Test func aLinkThatCancelsItsChainIsTheLastToRun() async {
        for isOnAQueue in [false, true] {
            let runs = Tally()
            let events = FutureEvents()
            let whole = Locked<ResponseFuture<Int>?>(nil)
            let cancelling: @Sendable (Int) -> Int = { value in
                let outer = whole.withLock { whole in
                    defer { whole = nil }
                    return whole
                }
                outer?.cancel()
                return value
            }
            let one = ResponseFuture(result: 1)
            let first = isOnAQueue ? one.then(on: .global(), cancelling) : one.then(cancelling)
            let outer = events.record(
                first.then { value -> Int in
                    runs.add()
                    return value
                }
                .thenResult(Int.self) { result in
                    runs.add()
                    return try result.get()
                }
            )
            whole.withLock { $0 = outer }
            outer.send()
            await events.completions()
            await #expect(throws: CancellationError.self) { try await first.fetchResult() }
            #expect(events.all == ["cancellation", "completion"])
            #expect(runs.count == 0)
        }
    }

    /// The work runs in a task that is cancelled, and the future does not know of it yet, as for a moment when another
    /// thread cancels.
    @Test func anyErrorOfACancelledTaskIsACancellation() async {
        @Sendable func one() async -> Int {
            withUnsafeCurrentTask { $0?.cancel() }
            return 1
        }
        @Sendable func fail() async throws -> Int {
            _ = await one()
            throw Failure(number: 3)
        }
        let futures: [ResponseFuture<Int>] = [
            ResponseFuture { try await fail() },
            ResponseFuture { try await fail() }.then { $0 + 1 },
            ResponseFuture { try await fail() }.safeResult().then { _ in 1 },
            ResponseFuture { await one() }.then { _ in throw Failure(number: 3) },
            ResponseFuture { await one() }.then { $0 + 1 }.thenResult(Int.self) { _ in throw Failure(number: 3) },
            ResponseFuture { await one() }.then(on: .global()) { _ in throw Failure(number: 3) },
            ResponseFuture(result: 1).parallelJoin(Int.self) { ResponseFuture { try await fail() } }.then { $0.0 },
        ]
        for future in futures {
            #expect(await FutureEvents.all(of: future) == ["cancellation", "completion"])
            #expect(future.status == .cancelled)
        }
    }

    // Rule 1: the end releases everything, not only that of the whole chain.
    @Test func whatHasEndedIsLetGoOfWhileTheChainGoesOn() async {
        let lives = Lives()
        let work = HangingWork()
        let events = FutureEvents()
        let chain = events.record(
            ResponseFuture(result: 1)
                .replace(Int.self) { _ in ResponseFuture { () async in lives.token() }.then { _ in 2 } }
                .replace(Int.self) { _ in work.future() }
        )
        chain.send()
        await work.starts.reach(1)
        #expect(lives.endedCount == 1)
        work.gate.open()
        await events.completions()
        #expect(events.all == ["success 7", "completion"])
    }
}
