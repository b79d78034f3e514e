import PiuPiuAsync
import PiuPiuFutures
import TestSupport
import Testing

@Suite(.timeLimit(.generous)) struct UpdateTests {
    private let events = FutureEvents()

    private static let request = UUID()

    private static func task(_ count: Int64) -> TransferTask {
        var progress = TransferProgress(direction: .receiving)
        progress.bytesReceived = count
        return TransferTask(id: request, progress: progress)
    }

    // B7, rule 6
    @MainActor @Test func onlyTheNewestUpdateIsTold() async {
        let future = events.record(ResponseFuture<Int> { _ in })
        future.send()
        for count in 1...100 as ClosedRange<Int64> { future.update(with: Self.task(count)) }
        #expect(events.all.isEmpty)
        await MainActor.drain()
        #expect(events.all == ["updated 100"])
        future.update(with: Self.task(101))
        future.succeed(with: 1)
        future.update(with: Self.task(102))
        await events.completions()
        future.update(with: Self.task(103))
        await MainActor.drain()
        #expect(events.all == ["updated 100", "updated 101", "success 1", "completion"])
    }

    // B29
    @Test(arguments: ChainPlace.all) func updatesGoThroughChains(_ place: ChainPlace) async {
        let starts = Tally()
        let inner = ResponseFuture<Int> { _ in starts.add() }
        let outer = place.make(inner, events)
        outer.send()
        await starts.reach(1)
        // A chain asks for updates before it starts the work.
        inner.update(with: Self.task(5))
        while events.all.isEmpty, outer.status() == .started { await Task.yield() }
        outer.cancel()
        inner.update(with: Self.task(6))
        await events.completions()
        #expect(events.all == ["outer updated 5", "outer cancellation", "outer completion"])
    }

    @Test func updatesGoThroughLongChains() async {
        let starts = Tally()
        let inner = ResponseFuture<Int> { _ in starts.add() }
        let chain = events.record((0..<10_000).reduce(inner) { future, _ in future.then { $0 } })
        chain.send()
        await starts.reach(1)
        inner.update(with: Self.task(5))
        while events.all.isEmpty { await Task.yield() }
        inner.cancel()
        await events.completions()
        #expect(events.all == ["updated 5", "cancellation", "completion"])
    }

    // K7, rule 6
    @Test func updatesFromManyThreadsEndBeforeTheOutcome() async {
        for _ in 0..<rounds(50) {
            let events = FutureEvents()
            let future = events.record(ResponseFuture<Int> { _ in })
            future.send()
            await withTaskGroup(of: Void.self) { group in
                for count in 1...8 as ClosedRange<Int64> {
                    group.addTask { for _ in 0..<20 { future.update(with: Self.task(count)) } }
                }
                group.addTask {
                    await Task.yield()
                    future.succeed(with: 1)
                }
            }
            await events.completions()
            #expect(events.all.suffix(2) == ["success 1", "completion"])
            #expect(events.all.dropLast(2).allSatisfy { $0.hasPrefix("updated") })
        }
    }
}
