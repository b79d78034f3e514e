import PiuPiuAsync
import PiuPiuFutures
import TestSupport
import Testing

/// How long futures live, and what they keep alive.
@Suite(.timeLimit(.generous)) struct FutureLifetimeTests {
    private let lives = Lives()
    private let events = FutureEvents()

    // B15, rule 16
    @Test func anUnsentFutureIsSilent() async {
        do {
            let token = lives.token()
            let future = ResponseFuture<Int> { _ in _ = token }
            _ = events.record(events.record(future, token: lives.token()).then { $0 }, token: lives.token())
        }
        await lives.end()
        await MainActor.drain()
        #expect(events.all.isEmpty)
    }

    @Test func aSentFutureLivesUntilItsEnd() async {
        let gate = Gate()
        do {
            let token = lives.token()
            events.record(
                ResponseFuture<Int> {
                    _ = token
                    try await gate.wait()
                    return 1
                },
                token: lives.token()
            ).send()
        }
        await gate.arrival()
        #expect(lives.endedCount == 0)
        gate.open()
        await events.completions()
        await lives.end()
        #expect(events.all == ["success 1", "completion"])
    }

    @Test func valuesThatWereUsedAreLetGoOfWhileTheChainGoesOn() async throws {
        let gate = Gate()
        let future = ResponseFuture { () async in lives.token() }
            .then { _ in 1 }
            .replace(Int.self) { number in
                ResponseFuture { () async throws in
                    try await gate.wait()
                    return number + 1
                }
            }
        future.send()
        await gate.arrival()
        #expect(lives.endedCount == 1)
        gate.open()
        #expect(try await future.fetchResult() == 2)
    }

    @Test func anActionThatIsForgottenIsLetGoOf() async {
        do {
            let token = lives.token()
            events.record(ResponseFuture<Int> { _ in _ = token }, token: lives.token()).send()
        }
        await lives.end()
        await MainActor.drain()
        #expect(events.all.isEmpty)
    }

    // K2, rule 1
    @Test func aFutureThatIsKeptLetsGoOfItsHandlersAndItsWork() async {
        for end in 0..<3 {
            let lives = Lives()
            let events = FutureEvents()
            let future: ResponseFuture<Int>
            do {
                let token = lives.token()
                future = events.record(
                    ResponseFuture<Int> { future in
                        _ = token
                        if end == 0 { future.succeed(with: 1) }
                        if end == 1 { throw Failure() }
                    },
                    token: lives.token()
                )
            }
            future.send()
            if end == 2 { future.cancel() }
            await events.completions()
            await lives.end()
            #expect(future.status != .started)
        }
    }

    /// Cancels its future when it is released, as owners do.
    private final class Owner: Sendable {
        let future: ResponseFuture<Int>
        private let ends: Tally

        init(_ future: ResponseFuture<Int>, _ ends: Tally) {
            self.future = future
            self.ends = ends
        }

        deinit {
            future.cancel()
            _ = future.status
            ends.add()
        }
    }

    // K2, rule 1
    @Test func ownersCapturedByHandlersAreLetGoOfAndMayUseTheFuture() async {
        let ends = Tally()
        var count = 0
        for work in [{ .success(1) }, { .failure(Failure()) }, { .failure(CancellationError()) }]
            as [@Sendable () -> Result<Int, any Error>]
        {
            let future = ResponseFuture<Int> { $0.complete(with: work()) }
            do {
                let owner = Owner(future, ends)
                _ = future.success { _ in _ = owner }.error { _ in _ = owner }.cancellation { _ = owner }
                    .completion { _ = owner }.updated { _ in _ = owner }
            }
            future.send()
            count += 1
            await ends.reach(count)
        }
        // Replaced, and set too late.
        let future = ResponseFuture(result: 1)
        _ = future.success { [owner = Owner(future, ends)] _ in _ = owner }
        _ = future.success { _ in }
        await ends.reach(count + 1)
        let late = Tally()
        let done = ResponseFuture(result: 1).completion { late.add() }
        done.send()
        await late.reach(1)
        await MainActor.drain()
        _ = done.success { [owner = Owner(done, ends)] _ in _ = owner }
        await ends.reach(count + 2)
    }
}
