import Foundation
import PiuPiuAsync

/// A value that changes on some thread, and for whose changes tests wait instead of sleeping.
package final class Observed<State: Sendable>: Sendable {
    private typealias Waiter = (isMet: @Sendable (State) -> Bool, continuation: CheckedContinuation<Bool, Never>)

    private struct Contents {
        var state: State
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let contents: Locked<Contents>
    private let changes = NSCondition()

    package init(_ state: State) {
        contents = Locked(Contents(state: state))
    }

    /// The value at this moment.
    package var value: State { contents.withLock { $0.state } }

    /// Changes the value and resumes whatever waited for it.
    package func update<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, ready) = contents.withLock { contents in
            let result = body(&contents.state)
            let state = contents.state
            let ready = contents.waiters.filter { $0.value.isMet(state) }
            for id in ready.keys { contents.waiters[id] = nil }
            return (result, ready.values.map(\.continuation))
        }
        for continuation in ready { continuation.resume(returning: true) }
        changes.lock()
        changes.broadcast()
        changes.unlock()
        return result
    }

    /// Waits for a condition and returns `true`; `false` if the task is cancelled before.
    package func wait(until isMet: @escaping @Sendable (State) -> Bool) async -> Bool {
        let id = contents.withLock { contents in
            contents.lastWaiter += 1
            return contents.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result: Bool? = contents.withLock { contents in
                    if isMet(contents.state) { return true }
                    // Asked under the lock: a task that is cancelled later finds its waiter registered.
                    if Task.isCancelled { return false }
                    contents.waiters[id] = (isMet, continuation)
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            contents.withLock { $0.waiters.removeValue(forKey: id)?.continuation }?.resume(returning: false)
        }
    }

    /// Blocks the thread until a condition is met or a time has passed, and returns the value.
    package func block(for time: Duration, until isMet: (State) -> Bool) -> State {
        let deadline = Date(timeIntervalSinceNow: TimeInterval(time.components.seconds))
        changes.lock()
        defer { changes.unlock() }
        while true {
            let state = value
            if isMet(state) || !changes.wait(until: deadline) { return value }
        }
    }
}
