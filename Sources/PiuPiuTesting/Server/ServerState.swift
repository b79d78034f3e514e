/// Everything that both the server's thread and its users see.
struct ServerState {
    typealias Continuation = CheckedContinuation<Bool, Never>

    /// What a task can wait for.
    enum Condition {
        case requests(Int, path: String?)
        case openConnections(ClosedRange<Int>)
        case held(String, count: Int)
    }

    /// What the server's thread finds when it is woken.
    struct Orders {
        let releasedConnections: [Int]
        let isStopping: Bool
    }

    var routes = RouteTable()
    var openConnections = 0
    var acceptedConnections = 0
    private(set) var requests: [RecordedRequest] = []
    private(set) var isStopping = false

    /// Who runs the server; `nil` before the thread begins.
    var thread: ObjectIdentifier?

    /// Whether the thread has closed everything it owned; the pipe to it must not be used any more.
    var hasEnded = false

    private var requestCounts: [String: Int] = [:]
    private var openGates: Set<String> = []
    private var heldConnections: [String: Set<Int>] = [:]
    private var releasedConnections: [Int] = []
    private var isWakeUpPending = false
    private var waiters: [Int: (condition: Condition, continuation: Continuation)] = [:]
    private var lastWaiter = 0

    /// How many tasks wait for something.
    var waiterCount: Int { waiters.count }

    // MARK: Requests

    mutating func record(_ request: RecordedRequest) {
        requests.append(request)
        requestCounts[request.path, default: 0] += 1
    }

    mutating func forgetRequests() {
        requests = []
        requestCounts = [:]
    }

    // MARK: Gates

    /// Puts a connection in front of a gate, or returns `false` if the gate is open.
    mutating func hold(_ connection: Int, at gate: String) -> Bool {
        guard !openGates.contains(gate) else { return false }
        heldConnections[gate, default: []].insert(connection)
        return true
    }

    mutating func removeHeld(_ connection: Int, from gate: String) {
        heldConnections[gate]?.remove(connection)
    }

    /// Opens a gate and tells whether the server's thread has something to do.
    mutating func open(_ gate: String) -> Bool {
        openGates.insert(gate)
        guard let held = heldConnections.removeValue(forKey: gate), !held.isEmpty else { return false }
        releasedConnections += held.sorted()
        return true
    }

    // MARK: The server's thread

    mutating func stop() {
        isStopping = true
    }

    /// Whether a byte has to be written into the pipe to the server's thread.
    mutating func needsWakeUp() -> Bool {
        guard !hasEnded, !isWakeUpPending else { return false }
        isWakeUpPending = true
        return true
    }

    mutating func takeOrders() -> Orders {
        defer { releasedConnections = [] }
        isWakeUpPending = false
        return Orders(releasedConnections: releasedConnections, isStopping: isStopping)
    }

    // MARK: Waiters

    mutating func makeWaiter() -> Int {
        lastWaiter += 1
        return lastWaiter
    }

    /// Keeps a continuation until its condition holds, or returns what to resume it with now.
    mutating func register(_ waiter: Int, _ condition: Condition, _ continuation: Continuation) -> Bool? {
        if isSatisfied(condition) { return true }
        // Asked under the lock: a task that is cancelled later finds its waiter registered.
        if hasEnded || Task.isCancelled { return false }
        waiters[waiter] = (condition, continuation)
        return nil
    }

    mutating func removeWaiter(_ waiter: Int) -> Continuation? {
        waiters.removeValue(forKey: waiter)?.continuation
    }

    /// Takes the waiters that need not wait any longer, each with the value to resume it with.
    mutating func takeReadyWaiters() -> [(continuation: Continuation, isSatisfied: Bool)] {
        guard !waiters.isEmpty else { return [] }
        var ready: [(continuation: Continuation, isSatisfied: Bool)] = []
        for (waiter, entry) in waiters {
            let isSatisfied = isSatisfied(entry.condition)
            guard isSatisfied || hasEnded else { continue }
            waiters[waiter] = nil
            ready.append((entry.continuation, isSatisfied))
        }
        return ready
    }

    private func isSatisfied(_ condition: Condition) -> Bool {
        switch condition {
        case .requests(let count, nil): requests.count >= count
        case .requests(let count, let path?): requestCounts[path, default: 0] >= count
        case .openConnections(let range): range.contains(openConnections)
        case .held(let gate, let count): (heldConnections[gate]?.count ?? 0) >= count
        }
    }
}
