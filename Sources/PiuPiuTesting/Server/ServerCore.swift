import Foundation
import PiuPiuAsync

/// The state of a server behind its lock, and the way to wake its thread.
final class ServerCore: Sendable {
    private let state = Locked(ServerState())
    /// Apart from the state, because nobody waits for it and it changes with every write.
    private let sent = Locked(0)
    private let wakeWriter: Int32
    private let end = NSCondition()

    init(wakeWriter: Int32) {
        self.wakeWriter = wakeWriter
    }

    /// Reads or changes the state, then resumes whoever waited for the change, outside the lock.
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

    /// How many bytes were handed to the system, over all connections.
    var bytesSent: Int { sent.withLock { $0 } }

    /// Counts bytes that were handed to the system.
    func didSend(_ count: Int) {
        sent.withLock { $0 += count }
    }

    /// Waits for a condition and tells whether it came true; it did not if the task was cancelled or the server stopped.
    func wait(for condition: ServerState.Condition) async -> Bool {
        let waiter = update { $0.makeWaiter() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let result = state.withLock({ $0.register(waiter, condition, continuation) }) {
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            // Takes only the state's own lock, under which nothing is ever resumed.
            state.withLock { $0.removeWaiter(waiter) }?.resume(returning: false)
        }
    }

    /// Makes the server's thread look for orders.
    func wakeUp() {
        state.withLock { state in
            // Under the lock, because the thread closes the pipe after it has said that it ended.
            if state.needsWakeUp() {
                Sockets.signal(wakeWriter)
            }
        }
    }

    /// Called by the server's thread when every connection is closed.
    func didEnd(wakeReader: Int32) {
        update { $0.hasEnded = true }
        Sockets.end(wakeReader)
        Sockets.end(wakeWriter)
        end.lock()
        end.broadcast()
        end.unlock()
    }

    /// Waits for the server's thread, unless this is the server's thread.
    func waitForEnd() {
        let current = ObjectIdentifier(Thread.current)
        end.lock()
        defer { end.unlock() }
        while !state.withLock({ $0.hasEnded || $0.thread == current }) {
            end.wait()
        }
    }
}
