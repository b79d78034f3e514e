import PiuPiuAsync
import PiuPiuFutures
import TestSupport
import Testing

@Suite(.timeLimit(.generous)) struct JoinTests {
    private let events = FutureEvents()

    private static func value(_ number: Int) -> ResponseFuture<Int> { ResponseFuture { () async in number } }
    private static func failing(_ number: Int) -> ResponseFuture<Int> {
        ResponseFuture { () async throws in throw Failure(number: number) }
    }

    // MARK: One after the other

    @Test func seriesGiveBothValues() async throws {
        #expect(try await Self.value(1).replace(String.self) { ResponseFuture(result: "\($0)") }.fetchResult() == "1")
        let join = try await Self.value(1).seriesJoin(Int.self) { Self.value($0 + 1) }.fetchResult()
        #expect(join == (1, 2))
        let safe = try await Self.value(1).safeSeriesJoin(Int.self) { Self.failing($0) }.fetchResult()
        #expect(throws: Failure(number: 1)) { try safe.1.get() }
        let sum = try await Self.value(1).then { [$0] }.addingSeriesResult { Self.value($0.count + 1) }.fetchResult()
        #expect(sum == [1, 2])
    }

    // B25, rule 8
    @Test func nothingToGoOnWithCancels() async {
        events.record(Self.value(1).replace(Int.self) { _ in nil }).send()
        events.record(Self.value(1).seriesJoin(Int.self) { _ in nil }).send()
        events.record(Self.value(1).safeSeriesJoin(Int.self) { _ in nil }).send()
        events.record(Self.value(1).then { [$0] }.addingSeriesResult { _ in nil }).send()
        await events.completions(of: 4)
        #expect(events.all.filter { $0 == "cancellation" }.count == 4)
        #expect(events.all.count == 8)
    }

    // Rule 8
    @Test func nullableJoinsGiveTheValueAlone() async throws {
        let series = try await Self.value(1).seriesNullableJoin(Int.self) { _ in nil }.fetchResult()
        #expect(series == (1, nil))
        let parallel = try await Self.value(1).parallelNullableJoin(Int.self) { nil }.fetchResult()
        #expect(parallel == (1, nil))
        let safeSeries = try await Self.value(1).safeSeriesNullableJoin(Int.self) { _ in nil }.fetchResult()
        #expect(safeSeries.0 == 1 && safeSeries.1 == nil)
        let safeParallel = try await Self.value(1).safeParallelNullableJoin(Int.self) { nil }.fetchResult()
        #expect(safeParallel.0 == 1 && safeParallel.1 == nil)
    }

    // Rule 7
    @Test func aThrowInACallbackIsTheError() async {
        events.record(Self.value(1).then { _ -> Int in throw Failure(number: 1) }).send()
        events.record(Self.value(1).replace(Int.self) { _ in throw Failure(number: 1) }).send()
        events.record(Self.value(1).seriesJoin(Int.self) { _ in throw Failure(number: 1) }).send()
        events.record(Self.value(1).safeSeriesJoin(Int.self) { _ in throw Failure(number: 1) }).send()
        events.record(Self.value(1).safeSeriesNullableJoin(Int.self) { _ in throw Failure(number: 1) }).send()
        events.record(Self.value(1).then { [$0] }.addingSeriesResult { _ in throw Failure(number: 1) }).send()
        await events.completions(of: 6)
        #expect(events.all.filter { $0 == "error 1" }.count == 6)
        #expect(events.all.count == 12)
    }

    // K13, B28
    @Test func thenResultCallsItsCallbackOnce() async {
        for inner in [Self.value(1), Self.failing(2)] {
            let calls = Tally()
            let future = inner.thenResult(Int.self) { _ in
                calls.add()
                throw Failure(number: 9)
            }
            await #expect(throws: Failure(number: 9)) { try await future.fetchResult() }
            #expect(calls.count == 1)
        }
    }

    // MARK: At the same time

    // B23, rule 9
    @Test func theSecondFutureIsMadeAtOnceAndBothAreStartedWithTheJoin() async throws {
        let made = Tally()
        let left = HangingWork()
        let right = HangingWork()
        let join = left.future().parallelJoin(Int.self) {
            made.add()
            return right.future()
        }
        #expect(made.count == 1)
        await MainActor.drain()
        #expect(left.starts.count + right.starts.count == 0)
        join.send()
        await left.starts.reach(1)
        await right.starts.reach(1)
        left.gate.open()
        right.gate.open()
        #expect(try await join.fetchResult() == (7, 7))
    }

    // B24, rule 9
    @Test func theFirstErrorEndsAJoinAndCancelsTheOtherSide() async {
        for isLeft in [false, true] {
            let events = FutureEvents()
            let work = HangingWork()
            let failing = ResponseFuture<Int> {
                await work.starts.reach(1)
                throw Failure(number: 5)
            }
            let sibling = events.record(work.future(), "sibling ")
            let join = (isLeft ? failing : sibling).parallelJoin(Int.self) { isLeft ? sibling : failing }
            events.record(join, "join ").send()
            await events.completions(of: 2)
            await work.cancels.reach(1)
            #expect(
                events.all == ["sibling cancellation", "sibling completion", "join error 5", "join completion"]
            )
            #expect(failing.status == .error && sibling.status == .cancelled)
        }
    }

    @Test func theFirstErrorEndsAJoinWithACallbackBesideIt() async {
        let starts = Tally()
        let action = events.record(ResponseFuture<Int> { _ in starts.add() }, "action ")
        let failing = ResponseFuture<Int> {
            await starts.reach(1)
            throw Failure(number: 5)
        }
        events.record(action.parallelJoin(Int.self) { failing }, "join ").send()
        await events.completions(of: 2)
        #expect(events.all == ["action cancellation", "action completion", "join error 5", "join completion"])
    }

    @Test func theFirstErrorEndsChildFuturesAndCancelsTheRest() async {
        let work = (0..<5).map { _ in HangingWork() }
        let failing = ResponseFuture<Int> {
            for work in work { await work.starts.reach(1) }
            throw Failure(number: 5)
        }
        events.record(ResponseFuture<[Int]>(childFutures: work.map { $0.future() } + [failing])).send()
        await events.completions()
        for work in work { await work.cancels.reach(1) }
        #expect(events.all == ["error 5", "completion"])
    }

    @Test func anErrorInsideASafeResultDoesNotEndTheRest() async throws {
        let work = HangingWork()
        let inner = Self.failing(1).parallelJoin(Int.self) { HangingWork().future() }.safeResult()
        let join = inner.parallelJoin(Int.self) { work.future() }
        join.send()
        await work.starts.reach(1)
        while inner.status != .success { await Task.yield() }
        work.gate.open()
        let (result, value) = try await join.fetchResult()
        #expect(value == 7)
        #expect(throws: Failure(number: 1)) { try result.get() }
    }

    // B26, rule 9
    @Test func safeJoinsWaitForTheOtherSide() async throws {
        let work = HangingWork()
        let join = work.future().safeParallelJoin(Int.self) { Self.failing(2) }
        join.send()
        await work.starts.reach(1)
        work.gate.open()
        let (value, result) = try await join.fetchResult()
        #expect(value == 7)
        #expect(throws: Failure(number: 2)) { try result.get() }
        await #expect(throws: Failure(number: 3)) {
            try await Self.failing(3).safeParallelJoin(Int.self) { HangingWork().future() }.fetchResult()
        }
    }

    // B24, B27, rule 9: of two errors PiuPiu 1 gave the left one, however late.
    @Test func ofTwoErrorsTheFirstInTimeCounts() async {
        let starts = Tally()
        let late = ResponseFuture<Int> {
            starts.add()
            try? await Gate().wait()
            throw Failure(number: 1)
        }
        let early = ResponseFuture<Int> {
            await starts.reach(1)
            throw Failure(number: 2)
        }
        await #expect(throws: Failure(number: 2)) { try await late.parallelJoin(Int.self) { early }.fetchResult() }
        #expect(late.status == .cancelled)
        let again = ResponseFuture<Int> {
            try? await Gate().wait()
            throw Failure(number: 3)
        }
        await #expect(throws: Failure(number: 4)) {
            try await ResponseFuture<[Int]>(childFutures: [again, Self.failing(4), again]).fetchResult()
        }
    }

    // K22, B24, rule 1
    @Test func sidesThatEndAtTheSameTimeEndAJoinOnce() async {
        let ends: [@Sendable (ResponseFuture<Int>) -> Void] = [
            { $0.succeed(with: 1) }, { $0.fail(with: Failure(number: 2)) }, { $0.cancel() },
        ]
        let names = [["success (1, 1)"], ["error 2"], ["cancellation"]]
        for round in 0..<rounds(90) {
            let (left, right) = (round % 3, round / 3 % 3)
            let starts = Tally()
            let sides = [left, right].map { _ in ResponseFuture<Int> { _ in starts.add() } }
            let events = FutureEvents()
            events.record(sides[0].parallelJoin(Int.self) { sides[1] }).send()
            await starts.reach(2)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { ends[left](sides[0]) }
                group.addTask { ends[right](sides[1]) }
            }
            await events.completions()
            // A value alone does not end it.
            let allowed = left == right ? names[left] : [left, right].filter { $0 > 0 }.flatMap { names[$0] }
            #expect(allowed.contains(events.all.first ?? ""))
            #expect(events.all.dropFirst() == ["completion"])
        }
    }

    // K22
    @Test func aJoinOfAFutureWithItselfEndsOnce() async throws {
        let starts = Tally()
        let future = ResponseFuture<Int> {
            starts.add()
            await Task.yield()
            return 2
        }
        let join = events.record(future.then { $0 + 1 }.parallelJoin(Int.self) { future.then { $0 * 2 } })
        join.send()
        #expect(try await join.fetchResult() == (3, 4))
        await events.completions()
        #expect(events.all == ["success (3, 4)", "completion"])
        #expect(starts.count == 1)
    }

    // K12, B27, rule 10
    @Test func childFuturesGiveTheirValuesInOrder() async throws {
        let gates = (0..<5).map { _ in Gate() }
        let children = gates.enumerated().map { index, gate in
            ResponseFuture<Int> {
                try await gate.wait()
                if index > 0 { gates[index - 1].open() }
                return index
            }
        }
        let all = ResponseFuture<[Int]>(childFutures: children)
        all.send()
        gates[4].open()
        #expect(try await all.fetchResult() == [0, 1, 2, 3, 4])
        #expect(try await ResponseFuture<[Int]>(childFutures: []).fetchResult() == [])
        #expect(try await ResponseFuture<[Int]> { [Self.value(1), Self.value(2)] }.fetchResult() == [1, 2])
        let literal = ResponseFuture<ArraySlice<Int>>(arrayLiteral: Self.value(3), Self.value(4))
        #expect(try await literal.fetchResult() == [3, 4])
    }

    @Test func aThousandChildFuturesGiveTheirValuesInOrder() async throws {
        let all = ResponseFuture<[Int]>(childFutures: (0..<1000).map { Self.value($0) })
        #expect(try await all.fetchResult() == Array(0..<1000))
    }

    // Rule 17
    @Test func callbacksRunWhereTheyAreToRun() async throws {
        #expect(try await Self.value(1).then { _ in !DispatchQueue.isMain }.fetchResult())
        #expect(try await Self.value(1).then(on: .main) { _ in DispatchQueue.isMain }.fetchResult())
        let isMain = try await Self.value(1)
            .replace(Bool.self) { _ in ResponseFuture(result: DispatchQueue.isMain) }.fetchResult()
        #expect(!isMain)
    }
}
