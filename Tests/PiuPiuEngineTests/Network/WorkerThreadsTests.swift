#if os(Linux)
import Glibc
import Synchronization
import Testing

@testable import PiuPiuEngine

/// Threads for work that blocks.
struct WorkerThreadsTests {
    /// Counts how much work is running and was run.
    private final class Counter: Sendable {
        let running = Atomic<Int>(0)
        let most = Atomic<Int>(0)
        let done = Atomic<Int>(0)
        let mayEnd = Atomic<Bool>(false)

        func work(waits: Bool) {
            let count = running.add(1, ordering: .acquiringAndReleasing).newValue
            most.max(count, ordering: .acquiringAndReleasing)
            while waits, !mayEnd.load(ordering: .acquiring) { usleep(1000) }
            running.subtract(1, ordering: .acquiringAndReleasing)
            done.add(1, ordering: .acquiringAndReleasing)
        }
    }

    private func wait(_ condition: () -> Bool) async {
        for _ in 0..<20_000 where !condition() { try? await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func thereAreAtMostFour() async {
        let threads = WorkerThreads(maximumCount: 4, idleTime: 1_000_000)
        let counter = Counter()
        for _ in 0..<50 { #expect(threads.run { counter.work(waits: true) }) }
        await wait { counter.running.load(ordering: .acquiring) == 4 }
        #expect(threads.threadCount == 4)
        counter.mayEnd.store(true, ordering: .releasing)
        await wait { counter.done.load(ordering: .acquiring) == 50 }
        #expect(counter.done.load(ordering: .acquiring) == 50 && counter.most.load(ordering: .acquiring) == 4)
        await wait { threads.threadCount == 0 }
        #expect(threads.threadCount == 0)
    }

    @Test func theyStartAgainAfterTheyEnded() async {
        let threads = WorkerThreads(maximumCount: 4, idleTime: 0)
        let counter = Counter()
        for round in 1...20 {
            #expect(threads.run { counter.work(waits: false) })
            await wait { counter.done.load(ordering: .acquiring) == round }
            if round % 2 == 0 { await wait { threads.threadCount == 0 } }
        }
        #expect(counter.done.load(ordering: .acquiring) == 20)
    }

    @Test func anIdleThreadIsUsedAgain() async {
        let threads = WorkerThreads(maximumCount: 4, idleTime: 60_000_000_000)
        let counter = Counter()
        for round in 1...50 {
            #expect(threads.run { counter.work(waits: false) })
            await wait { counter.done.load(ordering: .acquiring) == round }
            // Until the thread waits again.
            try? await Task.sleep(for: .milliseconds(1))
        }
        #expect(threads.threadCount <= 2)
    }

    @Test func workIsDoneInItsOrder() async {
        let threads = WorkerThreads(maximumCount: 1, idleTime: 1_000_000)
        let order = Guarded<[Int]>([])
        let box = Box(order)
        for number in 0..<300 { #expect(threads.run { box.mutex.withLock { $0.append(number) } }) }
        await wait { box.mutex.withLock { $0.count } == 300 }
        #expect(box.mutex.withLock { $0 } == Array(0..<300))
    }

    private final class Box: Sendable {
        let mutex: Guarded<[Int]>
        init(_ mutex: consuming Guarded<[Int]>) { self.mutex = mutex }
    }

    @Test func aStormEndsAndNothingIsLost() async {
        let threads = WorkerThreads(maximumCount: 4, idleTime: 100_000)
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 { _ = threads.run { counter.work(waits: false) } }
                }
            }
        }
        await wait { counter.done.load(ordering: .acquiring) == 4000 }
        #expect(counter.done.load(ordering: .acquiring) == 4000 && counter.most.load(ordering: .acquiring) <= 4)
        await wait { threads.threadCount == 0 }
        #expect(threads.threadCount == 0)
    }

    @Test func whatWorkHoldsIsReleased() async {
        final class Witness: Sendable {}
        let threads = WorkerThreads(maximumCount: 1, idleTime: 60_000_000_000)
        weak var witness: Witness?
        let counter = Counter()
        do {
            let object = Witness()
            witness = object
            _ = threads.run { [object] in
                withExtendedLifetime(object) {}
                counter.work(waits: false)
            }
        }
        await wait { counter.done.load(ordering: .acquiring) == 1 }
        await wait { witness == nil }
        #expect(witness == nil)
    }
}
#endif
