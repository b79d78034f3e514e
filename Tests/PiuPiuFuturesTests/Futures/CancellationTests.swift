import PiuPiuAsync
import PiuPiuFutures
import TestSupport
import Testing

/// A future of any type, with what tests do with it.
struct AnyFuture: Sendable {
    let send: @Sendable () -> Void
    let cancel: @Sendable () -> Void
    let status: @Sendable () -> FutureStatus

    init<Success: Sendable>(_ future: ResponseFuture<Success>, _ events: FutureEvents) {
        let future = events.record(future, "outer ")
        send = { future.send() }
        cancel = { future.cancel() }
        status = { future.status }
    }
}

/// A place in a chain for a future.
struct ChainPlace: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether an error of the future is a value of the chain.
    var isSafe = false
    /// Makes a chain of a future that begins with it, or comes to it.
    let make: @Sendable (ResponseFuture<Int>, FutureEvents) -> AnyFuture

    static let all: [ChainPlace] = [
        .init(testDescription: "then") { AnyFuture($0.then { $0 + 1 }, $1) },
        .init(testDescription: "then on a queue") { AnyFuture($0.then(on: .global()) { $0 + 1 }, $1) },
        .init(testDescription: "then of another type") { AnyFuture($0.then(String.self) { "\($0)" }, $1) },
        .init(testDescription: "map") { AnyFuture($0.map(String.self) { "\($0)" }, $1) },
        .init(testDescription: "many thens") { future, events in
            AnyFuture((0..<50).reduce(future) { future, _ in future.then { $0 + 1 } }, events)
        },
        .init(testDescription: "thenResult") { future, events in
            AnyFuture(future.thenResult(Int.self) { try $0.get() }, events)
        },
        .init(testDescription: "safeResult", isSafe: true) { AnyFuture($0.safeResult(), $1) },
        .init(testDescription: "decoded") { future, events in
            AnyFuture(future.then { try .answer("\($0)") }.decoded(Int.self), events)
        },
        .init(testDescription: "decodedString") { future, events in
            AnyFuture(future.then { try .answer("\($0)") }.decodedString(), events)
        },
        .init(testDescription: "decoded of an HTTP response") { future, events in
            AnyFuture(future.then { try .answer("\($0)") }.makeHTTPResponse().decoded(Int.self), events)
        },
        .init(testDescription: "safeDecoded") { future, events in
            AnyFuture(future.then { try .answer("\($0)") }.makeHTTPResponse().safeDecoded(Int.self), events)
        },
        .init(testDescription: "fulfill") { future, events in
            AnyFuture(ResponseFuture<Int> { future.fulfill($0) }, events)
        },
        .init(testDescription: "replace, first") { future, events in
            AnyFuture(future.replace(Int.self) { ResponseFuture(result: $0) }, events)
        },
        .init(testDescription: "replace, second") { future, events in
            AnyFuture(one.replace(Int.self) { _ in future }, events)
        },
        .init(testDescription: "seriesJoin, first") { AnyFuture($0.seriesJoin(Int.self) { _ in one }, $1) },
        .init(testDescription: "seriesJoin, second") { future, events in
            AnyFuture(one.seriesJoin(Int.self) { _ in future }, events)
        },
        .init(testDescription: "seriesNullableJoin, first") { future, events in
            AnyFuture(future.seriesNullableJoin(Int.self) { _ in one }, events)
        },
        .init(testDescription: "seriesNullableJoin, second") { future, events in
            AnyFuture(one.seriesNullableJoin(Int.self) { _ in future }, events)
        },
        .init(testDescription: "safeSeriesJoin, first") { AnyFuture($0.safeSeriesJoin(Int.self) { _ in one }, $1) },
        .init(testDescription: "safeSeriesJoin, second", isSafe: true) { future, events in
            AnyFuture(one.safeSeriesJoin(Int.self) { _ in future }, events)
        },
        .init(testDescription: "safeSeriesNullableJoin, second", isSafe: true) { future, events in
            AnyFuture(one.safeSeriesNullableJoin(Int.self) { _ in future }, events)
        },
        .init(testDescription: "addingSeriesResult, first") { future, events in
            AnyFuture(future.then { [$0] }.addingSeriesResult { _ in one }, events)
        },
        .init(testDescription: "addingSeriesResult, second") { future, events in
            AnyFuture(ResponseFuture(result: [1]).addingSeriesResult { _ in future }, events)
        },
        .init(testDescription: "parallelJoin, left") { AnyFuture($0.parallelJoin(Int.self) { one }, $1) },
        .init(testDescription: "parallelJoin, right") { future, events in
            AnyFuture(one.parallelJoin(Int.self) { future }, events)
        },
        .init(testDescription: "parallelJoin, beside what never ends") { future, events in
            AnyFuture(never().parallelJoin(Int.self) { future }, events)
        },
        .init(testDescription: "parallelNullableJoin, left") { future, events in
            AnyFuture(future.parallelNullableJoin(Int.self) { nil }, events)
        },
        .init(testDescription: "parallelNullableJoin, right") { future, events in
            AnyFuture(one.parallelNullableJoin(Int.self) { future }, events)
        },
        .init(testDescription: "safeParallelJoin, left") { future, events in
            AnyFuture(future.safeParallelJoin(Int.self) { one }, events)
        },
        .init(testDescription: "safeParallelJoin, right", isSafe: true) { future, events in
            AnyFuture(one.safeParallelJoin(Int.self) { future }, events)
        },
        .init(testDescription: "safeParallelNullableJoin, right", isSafe: true) { future, events in
            AnyFuture(one.safeParallelNullableJoin(Int.self) { future }, events)
        },
        .init(testDescription: "childFutures") { future, events in
            AnyFuture(ResponseFuture<[Int]>(childFutures: [one, future, never()]), events)
        },
        .init(testDescription: "joins in joins") { future, events in
            let inner = never().parallelJoin(Int.self) { future.then { $0 } }
            return AnyFuture(ResponseFuture<[Int]>(childFutures: [never(), inner.then { $0.0 }]), events)
        },
    ]

    private static var one: ResponseFuture<Int> { ResponseFuture(result: 1) }

    /// A future that ends when it is cancelled.
    private static func never() -> ResponseFuture<Int> { HangingWork().future() }
}

@Suite(.timeLimit(.generous)) struct CancellationTests {
    // K3, K4, B21, rule 3
    @Test(arguments: ChainPlace.all) func cancellingTheOuterFutureCancelsTheInnerWork(_ place: ChainPlace) async {
        let events = FutureEvents()
        let work = HangingWork()
        let inner = work.future()
        let outer = place.make(inner, events)
        outer.send()
        await work.starts.reach(1)
        outer.cancel()
        await work.cancels.reach(1)
        await events.completions()
        #expect(events.all == ["outer cancellation", "outer completion"])
        #expect(inner.status == .cancelled)
        #expect(outer.status() == .cancelled)
    }

    @Test(arguments: ChainPlace.all) func cancellingTheOuterFutureCancelsAnInnerAction(_ place: ChainPlace) async {
        let events = FutureEvents()
        let innerEvents = FutureEvents()
        let starts = Tally()
        let inner = innerEvents.record(ResponseFuture<Int> { _ in starts.add() }, "inner ")
        let outer = place.make(inner, events)
        outer.send()
        await starts.reach(1)
        outer.cancel()
        await events.completions()
        await innerEvents.completions()
        #expect(events.all == ["outer cancellation", "outer completion"])
        #expect(innerEvents.all == ["inner cancellation", "inner completion"])
    }

    // K3, K12, B22, rule 2, rule 10
    @Test(arguments: ChainPlace.all) func cancellingAnInnerFutureCancelsTheOuter(_ place: ChainPlace) async {
        for isAction in [false, true] {
            let events = FutureEvents()
            let work = HangingWork()
            let inner = isAction ? ResponseFuture<Int> { _ in work.starts.add() } : work.future()
            let outer = place.make(inner, events)
            outer.send()
            await work.starts.reach(1)
            inner.cancel()
            await events.completions()
            #expect(events.all == ["outer cancellation", "outer completion"])
            #expect(outer.status() == .cancelled)
            if !isAction { await work.cancels.reach(1) }
        }
    }

    @Test(arguments: ChainPlace.all) func anInnerFutureThatWasCancelledCancelsTheOuter(_ place: ChainPlace) async {
        let futures = [
            ResponseFuture<Int> { $0.cancel() }, ResponseFuture<Int> { () async throws in throw CancellationError() },
            ResponseFuture(result: 1),
        ]
        futures.last?.cancel()
        for inner in futures {
            let events = FutureEvents()
            place.make(inner, events).send()
            await events.completions()
            #expect(events.all == ["outer cancellation", "outer completion"])
        }
    }

    // B18, B24, B26
    @Test(arguments: ChainPlace.all) func anInnerErrorEndsTheOuterUnlessItIsSafe(_ place: ChainPlace) async {
        for isAction in [false, true] {
            let events = FutureEvents()
            let inner =
                isAction
                ? ResponseFuture<Int> { _ in throw Failure(number: 3) }
                : ResponseFuture<Int> { () async throws in throw Failure(number: 3) }
            let outer = place.make(inner, events)
            outer.send()
            await events.completions()
            if place.isSafe {
                #expect(outer.status() == .success)
                #expect(events.all.count == 2)
                #expect(events.all.first?.contains("ailure(3)") == true)
            } else {
                #expect(events.all == ["outer error 3", "outer completion"])
            }
        }
    }

    @Test(arguments: ChainPlace.all) func anInnerValueGoesOn(_ place: ChainPlace) async {
        let endless = ["beside what never ends", "childFutures", "joins in joins"]
        guard !endless.contains(where: place.testDescription.contains) else { return }
        let events = FutureEvents()
        let inner = FutureEvents()
        place.make(inner.record(ResponseFuture<Int> { () async in 5 }, "inner "), events).send()
        await events.completions()
        await inner.completions()
        #expect(events.all.count == 2)
        #expect(events.all.first?.hasPrefix("outer success") == true)
        #expect(inner.all == ["inner success 5", "inner completion"])
    }

    @Test(arguments: ChainPlace.all) func cancellingAtAnyMomentEndsOnce(_ place: ChainPlace) async {
        for round in 0..<30 {
            let events = FutureEvents()
            let outer = place.make(
                ResponseFuture<Int> {
                    for _ in 0..<5 { await Task.yield() }
                    return 1
                },
                events
            )
            if round == 0 { outer.cancel() }
            outer.send()
            let canceller = Task.detached {
                for _ in 0..<round { await Task.yield() }
                outer.cancel()
            }
            await events.completions()
            await canceller.value
            #expect(events.all.count == 2)
            #expect(events.all.last == "outer completion")
        }
    }

    @Test func workOfWhatWasCancelledBeforeItBeganDoesNotBegin() async {
        for isAction in [false, true] {
            let events = FutureEvents()
            let runs = Tally()
            let gate = Gate()
            let first = ResponseFuture<Int> {
                // Does not mind that it was cancelled.
                try? await Task { try await gate.wait() }.value
                return 1
            }
            let second =
                isAction
                ? ResponseFuture<Int> { _ in runs.add() }
                : ResponseFuture<Int> { () async in
                    runs.add()
                    return 1
                }
            let outer = events.record(first.replace(Int.self) { _ in second })
            outer.send()
            await gate.arrival()
            outer.cancel()
            gate.open()
            await events.completions()
            await #expect(throws: CancellationError.self) { try await outer.fetchResult() }
            #expect(runs.count == 0)
        }
    }

    // K3, rule 2
    @Test func fulfillGivesTheOutcome() async {
        let cases: [(ResponseFuture<Int>, String)] = [
            (ResponseFuture(result: 1), "success 1"),
            (ResponseFuture<Int> { _ in throw Failure(number: 2) }, "error 2"),
            (ResponseFuture<Int> { $0.cancel() }, "cancellation"),
        ]
        for (future, event) in cases {
            let events = FutureEvents()
            future.fulfill(events.record(ResponseFuture<Int> { _ in }))
            await events.completions()
            #expect(events.all == [event, "completion"])
        }
    }

    @Test func fulfillingWhatHasEndedCancels() async {
        let work = HangingWork()
        let future = work.future()
        let other = ResponseFuture(result: 1)
        other.send()
        future.fulfill(other)
        #expect(future.status == .cancelled)
        #expect(work.starts.count == 0)
    }
}
