/// What the exchanges of one `URLSession` share: the session, their turns, their time limits, and the end.
///
/// Tasks are made, started and cancelled, and the session is invalidated, on one serial queue and under no lock: no task is
/// made after the end, and nobody else waits for Foundation's own queue, which may take seconds while it is busy with a
/// fast download (measured: 7 s on Linux). What takes something back goes through the delegate's queue first, so that a
/// redirect is never answered after its task was cancelled. On Linux, each of these would end or stop the process.
final class SessionEngine: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    /// An exchange's place among the time limits.
    private final class Alarm: DeadlineHeapItem {
        let exchange: SessionExchange
        var dueAt: Int64 = 0
        var heapIndex: Int?

        init(_ exchange: SessionExchange) {
            self.exchange = exchange
        }
    }

    /// A task, whose number is one of its session's.
    private struct TaskKey: Hashable {
        let session: ObjectIdentifier
        let number: Int

        init(_ task: URLSessionTask, _ session: URLSession) {
            self.session = ObjectIdentifier(session)
            number = task.taskIdentifier
        }
    }

    private struct Entry {
        let exchange: SessionExchange
        let alarm: Alarm
        var isAdmitted = false
    }

    private struct State {
        var session: URLSession?
        var isOpen = true
        var entries: [ObjectIdentifier: Entry] = [:]
        var gate: ConnectionGate<ObjectIdentifier>
        /// The exchanges by their tasks.
        var tasks: [TaskKey: SessionExchange] = [:]
        var alarms = DeadlineHeap<Alarm>()
        /// For when the timer is set.
        var wakesAt: Int64?
        var waiters: [Waiter] = []
    }

    /// Where the delegate is told; it must not be made to wait, or what arrives piles up.
    let queue = OperationQueue()
    /// Where Foundation is asked, and may make wait.
    private let control = DispatchQueue(label: "PiuPiu URLSession control")
    private let timers = DispatchQueue(label: "PiuPiu time limits")
    private let sessionConfiguration: URLSessionConfiguration
    private let state: Locked<State>

    /// Creates an engine and its session.
    init(_ limits: ConnectionLimits, _ sessionConfiguration: URLSessionConfiguration) {
        self.sessionConfiguration = sessionConfiguration
        queue.maxConcurrentOperationCount = 1
        queue.name = "PiuPiu URLSession"
        state = Locked(State(gate: ConnectionGate(limits)))
        let session = openSession()
        state.withLock { $0.session = session }
    }

    /// The present, in nanoseconds.
    static var now: Int64 { Int64(clamping: DispatchTime.now().uptimeNanoseconds) }

    /// The session, for ``perform(_:)`` only; `nil` after the end.
    var session: URLSession? { state.withLock { $0.session } }

    /// How many exchanges there are, waiting ones included.
    var exchangeCount: Int { state.withLock { $0.entries.count } }

    /// Asks something of Foundation.
    func perform(_ work: @escaping @Sendable () -> Void) {
        control.async(execute: work)
    }

    /// Asks something of Foundation after all that the delegate was told.
    func performAfterDelegate(_ work: @escaping @Sendable () -> Void) {
        queue.addOperation { self.perform(work) }
    }

    /// Opens a session, with connections of its own, which holds on to the engine until it is invalidated.
    func openSession() -> URLSession {
        URLSession(configuration: sessionConfiguration, delegate: SessionDelegate(self), delegateQueue: queue)
    }

    // MARK: Exchanges

    /// Takes an exchange in.
    ///
    /// - Returns: Whether it may begin.
    func add(_ exchange: SessionExchange) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            state.entries[ObjectIdentifier(exchange)] = Entry(exchange: exchange, alarm: Alarm(exchange))
            return true
        }
    }

    /// Starts an exchange when it is its turn.
    func request(_ exchange: SessionExchange) {
        let id = ObjectIdentifier(exchange)
        let isAdmitted = state.withLock { state in
            guard state.entries[id] != nil, state.gate.request(id, origin: exchange.origin) else { return false }
            state.entries[id]?.isAdmitted = true
            return true
        }
        if isAdmitted { exchange.start() }
    }

    /// Lets go of an exchange that has ended.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - isMultiplexed: Whether its origin turned out to speak HTTP/2; `nil` where that is not known.
    func remove(_ exchange: SessionExchange, isMultiplexed: Bool?) {
        let id = ObjectIdentifier(exchange)
        let (admitted, closes) = state.withLock { state -> ([SessionExchange], Bool) in
            guard let entry = state.entries.removeValue(forKey: id) else { return ([], false) }
            state.alarms.remove(entry.alarm)
            var ids: [ObjectIdentifier] = []
            if entry.isAdmitted {
                ids = state.gate.release(origin: exchange.origin, isMultiplexed: isMultiplexed)
            } else {
                state.gate.cancel(id, origin: exchange.origin)
            }
            for id in ids { state.entries[id]?.isAdmitted = true }
            return (ids.compactMap { state.entries[$0]?.exchange }, !state.isOpen && state.entries.isEmpty)
        }
        for exchange in admitted { exchange.start() }
        if closes { close() }
    }

    /// Remembers whose task it is; `nil` forgets it.
    func assign(_ exchange: SessionExchange?, to task: URLSessionTask, of session: URLSession) {
        state.withLock { $0.tasks[TaskKey(task, session)] = exchange }
    }

    func exchange(of task: URLSessionTask, in session: URLSession) -> SessionExchange? {
        state.withLock { $0.tasks[TaskKey(task, session)] }
    }

    // MARK: Time limits

    /// Wakes an exchange when a limit is reached, unless it is woken before anyway.
    func wake(_ exchange: SessionExchange, at time: Int64) {
        let wakesAt = state.withLock { state -> Int64? in
            guard let alarm = state.entries[ObjectIdentifier(exchange)]?.alarm else { return nil }
            if alarm.heapIndex == nil || time < alarm.dueAt { state.alarms.schedule(alarm, at: time) }
            return Self.nextWake(&state)
        }
        if let wakesAt { setTimer(wakesAt) }
    }

    /// When the timer has to be set to; `nil` where it is already.
    private static func nextWake(_ state: inout State) -> Int64? {
        guard let first = state.alarms.first?.dueAt, first < state.wakesAt ?? .max else { return nil }
        state.wakesAt = first
        return first
    }

    private func setTimer(_ time: Int64) {
        let deadline = DispatchTime(uptimeNanoseconds: UInt64(clamping: time))
        timers.asyncAfter(deadline: deadline) { [weak self] in self?.ring(time) }
    }

    private func ring(_ time: Int64) {
        let now = Self.now
        let due = state.withLock { state -> [SessionExchange] in
            // A timer that was set for later comes too, and has nothing to do.
            guard state.wakesAt == time else { return [] }
            state.wakesAt = nil
            var due: [SessionExchange] = []
            while let alarm = state.alarms.first, alarm.dueAt <= now {
                state.alarms.remove(alarm)
                due.append(alarm.exchange)
            }
            return due
        }
        // Each comes back with its next limit.
        for exchange in due { exchange.expire(now: now) }
        if let wakesAt = state.withLock({ Self.nextWake(&$0) }) { setTimer(wakesAt) }
    }

    // MARK: The end

    /// Refuses new exchanges, and returns when those under way have ended.
    func shutdown() async {
        await withCheckedContinuation { continuation in
            let (isOver, closes) = state.withLock { state in
                let closes = state.isOpen && state.entries.isEmpty
                state.isOpen = false
                if state.session != nil { state.waiters.append(continuation) }
                return (state.session == nil, closes)
            }
            if isOver { continuation.resume() }
            if closes { close() }
        }
    }

    /// Refuses new exchanges, and cancels those under way.
    func invalidateAndCancel() {
        let (exchanges, closes) = state.withLock { state in
            let closes = state.isOpen && state.entries.isEmpty
            state.isOpen = false
            return (state.entries.values.map(\.exchange), closes)
        }
        for exchange in exchanges { exchange.cancel() }
        if closes { close() }
    }

    /// Lets go of the session, after what was asked of its tasks before.
    private func close() {
        performAfterDelegate { [self] in
            let (session, waiters) = state.withLock { state in
                defer {
                    state.session = nil
                    state.waiters = []
                }
                return (state.session, state.waiters)
            }
            session?.finishTasksAndInvalidate()
            for waiter in waiters { waiter.resume() }
        }
    }
}
