#if os(Linux)
import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import Synchronization
import TestSupport
import Testing

@testable import PiuPiuCore
@testable import PiuPiuSockets

struct TransportLoopTests {
    /// A loop that notes its commands, and answers a caller that waits for its end at once.
    private actor Loop: TransportLoop {
        private let name: String
        private let log: Locked<[String]>
        private let hasStopped: Bool
        nonisolated let isCurrent: Bool
        let exchangeCount = 2
        let socketCount = 3

        init(_ name: String, _ log: Locked<[String]>, hasStopped: Bool = false, isCurrent: Bool = false) {
            self.isCurrent = isCurrent
            self.name = name
            self.log = log
            self.hasStopped = hasStopped
        }

        nonisolated func taskExecutor(report: @escaping @Sendable (Duration) -> Void) -> any TaskExecutor {
            log.withLock { $0.append("\(name) executor") }
            report(.seconds(1))
            return globalConcurrentExecutor
        }

        nonisolated func submit(_ command: LoopCommand) -> Bool {
            let text =
                switch command {
                case .cancel: "cancel"
                case .resume(_, let direction): "resume \(direction)"
                case .retire: "retire"
                case .shutDown(let waiter): waiter == nil ? "refuse" : "end"
                case .invalidate: "invalidate"
                }
            log.withLock { $0.append("\(name) \(text)") }
            if !hasStopped { command.refuse() }
            return !hasStopped
        }
    }

    private let log = Locked<[String]>([])
    private var noted: [String] { log.withLock { $0 } }

    @Test func allLoopsRefuseRequestsBeforeTheFirstWaitForAnEnd() async {
        let loops = [Loop("a", log), Loop("b", log, hasStopped: true), Loop("c", log)]
        await loops.shutDown()
        #expect(noted == ["a refuse", "b refuse", "c refuse", "a end", "b end", "c end"])
    }

    @Test func requestsGoToTheCurrentLoopOrElseToAllInTurn() {
        let turn = Atomic<Int>(0)
        let loops = [Loop("a", log), Loop("b", log), Loop("c", log)]
        let chosen = (0..<7).map { _ in loops.next(turn) }.map { loop in loops.firstIndex { $0 === loop } }
        #expect(chosen == [0, 1, 2, 0, 1, 2, 0])
        let current = [loops[0], Loop("d", log, isCurrent: true)]
        #expect((0..<3).allSatisfy { _ in current.next(turn) === current[1] })
        #expect([loops[2]].next(turn) === loops[2])
    }

    @Test func eachLoopHasAnExecutorThatReportsItsNumber() {
        let events = Locked<[EventLoopEvent]>([])
        let executors = [Loop("a", log), Loop("b", log)].taskExecutors { event in events.withLock { $0.append(event) } }
        #expect(executors.count == 2)
        #expect(noted == ["a executor", "b executor"])
        let expected = (0..<2).map { EventLoopEvent(loop: $0, .heldUp(.seconds(1))) }
        #expect(events.withLock { $0 } == expected)
    }

    @Test func theNumbersOfAllLoopsAreAdded() async {
        let sums = await [Loop("a", log), Loop("b", log)].statistics()
        #expect(sums == (sockets: 6, exchanges: 4))
    }

    @Test func theOtherLoopsAreStoppedIfOneCannotBeCreated() throws {
        let limits = [ConnectionLimits](repeating: ConnectionLimits(), count: 3)
        #expect(throws: TransportError.self) {
            _ = try [Loop].loops(limits) { name, _ in
                guard name != "PiuPiu 2" else { throw TransportError(.outOfResources) }
                return Loop(name, log)
            }
        }
        #expect(noted == ["PiuPiu 0 invalidate", "PiuPiu 1 invalidate"])
        #expect(try [Loop].loops(limits) { name, _ in Loop(name, log) }.count == 3)
    }

    @Test func theEndOfALoopResumesAllThatWait() async {
        var shutdown = LoopShutdown()
        #expect(shutdown.isRunning)
        shutdown.begin()
        #expect(!shutdown.isRunning)
        let state = Locked((shutdown: shutdown, count: 0))
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    await withCheckedContinuation { waiter in
                        state.withLock { state in
                            state.shutdown.begin(waiter)
                            state.count += 1
                        }
                    }
                }
            }
            while state.withLock({ $0.count }) < 2 { await Task.yield() }
            var ending = state.withLock { $0.shutdown }
            ending.end()
            // The waiters are gone, so that none is resumed twice.
            ending.end()
        }
    }

    @Test func theTimeoutOfAWaitIsRoundedUp() {
        let now = Reactor.clock()
        #expect(Reactor.timeout(until: .max) == -1)
        #expect(Reactor.timeout(until: .max - 1) == .max)
        #expect(Reactor.timeout(until: 0) == 0 && Reactor.timeout(until: now) == 0)
        #expect((9_000...10_001).contains(Reactor.timeout(until: now + 10_000_000_001)))
    }

    @Test func aThreadReleasesItsWork() async {
        final class Token: Sendable {}
        var token: Token? = Token()
        weak var released: Token?
        released = token
        await withCheckedContinuation { waiter in
            do {
                try EventLoopThread.start("PiuPiu test") { [token] in
                    withExtendedLifetime(token) {}
                    waiter.resume()
                }
            } catch {
                Issue.record(error)
                waiter.resume()
            }
        }
        token = nil
        #expect(await eventually { released == nil })
    }
}
#endif
