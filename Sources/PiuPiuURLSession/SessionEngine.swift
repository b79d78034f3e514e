/// The state shared by the exchanges of one `URLSession`: the session, admission, time limits and shutdown.
///
/// Tasks are created, started and cancelled, and the session is invalidated, on one serial queue and without holding a
/// lock. No task is created after the session is invalidated, and no other thread waits for Foundation's own queue,
/// which can block for seconds during a fast download (measured: 7 s on Linux). Cancellation and invalidation go
/// through the delegate's queue first, so that a redirect is never answered after its task was cancelled. On Linux,
/// breaking any of these rules would terminate or hang the process.
final class SessionEngine: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    /// An exchange's entry in the heap of time limits.
    private final class Alarm: DeadlineHeapItem {
        let exchange: SessionExchange
        var dueAt: Int64 = 0
        var heapIndex: Int?

        init(_ exchange: SessionExchange) {
            self.exchange = exchange
        }
    }

    /// The identity of a task: its identifier is unique only within its session.
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
        var gate: ConnectionGate
        /// The exchanges, by task.
        var tasks: [TaskKey: SessionExchange] = [:]
        var alarms = DeadlineHeap<Alarm>()
        /// The time the timer is set for.
        var wakesAt: Int64?
        var waiters: [Waiter] = []
    }

    /// The delegate's queue; it must not block, or received data piles up.
    let queue = OperationQueue()
    /// The queue for calls into Foundation, which may block.
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

    /// The current time, in nanoseconds.
    static var now: Int64 { Int64(clamping: DispatchTime.now().uptimeNanoseconds) }

    /// The session, only for use inside ``perform(_:)``; `nil` after it was invalidated.
    var session: URLSession? { state.withLock { $0.session } }

    /// The number of exchanges, including waiting ones.
    var exchangeCount: Int { state.withLock { $0.entries.count } }

    /// Performs calls into Foundation on the control queue.
    func perform(_ work: @escaping @Sendable () -> Void) {
        control.async(execute: work)
    }

    /// Performs calls into Foundation after every delegate callback that is already queued.
    func performAfterDelegate(_ work: @escaping @Sendable () -> Void) {
        queue.addOperation { self.perform(work) }
    }

    /// Opens a session with its own connections, which retains the engine until it is invalidated.
    func openSession() -> URLSession {
        URLSession(configuration: sessionConfiguration, delegate: SessionDelegate(self), delegateQueue: queue)
    }

    // MARK: Exchanges

    /// Adds an exchange, and returns whether it may begin.
    func add(_ exchange: SessionExchange) -> Bool {
        state.withLock { state in
            guard state.isOpen else { return false }
            state.entries[ObjectIdentifier(exchange)] = Entry(exchange: exchange, alarm: Alarm(exchange))
            return true
        }
    }

    /// Requests a turn for an exchange, and starts it if it is admitted at once.
    func request(_ exchange: SessionExchange) {
        let id = ObjectIdentifier(exchange)
        let isAdmitted = state.withLock { state in
            guard state.entries[id] != nil, state.gate.request(id, origin: exchange.origin) else { return false }
            state.entries[id]?.isAdmitted = true
            return true
        }
        if isAdmitted { exchange.start() }
    }

    /// Removes an exchange that has ended, and starts those that are admitted in its place.
    ///
    /// If `isMultiplexed` is `nil`, the protocol of its origin is unknown.
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

    /// Records the exchange of a task; `nil` removes it.
    func assign(_ exchange: SessionExchange?, to task: URLSessionTask, of session: URLSession) {
        state.withLock { $0.tasks[TaskKey(task, session)] = exchange }
    }

    func exchange(of task: URLSessionTask, in session: URLSession) -> SessionExchange? {
        state.withLock { $0.tasks[TaskKey(task, session)] }
    }

    // MARK: Time limits

    /// Wakes an exchange at a time limit, unless an earlier wake-up is already set.
    func wake(_ exchange: SessionExchange, at time: Int64) {
        let wakesAt = state.withLock { state -> Int64? in
            guard let alarm = state.entries[ObjectIdentifier(exchange)]?.alarm else { return nil }
            if alarm.heapIndex == nil || time < alarm.dueAt { state.alarms.schedule(alarm, at: time) }
            return Self.nextWake(&state)
        }
        if let wakesAt { setTimer(wakesAt) }
    }

    /// The time to set the timer to; `nil` if it is already set early enough.
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
            // A timer that was set for a later time also fires, but has nothing to do.
            guard state.wakesAt == time else { return [] }
            state.wakesAt = nil
            var due: [SessionExchange] = []
            while let alarm = state.alarms.first, alarm.dueAt <= now {
                state.alarms.remove(alarm)
                due.append(alarm.exchange)
            }
            return due
        }
        // Each exchange schedules its next limit.
        for exchange in due { exchange.expire(now: now) }
        if let wakesAt = state.withLock({ Self.nextWake(&$0) }) { setTimer(wakesAt) }
    }

    // MARK: The end

    /// Refuses new exchanges and returns when those in progress have ended.
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

    /// Refuses new exchanges and cancels those in progress.
    func invalidateAndCancel() {
        let (exchanges, closes) = state.withLock { state in
            let closes = state.isOpen && state.entries.isEmpty
            state.isOpen = false
            return (state.entries.values.map(\.exchange), closes)
        }
        for exchange in exchanges { exchange.cancel() }
        if closes { close() }
    }

    /// Releases the session after all earlier calls for its tasks.
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
