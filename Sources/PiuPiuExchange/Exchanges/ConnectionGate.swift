/// Decides which requests may use a connection and which wait: the connection limits as a pure value.
///
/// `SocketTransport` asks for each connection that it opens; ``SharedConnections`` decides which requests share one, so the
/// gate treats no origin as multiplexed. `CurlTransport` asks for each request; an HTTP/2 connection counts as one for
/// ``streamsPerConnection`` requests.
///
/// An exclusive request, which is a stream or a download, can last for hours, so exclusive requests have their own limit and
/// queue and never take the place of an ordinary request.
///
/// Each queue serves its waiters in order of arrival. Queues take turns, so a busy queue never starves the others.
package struct ConnectionGate {
    /// The identity of an exchange.
    ///
    /// The gate is not generic, because unspecialized generic code from another module is slow.
    package typealias Waiter = ObjectIdentifier

    /// The number of requests that an HTTP/2 connection of `CurlTransport` carries (CURLMOPT_MAX_CONCURRENT_STREAMS).
    static var streamsPerConnection: Int { 100 }
    /// The number of idle origins remembered as multiplexed; the longest idle are forgotten first.
    static var rememberedOrigins: Int { 1024 }

    /// The requests to an origin that are subject to the same limit.
    private struct Lane: Hashable {
        let origin: String
        let isExclusive: Bool
    }

    private struct Waiters {
        var ordinary = FIFO<Waiter>()
        var exclusive = FIFO<Waiter>()

        var count: Int { ordinary.count + exclusive.count }

        subscript(exclusive isExclusive: Bool) -> FIFO<Waiter> {
            get { isExclusive ? exclusive : ordinary }
            _modify { if isExclusive { yield &exclusive } else { yield &ordinary } }
        }
    }

    private struct Origin {
        /// The number of requests that may share a connection.
        var active = 0
        /// The number of exclusive requests.
        var exclusive = 0
        var isMultiplexed = false
        /// The number of shared connections known to be open.
        var established = 0
        /// Whether an admitted request must open another shared connection.
        var isOpening = false
        var waiters = Waiters()

        var connections: Int { sharedConnections(for: active) + exclusive }
        /// Whether the open shared connections are full; the first one counts as open from the start.
        var isFull: Bool { isMultiplexed && active >= room }
        /// The number of requests that the open shared connections can carry.
        var room: Int { max(1, established) * streamsPerConnection }
        var isIdle: Bool { active == 0 && exclusive == 0 && waiters.count == 0 }

        func sharedConnections(for requests: Int) -> Int {
            isMultiplexed ? (requests + streamsPerConnection - 1) / streamsPerConnection : requests
        }

        /// Admits a request, or adds it to a queue.
        mutating func request(
            _ waiter: Waiter,
            _ isExclusive: Bool,
            _ usage: inout Usage
        ) -> (isAdmitted: Bool, isFirstInLine: Bool, wasRemembered: Bool) {
            let wasRemembered = isMultiplexed && isIdle
            let hasWaiters = !waiters[exclusive: isExclusive].isEmpty
            if !hasWaiters, usage.admit(isExclusive, to: &self) { return (true, false, wasRemembered) }
            waiters[exclusive: isExclusive].append(waiter)
            return (false, !hasWaiters, wasRemembered)
        }
    }

    /// The limits and their current use.
    private struct Usage {
        let perHost: Int
        let streamsPerHost: Int
        let total: Int
        /// The connection limit for all exclusive requests; the rest is for ordinary ones.
        let exclusiveTotal: Int
        var connectionsInUse = 0
        var exclusiveInUse = 0

        init(_ limits: ConnectionLimits) {
            perHost = max(1, limits.perHost)
            streamsPerHost = max(1, limits.streamsPerHost)
            total = max(1, limits.total)
            exclusiveTotal = max(1, total - max(1, min(perHost, total / 8)))
        }

        /// Admits a request to an origin; returns `false` if there is no room for it.
        mutating func admit(_ isExclusive: Bool, to origin: inout Origin) -> Bool {
            if isExclusive {
                guard origin.exclusive < streamsPerHost, exclusiveInUse < exclusiveTotal, connectionsInUse < total
                else { return false }
                origin.exclusive += 1
                exclusiveInUse += 1
                connectionsInUse += 1
                return true
            }
            let before = origin.sharedConnections(for: origin.active)
            let after = origin.sharedConnections(for: origin.active + 1)
            guard after <= perHost, connectionsInUse - before + after <= total else { return false }
            // The engine opens a connection for each request that finds no room on an open one. One new connection is
            // enough for a hundred requests, so they wait until it is open.
            guard !origin.isFull || !origin.isOpening else { return false }
            if origin.isFull { origin.isOpening = true }
            origin.active += 1
            connectionsInUse += after - before
            return true
        }

        /// Changes an origin, and returns whether it is idle afterwards and whether it is multiplexed.
        mutating func change(
            _ origin: inout Origin,
            _ change: (inout Origin) -> Void
        ) -> (isIdle: Bool, isMultiplexed: Bool) {
            connectionsInUse -= origin.connections
            exclusiveInUse -= origin.exclusive
            change(&origin)
            connectionsInUse += origin.connections
            exclusiveInUse += origin.exclusive
            return (origin.isIdle, origin.isMultiplexed)
        }
    }

    private var usage: Usage
    // Changed in place through their indices: a copy takes time proportional to the number of waiters, and a lookup takes as
    // long as the rest of a call.
    private var origins: [String: Origin] = [:]
    /// Whether any origin has ever been multiplexed.
    private var sharesConnections = false
    /// The remembered idle origins, in the order in which they became idle.
    private var remembered = FIFO<String>()
    /// The lanes that have waiters, in the order of their turns.
    private var turns = FIFO<Lane>()

    /// Creates a gate; each limit is at least 1.
    package init(_ limits: ConnectionLimits) {
        usage = Usage(limits)
    }

    /// The number of waiting requests.
    var waitingCount: Int { origins.values.reduce(0) { $0 + $1.waiters.count } }

    /// Asks for a connection.
    ///
    /// - Parameters:
    ///   - waiter: The request's waiter.
    ///   - key: The origin.
    ///   - isExclusive: Whether the request needs a connection to itself.
    /// - Returns: `true` if the waiter is admitted; otherwise, it waits until another call returns it.
    package mutating func request(_ waiter: Waiter, origin key: String, isExclusive: Bool = false) -> Bool {
        let answer = origins[key, default: Origin()].request(waiter, isExclusive, &usage)
        if answer.wasRemembered { remembered.remove(key) }
        if answer.isFirstInLine { turns.append(Lane(origin: key, isExclusive: isExclusive)) }
        return answer.isAdmitted
    }

    /// Releases a connection.
    ///
    /// - Parameters:
    ///   - key: The origin.
    ///   - isMultiplexed: Whether the origin speaks HTTP/2; `nil` if that is unknown.
    ///   - isExclusive: Whether the request had the connection to itself.
    /// - Returns: The waiters that are now admitted.
    package mutating func release(
        origin key: String,
        isMultiplexed: Bool? = nil,
        isExclusive: Bool = false
    ) -> [Waiter] {
        change(key) { origin in
            guard (isExclusive ? origin.exclusive : origin.active) > 0 else { return }
            if isExclusive { origin.exclusive -= 1 } else { origin.active -= 1 }
            if let isMultiplexed { origin.isMultiplexed = isMultiplexed }
            // The request that was expected to open a connection may have failed, or found room on another connection. If the
            // remaining requests fit on the open connections, none of them opens one.
            if origin.active <= origin.room { origin.isOpening = false }
        }
        return admitWaiting()
    }

    /// Records that a connection was opened, and whether the handshake selected HTTP/2; returns the waiters that are now
    /// admitted.
    package mutating func opened(origin key: String, isMultiplexed: Bool) -> [Waiter] {
        change(key) { origin in
            origin.isMultiplexed = isMultiplexed
            origin.established = isMultiplexed ? origin.established + 1 : 0
            origin.isOpening = false
        }
        return admitWaiting()
    }

    /// Records that a shared connection was closed.
    package mutating func closed(origin key: String) {
        change(key) { $0.established = max(0, $0.established - 1) }
    }

    /// Removes a waiting request; does nothing if it is not waiting.
    package mutating func cancel(_ waiter: Waiter, origin key: String) {
        for isExclusive in [false, true] {
            var isEmptied = false
            change(key) { origin in
                let isRemoved = origin.waiters[exclusive: isExclusive].remove(waiter)
                isEmptied = isRemoved && origin.waiters[exclusive: isExclusive].isEmpty
            }
            if isEmptied { turns.remove(Lane(origin: key, isExclusive: isExclusive)) }
        }
    }

    private mutating func admitWaiting() -> [Waiter] {
        guard !turns.isEmpty else { return [] }
        var admitted: [Waiter] = []
        var blocked = 0
        // If all connections are in use, only an origin that shares one can have room, so without such an origin, no lane is
        // checked.
        while blocked < turns.count, usage.connectionsInUse < usage.total || sharesConnections,
            let lane = turns.popFirst()
        {
            guard var origin = origins.removeValue(forKey: lane.origin) else { continue }
            defer { origins[lane.origin] = origin }
            let isExclusive = lane.isExclusive
            // Admission takes a connection, so check first that there is a waiter for it.
            if !origin.waiters[exclusive: isExclusive].isEmpty, usage.admit(isExclusive, to: &origin),
                let waiter = origin.waiters[exclusive: isExclusive].popFirst()
            {
                blocked = 0
                admitted.append(waiter)
            } else {
                blocked += 1
            }
            if !origin.waiters[exclusive: isExclusive].isEmpty { turns.append(lane) }
        }
        return admitted
    }

    /// Changes an origin and updates the totals.
    ///
    /// An origin is kept while it is in use. An idle origin is kept only if it speaks HTTP/2, and only up to a number of
    /// origins.
    private mutating func change(_ key: String, _ change: (inout Origin) -> Void) {
        guard let place = origins.index(forKey: key) else { return }
        let origin = usage.change(&origins.values[place], change)
        sharesConnections = sharesConnections || origin.isMultiplexed
        guard origin.isIdle else { return }
        guard origin.isMultiplexed else {
            origins.remove(at: place)
            remembered.remove(key)
            return
        }
        remembered.append(key)
        if remembered.count > Self.rememberedOrigins, let oldest = remembered.popFirst() { origins[oldest] = nil }
    }
}
