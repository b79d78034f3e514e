#if os(Linux)
import Synchronization

/// An event loop, as its transport sees it.
package protocol TransportLoop: Actor {
    /// Submits a command; returns `false` if the loop has stopped and will not receive it.
    nonisolated func submit(_ command: LoopCommand) -> Bool

    /// Whether the calling thread is the loop's.
    nonisolated var isCurrent: Bool { get }

    /// Returns an executor that runs the jobs of tasks on the loop, and reports those that take too long.
    nonisolated func taskExecutor(report: @escaping @Sendable (Duration) -> Void) -> any TaskExecutor

    /// The number of exchanges in flight or waiting.
    var exchangeCount: Int { get }
    /// The number of open sockets.
    var socketCount: Int { get }
}

// The event loops of a transport.
extension Array where Element: TransportLoop {
    /// Creates a loop for each share of the connection limits; if one cannot be created, stops the others.
    package static func loops(
        _ limits: [ConnectionLimits],
        make: (_ name: String, _ share: ConnectionLimits) throws -> Element
    ) throws -> [Element] {
        var loops: [Element] = []
        do {
            for share in limits { loops.append(try make("PiuPiu \(loops.count)", share)) }
        } catch {
            // A loop lives until it is stopped.
            loops.submit(.invalidate)
            throw error
        }
        return loops
    }

    /// The loop on which the current task runs, or else the next one in turn.
    package func next(_ turn: borrowing Atomic<Int>) -> Element {
        guard count > 1 else { return self[0] }
        return first(where: \.isCurrent) ?? self[turn.wrappingAdd(1, ordering: .relaxed).oldValue & .max % count]
    }

    /// Returns an executor for each loop; see ``TaskExecutingTransport``.
    package func taskExecutors(_ report: @escaping @Sendable (EventLoopEvent) -> Void) -> [any TaskExecutor] {
        enumerated().map { number, loop in
            loop.taskExecutor { report(EventLoopEvent(loop: number, .heldUp($0))) }
        }
    }

    /// Submits a command to all loops that have not stopped.
    package func submit(_ command: LoopCommand) {
        for loop in self { _ = loop.submit(command) }
    }

    /// Shuts all loops down, and returns when they have stopped.
    package func shutDown() async {
        // All loops refuse requests before the first wait, so that the refusal of a request doesn't depend on its loop.
        submit(.shutDown(nil))
        for loop in self {
            await withCheckedContinuation { waiter in
                if !loop.submit(.shutDown(waiter)) { waiter.resume() }
            }
        }
    }

    /// Returns the numbers of open sockets and of exchanges in flight or waiting, summed over all loops.
    package func statistics() async -> (sockets: Int, exchanges: Int) {
        var sums = (sockets: 0, exchanges: 0)
        for loop in self {
            sums.sockets += await loop.socketCount
            sums.exchanges += await loop.exchangeCount
        }
        return sums
    }
}
#endif
