import PiuPiuAsync
import PiuPiuFutures
import TestSupport
import Testing

@Suite(.timeLimit(.generous), .serialized) struct LongChainTests {
    private let lives = Lives()

    private static func chain(_ length: Int, of future: ResponseFuture<Int>) -> ResponseFuture<Int> {
        (0..<length).reduce(future) { future, _ in future.then { $0 + 1 } }
    }

    /// Runs a closure on a thread with little room for nested calls.
    private static func onASmallStack(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                body()
                continuation.resume()
            }
            thread.stackSize = 256 * 1024
            thread.start()
        }
    }

    @Test func aLongChainIsLetGoOfUnsent() async {
        await Self.onASmallStack {
            for ends in 0..<3 {
                let token = lives.token()
                let chain = Self.chain(
                    10_000,
                    of: ResponseFuture<Int> { future in
                        _ = token
                        future.succeed(with: 0)
                    }
                )
                if ends == 1 { chain.cancel() }
                if ends == 2 { chain.succeed(with: 1) }
            }
        }
        await lives.end()
    }

    @Test func aTreeOfJoinsIsLetGoOfUnsent() async {
        await Self.onASmallStack {
            let token = lives.token()
            var future = ResponseFuture<Int> { _ in _ = token }
            for _ in 0..<3000 {
                future = future.parallelJoin(Int.self) { ResponseFuture(result: 1) }.then { $0.0 + $0.1 }
            }
        }
        await lives.end()
    }

    @Test func aLongChainIsSentFromASmallStack() async throws {
        let events = FutureEvents()
        await Self.onASmallStack {
            let token = lives.token()
            let future = ResponseFuture<Int> { () async in
                _ = token
                return 0
            }
            events.record(Self.chain(10_000, of: future)).send()
        }
        await events.completions()
        #expect(events.all == ["success 10000", "completion"])
        await lives.end()
    }

    @Test func aLongChainIsCancelled() async throws {
        for isInner in [false, true] {
            let events = FutureEvents()
            let work = HangingWork()
            let inner = work.future()
            let chain = events.record(Self.chain(10_000, of: inner), token: lives.token())
            chain.send()
            await work.starts.reach(1)
            await Self.onASmallStack { isInner ? inner.cancel() : chain.cancel() }
            await events.completions()
            await work.cancels.reach(1)
            #expect(events.all == ["cancellation", "completion"])
        }
        await lives.end()
    }

    /// A recursion by the operators that continue with another future.
    @Test(arguments: ["replace", "seriesJoin", "safeSeriesJoin", "later", "joined"], [false, true])
    func recursionTakesTimeThatGrowsWithItsDepth(kind: String, isOnMainThread: Bool) async throws {
        @Sendable func count(_ depth: Int) -> ResponseFuture<Int> {
            switch kind {
            case "seriesJoin":
                ResponseFuture(result: depth).seriesJoin(Int.self) { left in
                    left == 0 ? ResponseFuture(result: 0) : count(left - 1).then { $0 + 1 }
                }.then { $0.1 }
            case "safeSeriesJoin":
                ResponseFuture(result: depth).safeSeriesJoin(Int.self) { left in
                    left == 0 ? ResponseFuture(result: 0) : count(left - 1).then { $0 + 1 }
                }.then { try $0.1.get() }
            case "later":
                ResponseFuture { () async in
                    await Task.yield()
                    return depth
                }.replace(Int.self) { left in
                    left == 0 ? ResponseFuture(result: 0) : count(left - 1).then { $0 + 1 }
                }
            case "joined":
                ResponseFuture<[Int]>(childFutures: [ResponseFuture(result: depth), ResponseFuture(result: 1)])
                    .replace(Int.self) { left in
                        left[0] == 0 ? ResponseFuture(result: 0) : count(left[0] - 1).then { $0 + 1 }
                    }
            default:
                ResponseFuture(result: depth).replace(Int.self) { left in
                    left == 0 ? ResponseFuture(result: 0) : count(left - 1).then { $0 + 1 }
                }
            }
        }
        func time(_ depth: Int) async throws -> Duration {
            try await ContinuousClock().measure {
                let task =
                    isOnMainThread
                    ? Task { @MainActor in try await count(depth).fetchResult() }
                    : Task { try await count(depth).fetchResult() }
                let value = try await task.value
                #expect(value == depth)
            }
        }
        try await expectLinearGrowth(tries: 20, of: time)
    }

    @Test(arguments: [0, 1, 5_000])
    func aDeepRecursionIsCancelledAsAWhole(endsAt depth: Int) async throws {
        let isReached = Tally()
        @Sendable func count(_ left: Int) -> ResponseFuture<Int> {
            ResponseFuture(result: left).replace(Int.self) { left in
                guard left == 0 else { return count(left - 1) }
                return ResponseFuture {
                    isReached.add()
                    try await Task.sleep(for: .seconds(1_000_000))
                    return 0
                }
            }
        }
        let future = count(depth)
        let task = Task { try await future.fetchResult() }
        await isReached.reach(1)
        future.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aRecursionThatFailsHasTheErrorOfItsEnd() async throws {
        @Sendable func count(_ left: Int) -> ResponseFuture<Int> {
            ResponseFuture(result: left).replace(Int.self) { left in
                guard left > 0 else { throw TransportError(.connectionLost) }
                return count(left - 1)
            }
        }
        await #expect(throws: TransportError.self) { try await count(1_000).fetchResult() }
        let safe = try await count(10).safeResult().fetchResult()
        #expect(throws: TransportError.self) { try safe.get() }
    }

    @Test(arguments: [false, true])
    func timeGrowsWithTheLength(isSent: Bool) async throws {
        let clock = ContinuousClock()
        func time(_ length: Int) async throws -> Duration {
            try await clock.measure {
                let chain = Self.chain(length, of: ResponseFuture(result: 0))
                if isSent { _ = try await chain.fetchResult() }
            }
        }
        try await expectLinearGrowth(tries: 200, of: time)
    }
}
