/// The logic of a ``ConcurrencyLimit``: permits per key, each with a queue.
///
///     acquire ──▶ in flight ── release ──▶ gone; its permit goes to the next in line
///        │            ▲
///        │       grant│
///        └──▶ waiting ┴── cancel (cancelled or expired) ──▶ gone
///
/// A granted permit counts as in flight at once. If the request is cancelled at the same moment, `cancel` no longer finds it,
/// and the request itself releases the permit: each permit has one owner at any time.
///
/// The next in line is the oldest request of the highest priority. After ``patience`` consecutive permits have passed over the
/// request that has waited longest, that one is next, so no priority starves.
struct ConcurrencyLimitMachine<Waiter: Sendable>: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct Lane: LimitState {
        /// Requests of the same priority, in order of arrival.
        struct Line {
            let priority: UInt8
            var queue = FIFO<Int>()
        }

        var inFlight = 0
        var limit: Int
        /// The adapting limit; `nil` if the limit is fixed.
        var estimate: LatencyGradient?
        /// The nonempty lines, from the highest priority to the lowest.
        var lines: [Line] = []
        /// The number of consecutive permits that passed over the request that has waited longest.
        var passes = 0

        var waitingCount: Int { lines.reduce(0) { $0 + $1.queue.count } }
        var isInUse: Bool { inFlight > 0 || !lines.isEmpty }

        func isLikeNew(at now: Instant) -> Bool { !isInUse && estimate == nil }

        mutating func append(_ id: Int, _ priority: UInt8) {
            let index = lines.firstIndex { $0.priority <= priority } ?? lines.count
            if index == lines.count || lines[index].priority != priority {
                lines.insert(Line(priority: priority), at: index)
            }
            lines[index].queue.append(id)
        }

        mutating func remove(_ id: Int, _ priority: UInt8) {
            guard let index = lines.firstIndex(where: { $0.priority == priority }) else { return }
            lines[index].queue.remove(id)
            if lines[index].queue.isEmpty { lines.remove(at: index) }
        }

        /// Removes the next in line.
        mutating func popNext() -> Int? {
            guard !lines.isEmpty else { return nil }
            var oldest = 0
            // Identifiers ascend in the order of arrival.
            for index in lines.indices.dropFirst() {
                if let id = lines[index].queue.first, let other = lines[oldest].queue.first, id < other {
                    oldest = index
                }
            }
            let isDue = passes >= ConcurrencyLimitMachine.patience
            passes = oldest == 0 || isDue ? 0 : passes + 1
            let index = isDue ? oldest : 0
            let id = lines[index].queue.popFirst()
            if lines[index].queue.isEmpty { lines.remove(at: index) }
            return id
        }
    }

    private struct Waiting {
        let key: String
        let priority: UInt8
        let waiter: Waiter
    }

    /// The maximum number of consecutive permits that may pass over the request that has waited longest.
    static var patience: Int { 7 }
    /// The highest limit and the longest queue.
    static var largestCount: Int { 1_000_000 }

    private let limit: Int
    private let gradient: LatencyGradient?
    private let maximumWaiting: Int
    private var lanes: LimitTable<Lane>
    private var waiting: [Int: Waiting] = [:]
    private var lastID = 0

    /// Creates permits with a fixed limit per key, of at least 1; keeps at most `capacity` keys.
    init(limit: Int, maximumWaiting: Int, capacity: Int = 1024) {
        self.init(min(max(1, limit), Self.largestCount), nil, maximumWaiting, capacity)
    }

    /// Creates permits with an adapting limit per key, which starts at an estimate; keeps at most `capacity` keys.
    init(_ gradient: LatencyGradient, maximumWaiting: Int, capacity: Int = 1024) {
        self.init(gradient.limit, gradient, maximumWaiting, capacity)
    }

    private init(_ limit: Int, _ gradient: LatencyGradient?, _ maximumWaiting: Int, _ capacity: Int) {
        self.limit = limit
        self.gradient = gradient
        self.maximumWaiting = min(max(0, maximumWaiting), Self.largestCount)
        lanes = LimitTable(capacity: capacity)
    }

    /// The number of waiting requests.
    var waitingCount: Int { waiting.count }
    /// The number of keys that are kept.
    var laneCount: Int { lanes.count }

    /// Returns the number of permits in use and the limit of a key.
    mutating func usage(of key: String) -> (inFlight: Int, limit: Int) {
        lanes.withExistingState(of: key) { ($0.inFlight, $0.limit) } ?? (0, limit)
    }

    enum Decision: Sendable {
        case proceed
        /// Wait until the waiter is resumed with a permit.
        case wait(id: Int, Waiter)
        /// Too many requests wait already.
        case refuse
    }

    /// Requests a permit, and creates a waiter if the request has to wait; a higher priority goes first.
    mutating func acquire(
        _ key: String,
        priority: UInt8,
        at now: Instant,
        waiter: @autoclosure () -> Waiter
    ) -> Decision {
        let id = lastID + 1
        let isAdmitted: Bool? = lanes.withState(of: key, at: now, initial: Lane(limit: limit, estimate: gradient)) {
            lane in
            if lane.inFlight < lane.limit {
                lane.inFlight += 1
                return true
            }
            guard lane.waitingCount < maximumWaiting else { return nil }
            lane.append(id, priority)
            return false
        }
        guard let isAdmitted else { return .refuse }
        guard !isAdmitted else { return .proceed }
        lastID = id
        let waiter = waiter()
        waiting[id] = Waiting(key: key, priority: priority, waiter: waiter)
        return .wait(id: id, waiter)
    }

    /// Releases a permit, and returns the waiters that now have one.
    mutating func release(_ key: String) -> [Waiter] {
        grant(key) { $0.inFlight = max(0, $0.inFlight - 1) }
    }

    /// Records how long a request took from its permit to its response, and returns the waiters that now have a permit.
    mutating func record(_ key: String, latency: Duration, isOverloaded: Bool) -> [Waiter] {
        guard gradient != nil else { return [] }
        return grant(key) { lane in
            lane.estimate?.record(latency, inFlight: lane.inFlight, isOverloaded: isOverloaded)
            lane.limit = lane.estimate?.limit ?? lane.limit
        }
    }

    /// Removes a waiting request; `nil` if it already has a permit, or was removed before.
    mutating func cancel(_ id: Int) -> Waiter? {
        guard let request = waiting.removeValue(forKey: id) else { return nil }
        lanes.withExistingState(of: request.key) { $0.remove(id, request.priority) }
        return request.waiter
    }

    private mutating func grant(_ key: String, _ change: (inout Lane) -> Void) -> [Waiter] {
        var granted: [Waiter] = []
        lanes.withExistingState(of: key) { lane in
            change(&lane)
            while lane.inFlight < lane.limit, let id = lane.popNext() {
                guard let request = waiting.removeValue(forKey: id) else { continue }
                lane.inFlight += 1
                granted.append(request.waiter)
            }
        }
        return granted
    }
}
