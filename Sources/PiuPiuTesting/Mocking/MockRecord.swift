import PiuPiuAsync

/// The requests that a mock received, and the continuations that wait for more, a pure value.
///
/// The caller resumes the returned continuations outside any lock.
struct MockRecord<Waiter> {
    enum WaitAction {
        case wait
        case enough([MockRequest])
        /// The waiting task was already cancelled.
        case cancelled
        /// No more requests can arrive.
        case closed
    }

    private(set) var requests: [MockRequest] = []
    private var waiters: [Int: (count: Int, waiter: Waiter)] = [:]
    private var cancelled: Set<Int> = []
    private var nextID = 0
    private var isClosed = false

    /// Records a request, and returns the continuations to resume.
    mutating func append(_ request: MockRequest) -> [Waiter] {
        requests.append(request)
        let due = waiters.filter { $0.value.count <= requests.count }
        for id in due.keys { waiters[id] = nil }
        return due.values.map(\.waiter)
    }

    /// Creates the ID of a waiting task.
    mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    /// Registers a continuation, unless it can be resumed at once.
    mutating func wait(_ id: Int, for count: Int, _ waiter: Waiter) -> WaitAction {
        if cancelled.remove(id) != nil { return .cancelled }
        if requests.count >= count { return .enough(requests) }
        guard !isClosed else { return .closed }
        waiters[id] = (count, waiter)
        return .wait
    }

    /// Cancels a wait, even if it has not been registered yet.
    mutating func cancel(_ id: Int) -> Waiter? {
        if let waiter = waiters.removeValue(forKey: id)?.waiter { return waiter }
        cancelled.insert(id)
        return nil
    }

    /// Closes the record to further requests, and returns the continuations to resume.
    mutating func close() -> [Waiter] {
        isClosed = true
        defer { waiters = [:] }
        return waiters.values.map(\.waiter)
    }
}
