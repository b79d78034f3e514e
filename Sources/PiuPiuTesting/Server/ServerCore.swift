import Foundation
import PiuPiuAsync

/// The locked state of a server, and the pipe that wakes its thread.
final class ServerCore: Sendable {
    private let state = Locked(ServerState())
    /// Separate from the state, because it changes with every write and no task waits for it.
    private let sent = Locked(0)
    private let wakeWriter: Int32
    private let end = NSCondition()

    init(wakeWriter: Int32) {
        self.wakeWriter = wakeWriter
    }

    /// Reads or changes the state, then resumes outside the lock the tasks that waited for the change.
    func update<Result: Sendable>(_ body: (inout ServerState) -> Result) -> Result {
        let (result, ready) = state.withLock { state in
            let result = body(&state)
            return (result, state.takeReadyWaiters())
        }
        for waiter in ready {
            waiter.continuation.resume(returning: waiter.isSatisfied)
        }
        return result
    }

    /// The number of bytes passed to the system, over all connections.
    var bytesSent: Int { sent.withLock { $0 } }

    /// Passes bytes to the system and counts them, so that a client that has received bytes finds them counted.
    func send(_ transmit: () -> Sockets.Outcome) -> Sockets.Outcome {
        sent.withLock { sent in
            let outcome = transmit()
            if case .bytes(let count) = outcome { sent += count }
            return outcome
        }
    }

    /// Waits for a condition; returns `false` if the task is cancelled or the server ends first.
    func wait(for condition: ServerState.Condition) async -> Bool {
        let waiter = update { $0.makeWaiter() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let result = state.withLock({ $0.register(waiter, condition, continuation) }) {
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            // Takes only the state's own lock, under which no continuation is resumed.
            state.withLock { $0.removeWaiter(waiter) }?.resume(returning: false)
        }
    }

    /// Wakes the server's thread to process orders.
    func wakeUp() {
        state.withLock { state in
            // Locked, because the thread closes the pipe after it sets `hasEnded`.
            if state.needsWakeUp() {
                Sockets.signal(wakeWriter)
            }
        }
    }

    /// Called by the server's thread after it has closed every connection.
    func didEnd(wakeReader: Int32) {
        update { $0.hasEnded = true }
        Sockets.end(wakeReader)
        Sockets.end(wakeWriter)
        end.lock()
        end.broadcast()
        end.unlock()
    }

    /// Waits until the server's thread has ended, unless called on that thread.
    func waitForEnd() {
        let current = ObjectIdentifier(Thread.current)
        end.lock()
        defer { end.unlock() }
        while !state.withLock({ $0.hasEnded || $0.thread == current }) {
            end.wait()
        }
    }
}
