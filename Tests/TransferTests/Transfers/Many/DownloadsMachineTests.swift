import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct DownloadsMachineTests {
    private typealias Machine = DownloadsMachine<String>
    private struct Failure: Error {}

    private static func started(
        _ sizes: [Int64?],
        taken: Int = 0,
        interval: Duration = .zero,
        stopsAtFirstFailure: Bool = false
    ) -> Machine {
        var machine = Machine(interval: interval, stopsAtFirstFailure: stopsAtFirstFailure)
        #expect(machine.begin(expectedSizes: sizes) == nil)
        for _ in 0..<taken { _ = machine.take() }
        return machine
    }

    private static func saved(_ index: Int) -> Result<Response<URL>, any Error> {
        .success(Response(data: Fixture.url("file:///\(index)"), urlRequest: Fixture.request, head: Fixture.head()))
    }

    private static func update(_ machine: inout Machine, _ index: Int, received: Int64) -> String? {
        machine.update(index) { $0.bytesReceived = received }
    }

    /// The next event as text, such as `progress 1/3 40/100` and `saved 2`.
    private static func next(_ machine: inout Machine, at now: Duration = .zero) -> String {
        let (action, worker) = machine.next(now: now)
        let text =
            switch action {
            case .event(.progress(let progress)): "progress \(counts(progress))"
            case .event(.saved(_, let index)): "saved \(index)"
            case .event(.failed(_, let index)): "failed \(index)"
            case .event(.finished(let progress)): "finished \(counts(progress))"
            case .failed(let error): "error \(type(of: error))"
            case .none: "none"
            case .wait: "wait"
            case .delay(let duration): "delay \(duration / .milliseconds(1))"
            }
        return worker.map { "\(text), resume \($0)" } ?? text
    }

    /// As many next events.
    private static func next(_ machine: inout Machine, _ count: Int, at now: Duration = .zero) -> [String] {
        (0..<count).map { _ in next(&machine, at: now) }
    }

    private static func counts(_ progress: DownloadsProgress) -> String {
        let total = progress.bytesToReceive.map { "\($0)" } ?? "?"
        return "\(progress.filesSaved)+\(progress.filesFailed)/\(progress.fileCount) \(progress.bytesReceived)/\(total)"
    }

    // MARK: The files

    @Test func filesAreTakenInOrderUntilThereAreNone() {
        var machine = Machine(interval: .zero, stopsAtFirstFailure: false)
        #expect(machine.take() == .end)
        _ = machine.begin(expectedSizes: [nil, nil])
        let actions = (0..<3).map { _ in machine.take() }
        #expect(actions == [.start(0), .start(1), .end])
    }

    @Test func aWorkerWaitsWhileTooManyResultsAreUnread() {
        var machine = Self.started(Array(repeating: nil, count: 1000))
        #expect(Self.next(&machine) == "progress 0+0/1000 0/?")
        for index in 0..<Machine.unreadLimit {
            #expect(machine.wait(worker: "never") == true)
            #expect(machine.take() == .start(index))
            #expect(machine.finish(index, Self.saved(index)) == [])
        }
        #expect(machine.take() == .wait)
        #expect(machine.wait(worker: "a") == false)
        #expect(machine.wait(worker: "b") == false)
        // At most one progress comes before the results.
        #expect(Self.next(&machine, 2) == ["progress \(Machine.unreadLimit)+0/1000 0/?", "saved 0, resume b"])
        #expect(machine.take() == .start(Machine.unreadLimit))
        // A file that was started before does not count until it ends.
        #expect(machine.take() == .start(Machine.unreadLimit + 1))
        #expect(Self.next(&machine, 2) == ["saved 1, resume a", "saved 2"])
    }

    @Test func resultsAreDeliveredInTheirOrder() {
        var machine = Self.started(Array(repeating: nil, count: 3000), interval: .seconds(1))
        _ = Self.next(&machine)
        var (given, taken) = (0, 0)
        var random = SeededRandom(seed: 1)
        while taken < 3000 {
            if random.picks(50), case .start(let index) = machine.take() {
                #expect(index == given)
                _ = machine.finish(index, Self.saved(index))
                given += 1
            } else if taken < given {
                #expect(Self.next(&machine) == "saved \(taken)")
                taken += 1
            }
        }
    }

    // MARK: The events

    @Test func theFirstEventIsTheStartAndTheLastIsTheEnd() {
        var machine = Machine(interval: .zero, stopsAtFirstFailure: false)
        #expect(Self.next(&machine) == "wait")
        #expect(machine.wait(reader: "reader", acceptsProgress: true) == false)
        #expect(machine.begin(expectedSizes: [nil]) == "reader")
        _ = machine.take()
        _ = machine.update(0) { $0.bytesReceived = 5 }
        _ = machine.finish(0, Self.saved(0))
        #expect(machine.end() == nil)
        #expect(Self.next(&machine, 3) == ["progress 0+0/1 0/?", "progress 1+0/1 5/5", "saved 0"])
        #expect(!machine.isOver)
        #expect(Self.next(&machine) == "finished 1+0/1 5/5")
        #expect(machine.isOver)
        #expect(Self.next(&machine) == "none")
        #expect(machine.end() == nil)
    }

    @Test func anEmptyListHasItsStartAndItsEnd() {
        var machine = Self.started([])
        #expect(machine.take() == .end)
        _ = machine.end()
        #expect(Self.next(&machine, 2) == ["progress 0+0/0 0/0", "finished 0+0/0 0/0"])
    }

    @Test func aListThatCannotBeginHasNoStart() {
        var machine = Machine(interval: .zero, stopsAtFirstFailure: false)
        #expect(machine.stop(Failure()) == [])
        _ = machine.end()
        #expect(Self.next(&machine, 2) == ["error Failure", "none"])
        #expect(machine.begin(expectedSizes: [nil]) == nil)
        #expect(machine.take() == .end)
    }

    @Test func aFailureStopsNothing() {
        var machine = Self.started([nil, nil, nil], taken: 2)
        #expect(machine.finish(1, .failure(Failure())) == [])
        #expect(!machine.cancelsOthers)
        #expect(machine.take() == .start(2))
        _ = (machine.finish(0, Self.saved(0)), machine.finish(2, Self.saved(2)), machine.end())
        let start = ["progress 0+0/3 0/?", "progress 2+1/3 0/0"]
        #expect(Self.next(&machine, 6) == start + ["failed 1", "saved 0", "saved 2", "finished 2+1/3 0/0"])
    }

    @Test func aShutdownLetsTheFilesInProgressEnd() throws {
        var machine = Self.started([nil, nil, nil], taken: 2)
        #expect(machine.finish(0, .failure(TransportError(.shutDown, reason: ""))) == [])
        #expect(!machine.cancelsOthers && machine.take() == .end)
        _ = (machine.finish(1, Self.saved(1)), machine.end())
        let events = Self.next(&machine, 4)
        #expect(events.contains("saved 1"), "\(events)")
        #expect(events.contains { $0.hasPrefix("error") }, "\(events)")
    }

    @Test func aFailureStopsTheOthersIfItShould() {
        var machine = Self.started([nil, nil, nil], stopsAtFirstFailure: true)
        _ = (Self.next(&machine), machine.take(), machine.take())
        #expect(machine.wait(reader: "reader", acceptsProgress: false) == false)
        #expect(machine.finish(1, .failure(Failure())) == ["reader"])
        #expect(machine.cancelsOthers)
        #expect(machine.take() == .end)
        // The other one was cancelled, which is no failure of its own.
        #expect(machine.finish(0, .failure(CancellationError())) == [])
        _ = machine.end()
        #expect(Self.next(&machine, 4) == ["progress 0+1/3 0/?", "failed 1", "error Failure", "none"])
    }

    @Test func aCancelledFileStopsTheList() {
        var machine = Self.started(Array(repeating: nil, count: 1000))
        for index in 0..<Machine.unreadLimit {
            _ = machine.take()
            if index > 0 { _ = machine.finish(index, Self.saved(index)) }
        }
        _ = (machine.take(), machine.finish(256, Self.saved(256)))
        #expect(machine.wait(worker: "a") == false)
        #expect(machine.finish(0, .failure(CancellationError())) == ["a"])
        #expect(machine.take() == .end)
        #expect(machine.wait(worker: "b") == true)
        _ = machine.end()
        #expect(Self.next(&machine, Machine.unreadLimit + 3).last == "error CancellationError")
    }

    @Test func progressKeepsItsDistance() {
        var machine = Self.started([100, nil], interval: .milliseconds(100))
        #expect(Self.next(&machine, 2, at: .milliseconds(5)) == ["progress 0+0/2 0/?", "wait"])
        _ = (machine.take(), machine.take())
        _ = machine.update(0) { $0.bytesReceived = 10 }
        #expect(Self.next(&machine, at: .milliseconds(65)) == "delay 40.0")
        // Only a result ends the delay, or the timer.
        #expect(machine.wait(reader: "reader", acceptsProgress: false) == false)
        #expect(Self.update(&machine, 0, received: 20) == nil)
        #expect(machine.wake() == "reader")
        #expect(Self.next(&machine, at: .milliseconds(105)) == "progress 0+0/2 20/?")
        _ = machine.update(0) { $0.bytesReceived = 30 }
        _ = machine.finish(1, Self.saved(1))
        #expect(machine.wait(reader: "reader", acceptsProgress: false) == true)
        // A result does not wait for the time of the next progress.
        #expect(Self.next(&machine, 2, at: .milliseconds(106)) == ["saved 1", "delay 99.0"])
        // The timer fires before the reader waits.
        #expect(machine.wake() == nil)
        #expect(machine.wait(reader: "reader", acceptsProgress: false) == true)
        #expect(machine.wait(reader: "reader", acceptsProgress: false) == false)
        #expect(machine.finish(0, Self.saved(0)) == ["reader"])
    }

    @Test func aReaderWaitsForAChange() {
        var machine = Self.started([nil])
        #expect(machine.wait(reader: "a", acceptsProgress: true) == true)
        _ = (Self.next(&machine), machine.take())
        #expect(machine.wait(reader: "a", acceptsProgress: true) == false)
        #expect(Self.update(&machine, 0, received: 1) == "a")
        #expect(machine.wait(reader: "a", acceptsProgress: true) == true)
        #expect(Self.next(&machine) == "progress 0+0/1 1/?")
        #expect(machine.wait(reader: "a", acceptsProgress: true) == false)
        #expect(Self.update(&machine, 0, received: 1) == nil)
        #expect(machine.end() == "a")
        #expect(machine.wait(reader: "a", acceptsProgress: true) == true)
    }

    @Test func aCancelledReaderWaitsForTheEndOnly() {
        var machine = Self.started([nil, nil])
        _ = (Self.next(&machine), machine.take())
        #expect(machine.waitForEnd(reader: "a") == false)
        _ = machine.take()
        #expect(machine.finish(1, Self.saved(1)) == [])
        #expect(Self.update(&machine, 0, received: 1) == nil)
        #expect(machine.end() == "a")
        #expect(machine.waitForEnd(reader: "a") == true)
        machine.close()
        #expect(Self.next(&machine) == "none")
    }

    // MARK: The sums

    @Test func bytesAreAddedUp() {
        var machine = Self.started([100, nil, nil])
        _ = (Self.next(&machine), machine.take(), machine.take(), machine.take())
        _ = machine.update(0) { $0.bytesReceived = 40 }
        _ = machine.update(1) { $0.bytesToReceive = 50 }
        #expect(Self.next(&machine) == "progress 0+0/3 40/?")
        _ = machine.update(2) { $0.bytesToReceive = 10 }
        #expect(Self.next(&machine) == "progress 0+0/3 40/160")
        // Counts do not decrease for another attempt.
        _ = machine.update(0) { $0.bytesReceived = 5 }
        #expect(Self.next(&machine) == "wait")
        _ = machine.update(0) { $0.bytesReceived = 100 }
        _ = machine.finish(0, Self.saved(0))
        // Of a file that failed, what arrived counts.
        _ = machine.update(1) { $0.bytesReceived = 20 }
        _ = machine.finish(1, .failure(Failure()))
        #expect(Self.next(&machine) == "progress 1+1/3 120/130")
        // What comes too late is ignored.
        #expect(Self.update(&machine, 1, received: 1000) == nil)
        #expect(machine.finish(1, Self.saved(1)) == [])
        #expect(Self.next(&machine) == "saved 0")
    }

    /// The next progress: the fraction in per cent, and `~` if it is an estimate.
    private static func fraction(_ machine: inout Machine) -> String {
        guard case .event(.progress(let progress)) = machine.next(now: .zero).action,
            let fraction = progress.fractionCompleted
        else { return "none" }
        return "\(progress.isFractionEstimated ? "~" : "")\(Int((fraction * 100).rounded()))"
    }

    @Test func theFractionIsEstimatedUntilEachLengthIsKnown() {
        var machine = Self.started([nil, nil, nil, nil], taken: 3)
        #expect(Self.fraction(&machine) == "~0")
        _ = machine.update(0) { ($0.bytesReceived, $0.bytesToReceive) = (50, 100) }
        #expect(Self.fraction(&machine) == "~13")
        // Of a length that is never known, nothing counts until the end.
        _ = machine.update(1) { $0.bytesReceived = 1_000_000 }
        #expect(Self.fraction(&machine) == "~13")
        _ = machine.finish(1, Self.saved(1))
        #expect(Self.fraction(&machine) == "~38")
        _ = machine.next(now: .zero)
        // The bytes say more: 1,000,050 of 1,000,300.
        _ = machine.update(2) { $0.bytesToReceive = 100 }
        _ = machine.take()
        _ = machine.update(3) { $0.bytesToReceive = 100 }
        #expect(Self.fraction(&machine) == "100")
    }

    @Test func theFractionNeverDecreases() {
        var machine = Self.started([nil, nil], taken: 2)
        _ = machine.update(0) { ($0.bytesReceived, $0.bytesToReceive) = (10, 10) }
        // The first progress is that of the start, whatever has arrived by then.
        #expect(Self.fraction(&machine) == "~0")
        #expect(Self.fraction(&machine) == "~50")
        // Now all lengths are known, and the other file is much larger.
        _ = machine.update(1) { $0.bytesToReceive = 90 }
        #expect(Self.fraction(&machine) == "~50")
        _ = machine.update(1) { $0.bytesReceived = 50 }
        #expect(Self.fraction(&machine) == "60")
        _ = machine.update(1) { $0.bytesReceived = 90 }
        #expect(Self.fraction(&machine) == "100")
    }

    @Test func failedFilesCountAsDone() {
        var machine = Self.started([nil, nil], taken: 2)
        #expect(Self.fraction(&machine) == "~0")
        _ = machine.finish(0, .failure(Failure()))
        #expect(Self.fraction(&machine) == "~50")
        _ = machine.next(now: .zero)
        _ = machine.finish(1, .failure(Failure()))
        #expect(Self.fraction(&machine) == "100")
    }

    @Test func noNumberOverflows() {
        var machine = Self.started([.max, .max, -5, .min, nil])
        let first = Self.next(&machine)
        #expect(first.hasPrefix("progress 0+0/5 0/"))
        for index in 0..<5 {
            #expect(machine.take() == .start(index))
            _ = machine.update(index) {
                $0.bytesReceived = .max
                $0.bytesToReceive = .max
                $0.bytesKept = index == 0 ? .min : .max
            }
            _ = Self.next(&machine, at: .seconds(index))
            _ = machine.finish(index, Self.saved(index))
        }
        _ = machine.end()
        var last = ""
        while !machine.isOver { last = Self.next(&machine, at: .seconds(9)) }
        #expect(last.hasPrefix("finished 5+0/5 "))
    }

    @Test func fractionsAreBetweenZeroAndOne() {
        let half = DownloadsProgress(fileCount: 4, filesSaved: 1, filesFailed: 1, bytesReceived: 7)
        let known = DownloadsProgress(fileCount: 2, bytesReceived: 5, bytesToReceive: 10)
        let rows: [(progress: DownloadsProgress, fraction: Double?)] = [
            (.init(fileCount: 0), nil), (.init(fileCount: 2), 0), (.init(fileCount: -3, filesSaved: 1), nil),
            (half, 0.5),
            (.init(fileCount: 0, bytesToReceive: 0), 1), (known, 0.5),
            (.init(fileCount: 2, bytesReceived: 50, bytesToReceive: 10), 1),
        ]
        for row in rows { #expect(row.progress.fractionCompleted == row.fraction, "\(row.progress)") }
        #expect(half.isFractionEstimated && !known.isFractionEstimated)
        #expect(!DownloadsProgress(fileCount: 0).isFractionEstimated)
        #expect(DownloadsProgress(fileCount: 2, filesSaved: 1, filesFailed: 1).filesFinished == 2)
        let slow = DownloadsProgress(fileCount: 1, bytesToReceive: .max, bytesPerSecond: 1e-9)
        #expect(slow.estimatedTimeRemaining == .seconds(1_000_000_000))
        #expect(DownloadsProgress(fileCount: 1, bytesToReceive: 9).estimatedTimeRemaining == nil)
    }

    // MARK: The destinations

    @Test(
        arguments: [
            ("/a/b", "/a/b", true), ("/a/b", "/a/./b", true), ("/a/b", "/a/x/../b", true), ("/a/b", "/a//b", true),
            ("/a/b", "/../a/b", true), ("/a b", "/a%20b", false), ("/a/b", "/a/B", false), ("/a/b", "/a/b/c", false),
        ]
    )
    func equalDestinationsAreFound(one: String, other: String, areEqual: Bool) async {
        let items = [one, other].map { DownloadItem(Fixture.request, to: URL(fileURLWithPath: $0)) }
        if areEqual {
            await expect(TransferError.Code.duplicateDestination) { try DownloadItem.checkDestinations(of: items) }
        } else {
            #expect(throws: Never.self) { try DownloadItem.checkDestinations(of: items) }
        }
    }
}
