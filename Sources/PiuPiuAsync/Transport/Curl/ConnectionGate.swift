/// Who may use a connection now and who waits: the connection limits as a pure value.
///
/// An origin that speaks HTTP/2 carries ``streamsPerConnection`` requests on a connection, any other one. Waiters of one
/// origin are served in the order they came; origins that wait take turns, so that a busy one starves nobody.
struct ConnectionGate<Waiter: Hashable> {
    /// How many requests share an HTTP/2 connection, libcurl's default (CURLMOPT_MAX_CONCURRENT_STREAMS).
    static var streamsPerConnection: Int { 100 }
    /// How many idle origins are remembered as multiplexed.
    static var rememberedOrigins: Int { 1024 }

    private struct Origin {
        var active = 0
        var isMultiplexed = false
        var waiters = FIFO<Waiter>()

        var connections: Int {
            isMultiplexed ? (active + streamsPerConnection - 1) / streamsPerConnection : active
        }
    }

    private let perHost: Int
    private let total: Int
    private var origins: [String: Origin] = [:]
    private var connectionsInUse = 0
    /// The origins that have waiters, in the order in which they get their turn.
    private var turns = FIFO<String>()

    /// Creates a gate.
    ///
    /// - Parameters:
    ///   - perHost: Connections to one origin.
    ///   - total: Connections in all.
    init(perHost: Int, total: Int) {
        self.perHost = max(1, perHost)
        self.total = max(1, total)
    }

    /// How many requests wait.
    var waitingCount: Int { origins.values.reduce(0) { $0 + $1.waiters.count } }

    /// Asks for a connection.
    ///
    /// - Parameters:
    ///   - waiter: Who asks.
    ///   - origin: Where to.
    /// - Returns: `true` where the waiter may go on; otherwise it waits until another call returns it.
    mutating func request(_ waiter: Waiter, origin key: String) -> Bool {
        var origin = origins[key] ?? Origin()
        if origin.waiters.isEmpty, canAdmit(origin) {
            admit(&origin)
            origins[key] = origin
            return true
        }
        if origin.waiters.isEmpty { turns.append(key) }
        origin.waiters.append(waiter)
        origins[key] = origin
        return false
    }

    /// Gives a connection back.
    ///
    /// - Parameters:
    ///   - key: Where to.
    ///   - isMultiplexed: Whether the origin turned out to speak HTTP/2; `nil` where that is not known.
    /// - Returns: Who may go on now.
    mutating func release(origin key: String, isMultiplexed: Bool? = nil) -> [Waiter] {
        guard var origin = origins[key], origin.active > 0 else { return [] }
        connectionsInUse -= origin.connections
        origin.active -= 1
        if let isMultiplexed { origin.isMultiplexed = isMultiplexed }
        connectionsInUse += origin.connections
        store(origin, key)
        return admitWaiting()
    }

    /// Takes back a request that waits; does nothing where it does not.
    ///
    /// - Parameters:
    ///   - waiter: Who waits.
    ///   - key: Where to.
    mutating func cancel(_ waiter: Waiter, origin key: String) {
        guard var origin = origins[key], origin.waiters.remove(waiter) else { return }
        if origin.waiters.isEmpty { turns.remove(key) }
        store(origin, key)
    }

    private mutating func admitWaiting() -> [Waiter] {
        guard !turns.isEmpty else { return [] }
        var admitted: [Waiter] = []
        var blocked = 0
        while blocked < turns.count, let key = turns.popFirst() {
            guard var origin = origins[key] else { continue }
            guard canAdmit(origin), let waiter = origin.waiters.popFirst() else {
                blocked += 1
                if !origin.waiters.isEmpty { turns.append(key) }
                continue
            }
            blocked = 0
            admit(&origin)
            admitted.append(waiter)
            if !origin.waiters.isEmpty { turns.append(key) }
            origins[key] = origin
        }
        return admitted
    }

    private func canAdmit(_ origin: Origin) -> Bool {
        var next = origin
        next.active += 1
        return next.connections <= perHost && connectionsInUse - origin.connections + next.connections <= total
    }

    private mutating func admit(_ origin: inout Origin) {
        connectionsInUse -= origin.connections
        origin.active += 1
        connectionsInUse += origin.connections
    }

    /// Keeps an origin while it matters; an idle one only for what is known of it, and not without bound.
    private mutating func store(_ origin: Origin, _ key: String) {
        let isIdle = origin.active == 0 && origin.waiters.isEmpty
        let isWorthKeeping = origin.isMultiplexed && (origins.count <= Self.rememberedOrigins || origins[key] == nil)
        origins[key] = isIdle && !isWorthKeeping ? nil : origin
    }
}
