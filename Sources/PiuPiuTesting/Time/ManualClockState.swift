/// What can be waited for on a manual clock.
package enum ManualClockCondition: Sendable, Hashable {
    /// A number of tasks sleep, of which those count that will be woken within a time from the present.
    case count(Int, within: Duration?)
    /// A task sleeps until a time, as a duration since the clock was created.
    case deadline(Duration)
    /// A number of tasks have begun to sleep since the clock was created.
    case begun(Int)
}

/// The time of a manual clock, the tasks that sleep on it, and those that wait for a sleeper: a pure value.
///
/// A task announces itself and gets an ID. Then it waits, or it is cancelled, in either order: a cancellation that comes first
/// is remembered, so that the wait ends at once. A continuation is returned exactly once, by whatever ends its wait, and the
/// caller resumes it outside of any lock. A cancellation of a wait that has ended does nothing and leaves nothing behind.
struct ManualClockState<Waiter: Sendable> {
    /// What to do when a task begins to wait.
    struct Action: Sendable {
        /// The continuations to resume, among them the new one if it does not have to wait.
        var due: [Waiter] = []
        /// Whether the task was cancelled before.
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
    /// How many tasks have begun to sleep.
    private(set) var sleepCount = 0
    private var waits: [Int: Wait] = [:]
    private var nextID = 0

    /// The last time that the clock can reach.
    static var end: Duration { .seconds(Int64.max) }

    /// The times at which tasks will be woken, the earliest first.
    var deadlines: [Duration] {
        waits.values.compactMap { if case .asleep(let deadline, _) = $0 { deadline } else { nil } }.sorted()
    }

    /// The number of tasks that are announced, sleep or wait.
    var waitCount: Int { waits.count }

    /// Creates the ID of a task that is going to wait.
    mutating func announce() -> Int {
        nextID += 1
        waits[nextID] = .announced
        return nextID
    }

    /// Lets a task sleep, unless its time has come.
    mutating func sleep(_ id: Int, until deadline: Duration, _ waiter: Waiter) -> Action {
        guard case .announced = waits[id] else { return cancelled(id) }
        waits[id] = deadline > now ? .asleep(until: deadline, waiter) : nil
        sleepCount += 1
        return Action(due: (deadline > now ? [] : [waiter]) + satisfied())
    }

    /// Lets a task wait for a condition, unless it holds.
    mutating func wait(_ id: Int, for condition: ManualClockCondition, _ waiter: Waiter) -> Action {
        guard case .announced = waits[id] else { return cancelled(id) }
        let isMet = isMet(condition, deadlines)
        waits[id] = isMet ? nil : .waiting(condition, waiter)
        return Action(due: isMet ? [waiter] : [])
    }

    /// Ends the wait of a task, even one that has not begun.
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

    /// Moves the clock.
    ///
    /// - Returns: The continuations to resume, those of sleepers first, by their times and then in the order of their arrival.
    mutating func advance(by duration: Duration) -> [Waiter] {
        now += min(max(.zero, duration), Self.end - now)
        let due = waits.compactMap { id, wait -> (deadline: Duration, id: Int, waiter: Waiter)? in
            guard case .asleep(let deadline, let waiter) = wait, deadline <= now else { return nil }
            return (deadline, id, waiter)
        }
        for sleeper in due { waits[sleeper.id] = nil }
        return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }.map(\.waiter) + satisfied()
    }

    /// How long the sleepers that a condition counts still sleep, the shortest time first.
    func waits(of condition: ManualClockCondition) -> [Duration] {
        let waits = deadlines.map { $0 - now }
        guard case .count(_, let limit?) = condition else { return waits }
        return waits.filter { $0 <= limit }
    }

    /// Takes the continuations of the conditions that hold now.
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
