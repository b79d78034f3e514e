#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuSockets

/// A loop that is driven by hand, on the thread of a test.
struct LoopWorkTests {
    private let executor: EventLoopExecutor<Int>
    private let taskExecutor: LoopTaskExecutor<Int>

    init() throws {
        executor = try EventLoopExecutor<Int>()
        taskExecutor = LoopTaskExecutor(executor) { _ in }
    }

    /// Starts a task whose one job calls a function.
    private func enqueue(_ work: @escaping @Sendable () -> Void) {
        Task(executorPreference: taskExecutor) { work() }
    }

    private func turn(_ work: inout LoopWork<Int>, _ log: Locked<[String]>) {
        work.perform(from: executor, noteTime: { _ in }) { number in log.withLock { $0.append("\(number)") } }
    }

    @Test func whatJobsSubmitIsPerformedInTheSameTurn() {
        let log = Locked<[String]>([])
        var work = LoopWork<Int>()
        #expect(executor.submit(1))
        enqueue { [executor] in
            log.withLock { $0.append("job") }
            _ = executor.submit(3)
        }
        #expect(executor.submit(2))
        turn(&work, log)
        #expect(log.withLock { $0 } == ["1", "job", "2", "3"])
        #expect(work.hasRunJobs)
        #expect(work.isEmpty && executor.prepareToSleep())
        turn(&work, log)
        #expect(!work.hasRunJobs)
    }

    @Test func commandsAloneCannotKeepTheLoopFromItsSockets() {
        let log = Locked<[String]>([])
        var work = LoopWork<Int>()
        #expect(executor.submit(1))
        work.perform(from: executor, noteTime: { _ in }) { number in
            log.withLock { $0.append("\(number)") }
            _ = executor.submit(number + 1)
        }
        #expect(log.withLock { $0 } == ["1"])
        #expect(!work.hasRunJobs)
        #expect(!executor.prepareToSleep())
    }

    @Test func jobsBeyondTheShareWaitForTheNextTurnInOrder() {
        let log = Locked<[String]>([])
        let numbers = Locked<[Int]>([])
        var work = LoopWork<Int>()
        // More than the share by count, whatever the time that they take.
        let count = 2 * JobShare.count + 10
        for number in 0..<count { enqueue { numbers.withLock { $0.append(number) } } }
        turn(&work, log)
        #expect(numbers.withLock { $0.count } <= JobShare.count)
        #expect(!work.isEmpty)
        var turns = 1
        while !work.isEmpty, turns < count {
            turn(&work, log)
            turns += 1
        }
        #expect(turns >= 3)
        #expect(numbers.withLock { $0 } == Array(0..<count))
    }

    @Test func jobsThatKeepComingLeaveTheirTurn() {
        let log = Locked<[String]>([])
        let count = Locked(0)
        var work = LoopWork<Int>()
        @Sendable func again() {
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number < 10 * JobShare.count else { return }
            Task(executorPreference: taskExecutor) { again() }
        }
        enqueue { again() }
        turn(&work, log)
        #expect((1...JobShare.count).contains(count.withLock { $0 }))
        while !work.isEmpty || !executor.prepareToSleep() { turn(&work, log) }
        #expect(count.withLock { $0 } == 10 * JobShare.count)
    }

    @Test func whatComesTooLateRunsElsewhereOrIsRefused() async {
        let refused = Locked<[Int]>([])
        executor.bindToCurrentThread()
        #expect(executor.submit(7))
        let early = Task(executorPreference: taskExecutor) { CurrentLoop.executor == nil }
        executor.passOn(executor.stop()) { number in refused.withLock { $0.append(number) } }
        let late = Task(executorPreference: taskExecutor) {
            await Task.yield()
            return CurrentLoop.executor == nil
        }
        #expect(await early.value)
        #expect(await late.value)
        #expect(refused.withLock { $0 } == [7])
        #expect(!executor.submit(8))
    }

    @Test func theLoopIsKnownWhileAJobRuns() {
        let log = Locked<[String]>([])
        let seen = Locked<[Bool]>([])
        var work = LoopWork<Int>()
        executor.bindToCurrentThread()
        enqueue { [taskExecutor] in
            let isCurrent = (CurrentLoop.executor as? LoopTaskExecutor<Int>) === taskExecutor
            seen.withLock { $0.append(isCurrent) }
        }
        turn(&work, log)
        #expect(seen.withLock { $0 } == [true])
        #expect(CurrentLoop.executor == nil)
        _ = executor.stop()
    }
}
#endif
