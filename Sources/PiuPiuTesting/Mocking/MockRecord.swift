import PiuPiuAsync

/// The requests that a mock received, and who waits for more: a pure value.
///
/// What is returned is resumed by the caller, outside of any lock.
struct MockRecord<Waiter> {
    enum WaitAction {
        case wait
        case enough([MockRequest])
        /// The task that waits was cancelled before.
        case cancelled
        /// No more can come.
        case closed
    }

    private(set) var requests: [MockRequest] = []
    private var waiters: [Int: (count: Int, waiter: Waiter)] = [:]
    private var cancelled: Set<Int> = []
    private var nextID = 0
    private var isClosed = false

    /// Takes a request down.
    ///
    /// - Returns: Who waited for it.
    mutating func append(_ request: MockRequest) -> [Waiter] {
        requests.append(request)
        let due = waiters.filter { $0.value.count <= requests.count }
        for id in due.keys { waiters[id] = nil }
        return due.values.map(\.waiter)
    }

    /// A number for somebody who is about to wait.
    mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    /// Waits for requests.
    mutating func wait(_ id: Int, for count: Int, _ waiter: Waiter) -> WaitAction {
        if cancelled.remove(id) != nil { return .cancelled }
        if requests.count >= count { return .enough(requests) }
        guard !isClosed else { return .closed }
        waiters[id] = (count, waiter)
        return .wait
    }

    /// Somebody no longer waits, or will not.
    mutating func cancel(_ id: Int) -> Waiter? {
        if let waiter = waiters.removeValue(forKey: id)?.waiter { return waiter }
        cancelled.insert(id)
        return nil
    }

    /// There will be no more requests.
    ///
    /// - Returns: Who waited for some.
    mutating func close() -> [Waiter] {
        isClosed = true
        defer { waiters = [:] }
        return waiters.values.map(\.waiter)
    }
}
