#if os(Linux)
import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import Glibc
import Testing

@testable import PiuPiuSockets

struct EventLoopExecutorTests {
    /// An actor that is driven by hand.
    private actor Counter {
        nonisolated let executor: EventLoopExecutor<LoopCommand>
        private(set) var count = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ executor: EventLoopExecutor<LoopCommand>) {
            self.executor = executor
        }

        func increment() -> Int {
            count += 1
            return count
        }
    }

    /// How often the loop was woken since the last look.
    private static func wakes(_ executor: EventLoopExecutor<LoopCommand>) -> UInt64 {
        var count: UInt64 = 0
        return read(executor.wakeDescriptor, &count, 8) == 8 ? count : 0
    }

    @Test func commandsAreTakenInOrder() throws {
        let executor = try EventLoopExecutor<LoopCommand>()
        let tickets = (0..<3).map { _ in ExchangeTicket() }
        for ticket in tickets { #expect(executor.submit(.cancel(ticket))) }
        var batch: [EventLoopExecutor<LoopCommand>.Item] = []
        executor.takeItems(&batch)
        let taken = batch.map { item -> ExchangeTicket? in
            if case .command(.cancel(let ticket)) = item { ticket } else { nil }
        }
        #expect(zip(taken, tickets).allSatisfy { $0 === $1 } && taken.count == 3)
        batch = []
        executor.takeItems(&batch)
        #expect(batch.isEmpty)
    }

    @Test func oneWakeIsEnoughForEverythingThatComesWhileTheThreadSleeps() throws {
        let executor = try EventLoopExecutor<LoopCommand>()
        #expect(executor.submit(.invalidate))
        #expect(Self.wakes(executor) == 0, "the thread is awake")
        #expect(!executor.prepareToSleep(), "something came in")
        var batch: [EventLoopExecutor<LoopCommand>.Item] = []
        executor.takeItems(&batch)
        #expect(executor.prepareToSleep())
        for _ in 0..<5 { #expect(executor.submit(.invalidate)) }
        #expect(Self.wakes(executor) == 1)
    }

    @Test func nothingIsTakenAfterTheStopAndWhatCameBeforeIsHandedOut() throws {
        let executor = try EventLoopExecutor<LoopCommand>()
        #expect(executor.submit(.invalidate))
        #expect(executor.stop().count == 1)
        #expect(!executor.submit(.invalidate))
        #expect(executor.stop().isEmpty)
        #expect(Self.wakes(executor) == 0)
    }

    @Test func theThreadIsKnownWhileItRuns() throws {
        let executor = try EventLoopExecutor<LoopCommand>()
        #expect(executor.isIsolatingCurrentContext() == false)
        executor.bindToCurrentThread()
        #expect(executor.isIsolatingCurrentContext() == true)
        executor.checkIsolated()
        _ = executor.stop()
        #expect(executor.isIsolatingCurrentContext() == false)
    }

    @Test func anActorOutlivesItsThread() async throws {
        let executor = try EventLoopExecutor<LoopCommand>()
        let counter = Counter(executor)
        _ = executor.stop()
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { await counter.increment() } }
            return await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(counts == Set(1...100))
    }

    @Test func everySubmissionIsSeenByTheThreadOrRefused() async throws {
        let executor = try EventLoopExecutor<LoopCommand>()
        let seen = Locked(0)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var batch: [EventLoopExecutor<LoopCommand>.Item] = []
            var total = 0
            while total < 2_000 {
                executor.takeItems(&batch)
                total += batch.count
                batch.removeAll()
                guard total < 2_000, executor.prepareToSleep() else { continue }
                var wake = pollfd(fd: executor.wakeDescriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&wake, 1, -1)
                _ = Self.wakes(executor)
            }
            total += executor.stop().count
            seen.withLock { [total] in $0 = total }
            ended.signal()
        }
        let accepted = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<1_000).reduce(0) { count, _ in count + (executor.submit(.invalidate) ? 1 : 0) }
                }
            }
            return await group.reduce(0, +)
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                ended.wait()
                continuation.resume()
            }
        }
        #expect(accepted >= 2_000)
        #expect(seen.withLock { $0 } == accepted)
    }
}
#endif
