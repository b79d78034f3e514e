/// A condition to wait for on a manual clock.
package enum ManualClockCondition: Sendable, Hashable {
    /// A number of tasks sleep and, with a duration, wake within it from now.
    case count(Int, within: Duration?)
    /// A task sleeps until a time, as a duration since the clock was created.
    case deadline(Duration)
    /// A number of tasks have begun to sleep since the clock was created.
    case begun(Int)
}

/// The time of a manual clock, its sleeping tasks, and the tasks that wait for a sleeper: a pure value.
///
/// A task announces itself and gets an ID. It then waits or is cancelled, in either order: the state remembers an early
/// cancellation, so that the wait ends at once. It returns each continuation exactly once, when the wait ends, and the caller
/// resumes it outside any lock. Cancelling a wait that has ended has no effect and leaves nothing behind.
struct ManualClockState<Waiter: Sendable> {
    /// The effects of beginning to wait.
    struct Action: Sendable {
        /// The continuations to resume, including the new one if it does not have to wait.
        var due: [Waiter] = []
        /// Whether the task was already cancelled.
        var isCancelled = false
    }

    private enum Wait {
        case announced
        case cancelled
        case asleep(until: Duration, Waiter)
        case waiting(ManualClockCondition, Waiter)
    }

    /// The time since the clock was created.
    private(set) var now = Duration.zero
    /// The number of tasks that have begun to sleep.
    private(set) var sleepCount = 0
    private var waits: [Int: Wait] = [:]
    private var nextID = 0

    /// The last time that the clock can reach.
    static var end: Duration { .seconds(Int64.max) }

    /// The times at which sleeping tasks wake, earliest first.
    var deadlines: [Duration] {
        waits.values.compactMap { if case .asleep(let deadline, _) = $0 { deadline } else { nil } }.sorted()
    }

    /// The number of tasks that are announced, asleep or waiting.
    var waitCount: Int { waits.count }

    /// Creates the ID of a task that is about to wait.
    mutating func announce() -> Int {
        nextID += 1
        waits[nextID] = .announced
        return nextID
    }

    /// Lets a task sleep, unless its time has already come.
    mutating func sleep(_ id: Int, until deadline: Duration, _ waiter: Waiter) -> Action {
        guard case .announced = waits[id] else { return cancelled(id) }
        waits[id] = deadline > now ? .asleep(until: deadline, waiter) : nil
        sleepCount += 1
        return Action(due: (deadline > now ? [] : [waiter]) + satisfied())
    }

    /// Lets a task wait for a condition, unless it already holds.
    mutating func wait(_ id: Int, for condition: ManualClockCondition, _ waiter: Waiter) -> Action {
        guard case .announced = waits[id] else { return cancelled(id) }
        let isMet = isMet(condition, deadlines)
        waits[id] = isMet ? nil : .waiting(condition, waiter)
        return Action(due: isMet ? [waiter] : [])
    }

    /// Ends the wait of a task, even if it has not begun.
    mutating func cancel(_ id: Int) -> Waiter? {
        switch waits[id] {
        case .announced:
            waits[id] = .cancelled
            return nil
        case .asleep(_, let waiter), .waiting(_, let waiter):
            waits[id] = nil
            return waiter
        case .cancelled, nil: return nil
        }
    }

    /// Moves the clock, and returns the continuations to resume: first those of sleepers, by time and then by arrival.
    mutating func advance(by duration: Duration) -> [Waiter] {
        now += min(max(.zero, duration), Self.end - now)
        let due = waits.compactMap { id, wait -> (deadline: Duration, id: Int, waiter: Waiter)? in
            guard case .asleep(let deadline, let waiter) = wait, deadline <= now else { return nil }
            return (deadline, id, waiter)
        }
        for sleeper in due { waits[sleeper.id] = nil }
        return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }.map(\.waiter) + satisfied()
    }

    /// The remaining times of the sleepers that a condition counts, shortest first.
    func waits(of condition: ManualClockCondition) -> [Duration] {
        let waits = deadlines.map { $0 - now }
        guard case .count(_, let limit?) = condition else { return waits }
        return waits.filter { $0 <= limit }
    }

    /// Removes and returns the continuations of the conditions that hold now.
    private mutating func satisfied() -> [Waiter] {
        let deadlines = deadlines
        var due: [Waiter] = []
        for (id, wait) in waits {
            guard case .waiting(let condition, let waiter) = wait, isMet(condition, deadlines) else { continue }
            waits[id] = nil
            due.append(waiter)
        }
        return due
    }

    private func isMet(_ condition: ManualClockCondition, _ deadlines: [Duration]) -> Bool {
        switch condition {
        case .count(let count, within: nil): deadlines.count >= count
        case .count(let count, let limit?): deadlines.filter { $0 - now <= limit }.count >= count
        case .deadline(let deadline): deadlines.contains(deadline)
        case .begun(let count): sleepCount >= count
        }
    }

    private mutating func cancelled(_ id: Int) -> Action {
        waits[id] = nil
        return Action(isCancelled: true)
    }
}
