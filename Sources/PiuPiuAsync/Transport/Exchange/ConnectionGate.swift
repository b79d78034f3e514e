/// Who may use a connection now and who waits: the connection limits as a pure value.
///
/// An origin that speaks HTTP/2 carries ``streamsPerConnection`` requests on a connection, any other one; a request that is
/// exclusive has a connection to itself also there. Waiters of one
/// origin are served in the order they came; origins that wait take turns, so that a busy one starves nobody.
struct ConnectionGate<Waiter: Hashable> {
    /// How many requests share an HTTP/2 connection, libcurl's default (CURLMOPT_MAX_CONCURRENT_STREAMS).
    static var streamsPerConnection: Int { 100 }
    /// How many idle origins are remembered as multiplexed.
    static var rememberedOrigins: Int { 1024 }

    private struct Origin {
        /// Those that may share a connection.
        var active = 0
        /// Those that may not.
        var exclusive = 0
        var isMultiplexed = false
        var waiters = FIFO<Waiter>()
        var exclusiveWaiters: Set<Waiter> = []

        var connections: Int { connections(for: active) + exclusive }

        func connections(withOneMore isExclusive: Bool) -> Int {
            isExclusive ? connections + 1 : connections(for: active + 1) + exclusive
        }

        private func connections(for requests: Int) -> Int {
            isMultiplexed ? (requests + streamsPerConnection - 1) / streamsPerConnection : requests
        }
    }

    private let perHost: Int
    private let total: Int
    private var origins: [String: Origin] = [:]
    private var connectionsInUse = 0
    /// Whether any origin ever turned out to be multiplexed.
    private var sharesConnections = false
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
    ///   - key: Where to.
    ///   - isExclusive: Whether it needs a connection to itself.
    /// - Returns: `true` where the waiter may go on; otherwise it waits until another call returns it.
    mutating func request(_ waiter: Waiter, origin key: String, isExclusive: Bool = false) -> Bool {
        // Taken out, so that changing it changes it in place: a copy costs as much as there are waiters.
        var origin = origins.removeValue(forKey: key) ?? Origin()
        defer { origins[key] = origin }
        if origin.waiters.isEmpty, canAdmit(origin, isExclusive) {
            admit(&origin, isExclusive)
            return true
        }
        if origin.waiters.isEmpty { turns.append(key) }
        origin.waiters.append(waiter)
        if isExclusive { origin.exclusiveWaiters.insert(waiter) }
        return false
    }

    /// Gives a connection back.
    ///
    /// - Parameters:
    ///   - key: Where to.
    ///   - isMultiplexed: Whether the origin turned out to speak HTTP/2; `nil` where that is not known.
    ///   - isExclusive: Whether it had the connection to itself.
    /// - Returns: Who may go on now.
    mutating func release(
        origin key: String,
        isMultiplexed: Bool? = nil,
        isExclusive: Bool = false
    ) -> [Waiter] {
        guard let count = isExclusive ? origins[key]?.exclusive : origins[key]?.active, count > 0,
            var origin = origins.removeValue(forKey: key)
        else { return [] }
        connectionsInUse -= origin.connections
        if isExclusive { origin.exclusive -= 1 } else { origin.active -= 1 }
        if let isMultiplexed {
            origin.isMultiplexed = isMultiplexed
            sharesConnections = sharesConnections || isMultiplexed
        }
        connectionsInUse += origin.connections
        store(consume origin, key)
        return admitWaiting()
    }

    /// Takes back a request that waits; does nothing where it does not.
    ///
    /// - Parameters:
    ///   - waiter: Who waits.
    ///   - key: Where to.
    mutating func cancel(_ waiter: Waiter, origin key: String) {
        guard var origin = origins.removeValue(forKey: key) else { return }
        if origin.waiters.remove(waiter), origin.waiters.isEmpty { turns.remove(key) }
        origin.exclusiveWaiters.remove(waiter)
        store(consume origin, key)
    }

    private mutating func admitWaiting() -> [Waiter] {
        guard !turns.isEmpty else { return [] }
        var admitted: [Waiter] = []
        var blocked = 0
        // Where all connections are taken, only an origin that shares one has room: then there is no need to ask each.
        while blocked < turns.count, connectionsInUse < total || sharesConnections, let key = turns.popFirst() {
            guard var origin = origins.removeValue(forKey: key) else { continue }
            defer { origins[key] = origin }
            guard let waiter = origin.waiters.first,
                canAdmit(origin, origin.exclusiveWaiters.contains(waiter))
            else {
                blocked += 1
                if !origin.waiters.isEmpty { turns.append(key) }
                continue
            }
            blocked = 0
            _ = origin.waiters.popFirst()
            admit(&origin, origin.exclusiveWaiters.remove(waiter) != nil)
            admitted.append(waiter)
            if !origin.waiters.isEmpty { turns.append(key) }
        }
        return admitted
    }

    private func canAdmit(_ origin: Origin, _ isExclusive: Bool) -> Bool {
        let next = origin.connections(withOneMore: isExclusive)
        return next <= perHost && connectionsInUse - origin.connections + next <= total
    }

    private mutating func admit(_ origin: inout Origin, _ isExclusive: Bool) {
        connectionsInUse -= origin.connections
        if isExclusive { origin.exclusive += 1 } else { origin.active += 1 }
        connectionsInUse += origin.connections
    }

    /// Puts back an origin that was taken out, while it matters; an idle one only for what is known of it, and not
    /// without bound.
    private mutating func store(_ origin: consuming Origin, _ key: String) {
        let isIdle = origin.active == 0 && origin.exclusive == 0 && origin.waiters.isEmpty
        let isWorthKeeping = origin.isMultiplexed && origins.count < Self.rememberedOrigins
        if !isIdle || isWorthKeeping { origins[key] = origin }
    }
}
