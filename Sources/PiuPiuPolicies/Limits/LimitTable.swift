/// The state of one key in a ``LimitTable``.
protocol LimitState: Sendable {
    /// Whether a request waits for this state or is in progress under it.
    ///
    /// The table keeps such a state.
    var isInUse: Bool { get }

    /// Returns whether the state equals a new one, so that forgetting it changes nothing.
    func isLikeNew(at now: ContinuousClock.Instant) -> Bool
}

/// The states of a policy by key; the table forgets the least recently used ones.
///
/// - Each access drops up to two of the least recently used states if they are like new.
/// - A new state beyond the capacity replaces the least recently used one that is not in use. The table keeps states in use
///   even beyond the capacity: at most as many as there are requests. When they are no longer in use, it shrinks with each new
///   state.
///
/// Repeated access with the same key costs one string comparison.
struct LimitTable<State: LimitState>: Sendable {
    private struct Slot {
        let key: String
        var state: State
        /// The next more recently used slot; -1 for none.
        var newer = -1
        /// The next less recently used slot; -1 for none.
        var older = -1
    }

    private let capacity: Int
    private var slots: [Slot] = []
    private var positions: [String: Int] = [:]
    private var newest = -1
    private var oldest = -1

    /// Creates a table that keeps a number of states, at least 1.
    init(capacity: Int = 1024) {
        self.capacity = max(1, capacity)
    }

    /// The number of states.
    var count: Int { slots.count }

    /// Whether there is a state for a key.
    func contains(_ key: String) -> Bool { positions[key] != nil }

    /// Changes the state of a key, and creates it if there is none.
    mutating func withState<Result>(
        of key: String,
        at now: ContinuousClock.Instant,
        initial: @autoclosure () -> State,
        _ body: (inout State) -> Result
    ) -> Result {
        if newest < 0 || slots[newest].key != key {
            if let position = positions[key] { touch(position) } else { insert(key, initial()) }
        }
        if slots.count > 1 { sweep(at: now) }
        return body(&slots[newest].state)
    }

    /// Changes the state of a key without marking it as used; `nil` if there is no state.
    mutating func withExistingState<Result>(of key: String, _ body: (inout State) -> Result) -> Result? {
        if newest >= 0, slots[newest].key == key { return body(&slots[newest].state) }
        guard let position = positions[key] else { return nil }
        return body(&slots[position].state)
    }

    private mutating func insert(_ key: String, _ state: State) {
        if slots.count >= capacity { evict() }
        positions[key] = slots.count
        slots.append(Slot(key: key, state: state))
        link(slots.count - 1)
    }

    /// Drops the least recently used states that are not in use, until there is room for another one.
    ///
    /// It gives up after a few states. A state in use becomes the most recently used.
    private mutating func evict() {
        for _ in 0..<8 where oldest >= 0 && slots.count >= capacity {
            if slots[oldest].state.isInUse { touch(oldest) } else { remove(oldest) }
        }
    }

    /// Drops the least recently used states that are like new, except the current one.
    private mutating func sweep(at now: ContinuousClock.Instant) {
        for _ in 0..<2 {
            guard oldest != newest, !slots[oldest].state.isInUse, slots[oldest].state.isLikeNew(at: now) else { return }
            remove(oldest)
        }
    }

    private mutating func touch(_ position: Int) {
        guard position != newest else { return }
        unlink(position)
        link(position)
    }

    private mutating func link(_ position: Int) {
        slots[position].newer = -1
        slots[position].older = newest
        if newest >= 0 { slots[newest].newer = position } else { oldest = position }
        newest = position
    }

    private mutating func unlink(_ position: Int) {
        let (newer, older) = (slots[position].newer, slots[position].older)
        if newer >= 0 { slots[newer].older = older } else { newest = older }
        if older >= 0 { slots[older].newer = newer } else { oldest = newer }
    }

    private mutating func remove(_ position: Int) {
        unlink(position)
        positions[slots[position].key] = nil
        // The last slot moves to the free position.
        let last = slots.removeLast()
        guard position < slots.count else { return }
        slots[position] = last
        positions[last.key] = position
        if last.newer >= 0 { slots[last.newer].older = position } else { newest = position }
        if last.older >= 0 { slots[last.older].newer = position } else { oldest = position }
    }
}
