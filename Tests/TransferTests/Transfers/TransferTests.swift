import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

@Suite(.timeLimit(.generous)) struct TransferTests {
    private struct Failure: Error {}

    /// An operation whose reporter is in the test's hands, and which ends when the test says so.
    private final class Bench: Sendable {
        let clock = ManualClock()
        let starts = Tally()
        let cancels = Tally()
        let ends = Tally()
        let end = Gate()
        /// Where an operation that was cancelled cleans up; open unless a test takes another one.
        let cleanUp: Gate
        private let reporter = Locked<TransferReporter?>(nil)
        private let failure: (any Error)?

        init(failure: (any Error)? = nil, cleanUp: Gate = .opened()) {
            self.failure = failure
            self.cleanUp = cleanUp
        }

        func transfer(
            _ direction: TransferProgress.Direction = .receiving,
            every interval: Duration = .zero
        ) -> Transfer<Int> {
            Transfer(direction, bytesToSend: { 7 }) { [self] reporter in
                self.reporter.withLock { $0 = reporter }
                starts.add()
                defer { ends.add() }
                do {
                    try await end.wait()
                } catch {
                    cancels.add()
                    // Not cancelled with the operation.
                    try await Task { try await cleanUp.wait() }.value
                    throw error
                }
                if let failure { throw failure }
                return .number(ends.count)
            }.progress(every: interval, clock: TransferClock(clock))
        }

        func receive(_ count: Int64) {
            reporter.withLock { $0 }?.didReceive(count)
        }
    }

    private static func text(_ event: TransferEvent<Int>?) -> String {
        switch event {
        case .progress(let progress): "\(progress.bytesReceived)"
        case .finished(let response): "finished \(response.data)"
        case nil: "end"
        }
    }

    // MARK: The life of a transfer

    @Test func nothingRunsBeforeTheFirstEvent() async throws {
        let bench = Bench()
        do {
            let transfer = bench.transfer()
            let iterator = transfer.makeAsyncIterator()
            withExtendedLifetime(iterator) {}
        }
        #expect(bench.starts.count == 0)
        bench.end.open()
        for try await _ in bench.transfer() {}
        #expect(bench.starts.count == 1)
    }

    @Test func eventsComeFromTheStartToTheEnd() async throws {
        let bench = Bench()
        var events = bench.transfer().makeAsyncIterator()
        guard case .progress(let start)? = try await events.next() else {
            Issue.record("no progress")
            return
        }
        #expect(start == TransferProgress(direction: .receiving, bytesToSend: 7))
        await bench.starts.reach(1)
        for count in 1...3 as ClosedRange<Int64> {
            bench.receive(count)
            #expect(Self.text(try await events.next()) == "\(count)")
        }
        bench.receive(9)
        bench.end.open()
        await bench.ends.reach(1)
        var last: [String] = []
        while let event = try await events.next() { last.append(Self.text(event)) }
        #expect(last.last == "finished 0")
        #expect(last.first == "9")
        #expect(try await events.next() == nil)
        #expect(bench.starts.count == 1)
    }

    @Test func aFastTransferBeginsWithItsStart() async throws {
        for _ in 0..<rounds(200) {
            let transfer = Transfer<Int>(.receiving) { reporter in
                reporter?.didReceive(5)
                return .number(1)
            }
            var events: [String] = []
            for try await event in transfer { events.append(Self.text(event)) }
            #expect(events == ["0", "5", "finished 1"])
        }
    }

    @Test func anErrorIsThrownFromTheLoop() async throws {
        let bench = Bench(failure: Failure())
        bench.end.open()
        var events = bench.transfer().makeAsyncIterator()
        #expect(Self.text(try await events.next()) == "0")
        await #expect(throws: Failure.self) { while try await events.next() != nil {} }
        #expect(try await events.next() == nil)
    }

    @Test func iteratingAgainRunsAnotherTransfer() async throws {
        let bench = Bench()
        bench.end.open()
        let transfer = bench.transfer()
        for round in 1...3 {
            for try await _ in transfer {}
            #expect(bench.starts.count == round)
            #expect(bench.ends.count == round)
        }
    }

    @Test func aResponseComesWithoutProgress() async throws {
        let told = Tally()
        let transfer = Transfer<Int>(.receiving) { reporter in
            if reporter != nil { told.add() }
            return .number(5)
        }
        #expect(try await transfer.response().data == 5)
        #expect(told.count == 0)
        let failing = Transfer<Int>(.receiving) { _ in throw Failure() }
        await #expect(throws: Failure.self) { try await failing.response() }
    }

    @Test func cancellingAResponseCancelsTheOperation() async throws {
        let bench = Bench()
        let task = Task { try await bench.transfer().response() }
        await bench.starts.reach(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(bench.cancels.count == 1)
    }

    // MARK: Giving up

    @Test func aCancelledTaskBeginsNothing() async {
        for _ in 0..<1000 {
            let bench = Bench()
            let reading = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                for try await _ in bench.transfer() {}
            }
            await #expect(throws: CancellationError.self) { try await reading.value }
            #expect(bench.starts.count == 0)
        }
    }

    @Test func leavingTheLoopCancelsTheOperation() async throws {
        let bench = Bench()
        for try await _ in bench.transfer() {
            await bench.starts.reach(1)
            break
        }
        await bench.ends.reach(1)
        #expect(bench.cancels.count == 1)
    }

    @Test func anErrorInTheLoopCancelsTheOperation() async throws {
        let bench = Bench()
        await #expect(throws: Failure.self) {
            for try await _ in bench.transfer() {
                await bench.starts.reach(1)
                throw Failure()
            }
        }
        await bench.ends.reach(1)
        #expect(bench.cancels.count == 1)
    }

    @Test(arguments: [Duration.zero, .seconds(1)])
    func cancellingThrowsWhenTheOperationHasEnded(_ interval: Duration) async throws {
        let cleanUp = Gate()
        let bench = Bench(cleanUp: cleanUp)
        let reading = Task {
            do {
                for try await _ in bench.transfer(every: interval) {}
                return "finished"
            } catch {
                return "\(type(of: error)) after \(bench.ends.count)"
            }
        }
        await bench.starts.reach(1)
        reading.cancel()
        await cleanUp.arrival()
        // Progress of an operation that is about to end is no reason to come back.
        bench.receive(5)
        cleanUp.open()
        #expect(await reading.value == "CancellationError after 1")
        #expect(bench.cancels.count == 1)
    }

    @Test func cancellingWhileProgressIsHeldBackEndsTheTransfer() async throws {
        let bench = Bench()
        let reading = Task {
            for try await _ in bench.transfer(every: .seconds(1)) {}
        }
        await bench.starts.reach(1)
        bench.receive(5)
        await bench.clock.sleeps(1)
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(bench.ends.count == 1)
    }

    @Test func aTaskThatIsCancelledFromTheStartGetsNoEvent() async throws {
        for _ in 0..<rounds(100) {
            let bench = Bench()
            let reading = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                var events = bench.transfer().makeAsyncIterator()
                return try await events.next() != nil
            }
            await #expect(throws: CancellationError.self) { try await reading.value }
            // Either it never ran, or it has ended.
            #expect(bench.starts.count == bench.ends.count)
        }
    }

    // MARK: Pace

    @Test func progressKeepsItsPace() async throws {
        let bench = Bench()
        let given = Tally()
        let reading = Task {
            var events: [String] = []
            for try await event in bench.transfer(every: .seconds(1)) {
                events.append("\(Self.text(event)) at \(bench.clock.now.offset)")
                given.add()
            }
            return events
        }
        await bench.starts.reach(1)
        await given.reach(1)
        for round in 1...3 {
            bench.receive(Int64(round) * 10)
            await bench.clock.sleeps(round)
            bench.receive(Int64(round) * 10 + 1)
            bench.clock.advance(by: .milliseconds(999))
            bench.receive(Int64(round) * 10 + 2)
            bench.clock.advance(by: .milliseconds(1))
            await given.reach(round + 1)
        }
        bench.end.open()
        let expected = [
            "0 at 0.0 seconds", "12 at 1.0 seconds", "22 at 2.0 seconds", "32 at 3.0 seconds",
            // The totals are known only now.
            "32 at 3.0 seconds", "finished 0 at 3.0 seconds",
        ]
        #expect(try await reading.value == expected)
    }

    @Test func aSlowReaderSkipsToTheNewest() async throws {
        let bench = Bench()
        var events = bench.transfer().makeAsyncIterator()
        _ = try await events.next()
        await bench.starts.reach(1)
        for count in 1...1_000 as ClosedRange<Int64> { bench.receive(count) }
        #expect(Self.text(try await events.next()) == "1000")
        for count in 1_001...2_000 as ClosedRange<Int64> { bench.receive(count) }
        bench.end.open()
        await bench.ends.reach(1)
        var rest: [String] = []
        while let event = try await events.next() { rest.append(Self.text(event)) }
        #expect(rest.first == "2000")
        #expect(rest.last == "finished 0")
    }

    // The end does not wait for the pace.
    @Test(arguments: [
        Duration.seconds(1e9), .seconds(1e20), .seconds(Int64.max) + .seconds(Int64.max), .seconds(1.7e20),
        Duration(secondsComponent: .max, attosecondsComponent: .max),
    ])
    func anyIntervalIsAllowed(_ interval: Duration) async throws {
        let (end, starts) = (Gate(), Tally())
        let transfer = Transfer<Int>(.receiving) { reporter in
            reporter?.didReceive(5)
            starts.add()
            try await end.wait()
            return .number(1)
        }.progress(every: interval)
        let reading = Task {
            var events: [String] = []
            for try await event in transfer { events.append(Self.text(event)) }
            return events
        }
        await starts.reach(1)
        end.open()
        #expect(try await reading.value == ["0", "5", "finished 1"])
    }

    // MARK: Leaks

    @Test func manyTransfersLeaveNothingBehind() async throws {
        final class Token: Sendable {
            let gone: Tally

            init(_ gone: Tally) {
                self.gone = gone
            }

            deinit {
                gone.add()
            }
        }
        let gone = Tally()
        let never = Gate()
        let count = 10_000
        for index in 0..<count {
            let token = Token(gone)
            let transfer = Transfer<Int>(.receiving) { reporter in
                reporter?.didReceive(1)
                switch index % 4 {
                case 0: break
                case 1: throw Failure()
                default: try await never.wait()
                }
                return withExtendedLifetime(token) { .number(1) }
            }.progress(every: index % 8 < 4 ? .zero : .seconds(1), clock: TransferClock(ManualClock()))
            switch index % 4 {
            case 0: for try await _ in transfer {}
            case 1: await #expect(throws: Failure.self) { for try await _ in transfer {} }
            case 2: for try await _ in transfer { break }
            default:
                let reading = Task { for try await _ in transfer {} }
                reading.cancel()
                await #expect(throws: CancellationError.self) { try await reading.value }
            }
        }
        await gone.reach(count)
        #expect(gone.count == count)
    }
}

extension Gate {
    fileprivate static func opened() -> Gate {
        let gate = Gate()
        gate.open()
        return gate
    }
}

extension Response<Int> {
    fileprivate static func number(_ number: Int) -> Response<Int> {
        Response(data: number, urlRequest: Fixture.request, head: Fixture.head())
    }
}
