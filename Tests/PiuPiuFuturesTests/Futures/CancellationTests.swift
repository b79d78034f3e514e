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
    let isSafe: Bool
    /// Makes a chain of a future that begins with it, or comes to it.
    let make: @Sendable (ResponseFuture<Int>, FutureEvents) -> AnyFuture

    private init<Success: Sendable>(
        _ name: String,
        isSafe: Bool = false,
        _ chain: @escaping @Sendable (ResponseFuture<Int>) -> ResponseFuture<Success>
    ) {
        testDescription = name
        self.isSafe = isSafe
        make = { AnyFuture(chain($0), $1) }
    }

    static let all: [ChainPlace] = [
        .init("then") { $0.then { $0 + 1 } },
        .init("then on a queue") { $0.then(on: .global()) { $0 + 1 } },
        .init("then of another type") { $0.then(String.self) { "\($0)" } },
        .init("map") { $0.map(String.self) { "\($0)" } },
        .init("many thens") { (0..<50).reduce($0) { future, _ in future.then { $0 + 1 } } },
        .init("thenResult") { $0.thenResult(Int.self) { try $0.get() } },
        .init("safeResult", isSafe: true) { $0.safeResult() },
        .init("decoded") { answer($0).decoded(Int.self) },
        .init("decodedString") { answer($0).decodedString() },
        .init("decoded of an HTTP response") { answer($0).makeHTTPResponse().decoded(Int.self) },
        .init("safeDecoded") { answer($0).makeHTTPResponse().safeDecoded(Int.self) },
        .init("fulfill") { future in ResponseFuture<Int> { future.fulfill($0) } },
        .init("replace, first") { $0.replace(Int.self) { ResponseFuture(result: $0) } },
        .init("replace, second") { future in one.replace(Int.self) { _ in future } },
        .init("seriesJoin, first") { $0.seriesJoin(Int.self) { _ in one } },
        .init("seriesJoin, second") { future in one.seriesJoin(Int.self) { _ in future } },
        .init("seriesNullableJoin, first") { $0.seriesNullableJoin(Int.self) { _ in one } },
        .init("seriesNullableJoin, second") { future in one.seriesNullableJoin(Int.self) { _ in future } },
        .init("safeSeriesJoin, first") { $0.safeSeriesJoin(Int.self) { _ in one } },
        .init("safeSeriesJoin, second", isSafe: true) { future in one.safeSeriesJoin(Int.self) { _ in future } },
        .init("safeSeriesNullableJoin, second", isSafe: true) { future in
            one.safeSeriesNullableJoin(Int.self) { _ in future }
        },
        .init("addingSeriesResult, first") { $0.then { [$0] }.addingSeriesResult { _ in one } },
        .init("addingSeriesResult, second") { future in
            ResponseFuture(result: [1]).addingSeriesResult { _ in future }
        },
        .init("parallelJoin, left") { $0.parallelJoin(Int.self) { one } },
        .init("parallelJoin, right") { future in one.parallelJoin(Int.self) { future } },
        .init("parallelJoin, beside what never ends") { future in never().parallelJoin(Int.self) { future } },
        .init("parallelNullableJoin, left") { $0.parallelNullableJoin(Int.self) { nil } },
        .init("parallelNullableJoin, right") { future in one.parallelNullableJoin(Int.self) { future } },
        .init("safeParallelJoin, left") { $0.safeParallelJoin(Int.self) { one } },
        .init("safeParallelJoin, right", isSafe: true) { future in one.safeParallelJoin(Int.self) { future } },
        .init("safeParallelNullableJoin, right", isSafe: true) { future in
            one.safeParallelNullableJoin(Int.self) { future }
        },
        .init("childFutures") { ResponseFuture<[Int]>(childFutures: [one, $0, never()]) },
        .init("joins in joins") { future in
            let inner = never().parallelJoin(Int.self) { future.then { $0 } }
            return ResponseFuture<[Int]>(childFutures: [never(), inner.then { $0.0 }])
        },
    ]

    private static func answer(_ future: ResponseFuture<Int>) -> ResponseFuture<Response<Data?>> {
        future.then { try .answer("\($0)") }
    }

    private static var one: ResponseFuture<Int> { ResponseFuture(result: 1) }

    /// A future that ends when it is cancelled.
    private static func never() -> ResponseFuture<Int> { HangingWork().future() }
}

@Suite(.timeLimit(.generous)) struct CancellationTests {
    private let events = FutureEvents()

    // K3, K4, B21, rule 3
    @Test(arguments: ChainPlace.all) func cancellingTheOuterFutureCancelsTheInnerWork(_ place: ChainPlace) async {
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
