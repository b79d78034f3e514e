import PiuPiuAsync

/// The state that the server's thread shares with the users of the server.
struct ServerState {
    typealias Continuation = CheckedContinuation<Bool, Never>

    /// A condition that a task can wait for.
    enum Condition {
        case requests(Int, path: String?)
        case openConnections(ClosedRange<Int>)
        case held(String, count: Int)
        case messages(Int, path: String?)
    }

    /// Orders for the server's thread, which processes them when it wakes.
    struct Orders {
        let releasedConnections: [Int]
        let isStopping: Bool
    }

    var routes = RouteTable()
    var openConnections = 0
    var acceptedConnections = 0
    private(set) var requests: [RecordedRequest] = []
    private(set) var isStopping = false
    #if WebSockets
    /// The messages of WebSockets, with the paths of their requests.
    private var messages: [(path: String, message: WebSocketMessage)] = []
    #endif

    /// The thread that runs the server; `nil` before it starts.
    var thread: ObjectIdentifier?

    /// Whether the thread has closed everything it owned; its pipe is then invalid.
    var hasEnded = false

    private var requestCounts: [String: Int] = [:]
    private var openGates: Set<String> = []
    private var heldConnections: [String: Set<Int>] = [:]
    private var releasedConnections: [Int] = []
    private var isWakeUpPending = false
    private var waiters: [Int: (condition: Condition, continuation: Continuation)] = [:]
    private var lastWaiter = 0

    /// The number of waiting tasks.
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

    #if WebSockets
    mutating func record(_ message: WebSocketMessage, path: String) {
        messages.append((path, message))
    }

    func webSocketMessages(for path: String?) -> [WebSocketMessage] {
        messages.filter { path == nil || $0.path == path }.map(\.message)
    }
    #else
    private func webSocketMessages(for path: String?) -> [Never] { [] }
    #endif

    // MARK: Gates

    /// Makes a connection wait at a gate, or returns `false` if the gate is open.
    mutating func hold(_ connection: Int, at gate: String) -> Bool {
        guard !openGates.contains(gate) else { return false }
        heldConnections[gate, default: []].insert(connection)
        return true
    }

    mutating func removeHeld(_ connection: Int, from gate: String) {
        heldConnections[gate]?.remove(connection)
    }

    /// Opens a gate, and returns whether to wake the server's thread.
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

    /// Whether to write a byte to the pipe to the server's thread.
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

    /// Keeps a continuation until its condition holds, or returns the result to resume it with now.
    mutating func register(_ waiter: Int, _ condition: Condition, _ continuation: Continuation) -> Bool? {
        if isSatisfied(condition) { return true }
        // Checked under the lock, so that a later cancellation finds the waiter registered.
        if hasEnded || Task.isCancelled { return false }
        waiters[waiter] = (condition, continuation)
        return nil
    }

    mutating func removeWaiter(_ waiter: Int) -> Continuation? {
        waiters.removeValue(forKey: waiter)?.continuation
    }

    /// Removes and returns the waiters to resume, each with its result.
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
        case .messages(let count, let path): webSocketMessages(for: path).count >= count
        case .openConnections(let range): range.contains(openConnections)
        case .held(let gate, let count): (heldConnections[gate]?.count ?? 0) >= count
        }
    }
}
