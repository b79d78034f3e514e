#if os(Linux)
/// Decides when each name is looked up, with a limited number of threads that each name can occupy for many seconds.
///
/// It is a value without clocks and threads. All waiters for a name share one lookup. A lookup that has not begun is dropped
/// when its last waiter gives up; one that has begun cannot be interrupted.
///
/// | Threads | Which name is next | When |
/// |---|---|---|
/// | the first ``usualCount`` | the one that has waited longest | at once |
/// | the others, the reserve | the newest that is not doubtful; for half of them, otherwise the one that has waited longest |
/// after a pause |
///
/// A name that hangs looks like any other until it has hung. Without the reserve, a burst of such names would occupy every
/// thread, and all other names would wait until the resolver gives up. The pause before another reserve thread is used grows
/// with the number of reserve threads in use. A lookup that ends soon ends the pause, so that names that resolve quickly use
/// all threads. The reserve takes the newest name because older ones are likely to belong to the burst; every other time it
/// takes the newest name of the next owner, an event loop, because each owner has its own burst.
///
/// A name is doubtful for ``memory`` after a slow lookup, or after all its waiters gave up before a thread asked for it. While
/// slow lookups occupy as many threads as the usual count, and more names wait than threads are left, a name that has waited
/// for ``patience`` is doubtful, too. If all threads are occupied, names wait until a lookup ends, because a burst could occupy
/// further threads just as well.
package struct LookupSchedule<Owner: Hashable, Waiter> {
    /// The name and the versions of IP to look up.
    package struct Name: Sendable, Hashable {
        /// The name, in normalized spelling.
        package var host: String
        /// The versions of IP.
        package var family: AddressFamily
    }

    private struct Lookup {
        let number: Int
        let since: Int64
        var waiters: [Waiter]
    }

    private struct Run {
        let begin: Int64
        let isReserve: Bool
    }

    private struct Place {
        let name: Name
        let number: Int
    }

    /// The number of threads that are used without a pause.
    package static var usualCount: Int { 16 }
    /// The number of further threads.
    package static var reserveCount: Int { 47 }
    /// The time after which a lookup counts as slow, in nanoseconds.
    static var slow: Int64 { 500_000_000 }
    /// The time after which a name that waits for a thread becomes doubtful, in nanoseconds.
    static var patience: Int64 { 250_000_000 }
    /// The time for which a name stays doubtful, in nanoseconds.
    static var memory: Int64 { 30_000_000_000 }
    /// The longest pause before another reserve thread is used, in nanoseconds.
    static var longestPause: Int64 { 40_000_000 }
    /// The largest number of doubtful names to remember.
    static var maximumDoubtful: Int { 1024 }

    private var lookups: [Name: Lookup] = [:]
    /// The lookups that have begun.
    private var running: [Name: Run] = [:]
    private var reserveInUse = 0
    private var reserveIsFreeAt = Int64.min
    /// The names that wait for a thread, in their order; a name without a lookup of this number no longer waits.
    private var queue: [Place] = []
    /// The index of the first name in `queue` that was not taken.
    private var first = 0
    /// The names of `queue` that are not doubtful, for each owner; the first owner is next.
    private var fresh: [(owner: Owner, places: [Place])] = []
    /// Whether the next owner's newest name is next, and not the newest of all.
    private var isOwnersTurn = false
    /// The time at which each name became doubtful.
    private var doubtful: [Name: Int64] = [:]
    private var lastNumber = 0

    /// Creates a schedule without lookups.
    package init() {}

    /// The number of lookups that have begun and not ended.
    package var runningCount: Int { running.count }

    /// The number of lookups that wait for a thread.
    package var waitingCount: Int { lookups.count - running.count }

    // MARK: Events

    /// Adds a waiter for a name.
    package mutating func add(_ waiter: Waiter, for name: Name, of owner: Owner, now: Int64) {
        guard lookups[name] == nil else {
            lookups[name]?.waiters.append(waiter)
            return
        }
        lastNumber += 1
        let place = Place(name: name, number: lastNumber)
        lookups[name] = Lookup(number: lastNumber, since: now, waiters: [waiter])
        queue.append(place)
        guard doubtful[name].map({ now - $0 >= Self.memory }) ?? true else { return }
        if let index = fresh.firstIndex(where: { $0.owner == owner }) {
            fresh[index].places.append(place)
        } else {
            fresh.append((owner, [place]))
        }
    }

    /// Removes waiters for a name; a lookup that has not begun is dropped with its last waiter.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - now: The current time, in nanoseconds.
    ///   - isMeant: Whether to remove a waiter.
    /// - Returns: The removed waiters, so that the caller can release them after it unlocks.
    package mutating func remove(from name: Name, now: Int64, where isMeant: (Waiter) -> Bool) -> [Waiter] {
        guard var lookup = lookups[name] else { return [] }
        let removed = lookup.waiters.filter(isMeant)
        lookup.waiters.removeAll(where: isMeant)
        let isDropped = lookup.waiters.isEmpty && running[name] == nil
        lookups[name] = isDropped ? nil : lookup
        if isDropped {
            if now - lookup.since >= Self.patience { doubt(name, now) }
            compact()
        }
        return removed
    }

    /// Begins the next lookup that may begin now, and returns the name to look up on a thread; `nil` if there is none.
    package mutating func next(now: Int64) -> Name? {
        if running.count - reserveInUse < Self.usualCount {
            return takeOldest().map { begin($0, now, isReserve: false) }
        }
        guard reserveInUse < Self.reserveCount, now >= reserveIsFreeAt,
            let name = takeYoungest(now) ?? (mayUseReserveInOrder ? takeOldest() : nil)
        else { return nil }
        reserveIsFreeAt = now + [5_000_000, 20_000_000, Self.longestPause][reserveInUse * 3 / (Self.reserveCount + 1)]
        reserveInUse += 1
        return begin(name, now, isReserve: true)
    }

    /// When to call ``next(now:)`` even if nothing else happens, in nanoseconds; `nil` if no name waits for a time.
    package var dueAt: Int64? {
        guard waitingCount > 0, reserveInUse < Self.reserveCount else { return nil }
        let hasFresh = fresh.contains { $0.places.lastIndex(where: isWaiting) != nil }
        return mayUseReserveInOrder || hasFresh ? reserveIsFreeAt : nil
    }

    /// Ends a lookup that had begun, and returns the name's waiters in their order.
    package mutating func end(_ name: Name, now: Int64) -> [Waiter] {
        guard let run = running.removeValue(forKey: name) else { return [] }
        if run.isReserve { reserveInUse -= 1 }
        if now - run.begin >= Self.slow {
            doubt(name, now)
        } else {
            doubtful[name] = nil
            reserveIsFreeAt = min(reserveIsFreeAt, now)
        }
        return lookups.removeValue(forKey: name)?.waiters ?? []
    }

    // MARK: Details

    private var mayUseReserveInOrder: Bool { reserveInUse < Self.reserveCount / 2 }

    private func isWaiting(_ place: Place) -> Bool {
        lookups[place.name]?.number == place.number && running[place.name] == nil
    }

    private mutating func begin(_ name: Name, _ now: Int64, isReserve: Bool) -> Name {
        running[name] = Run(begin: now, isReserve: isReserve)
        compact()
        return name
    }

    private mutating func takeOldest() -> Name? {
        while first < queue.count {
            first += 1
            if isWaiting(queue[first - 1]) { return queue[first - 1].name }
        }
        return nil
    }

    private mutating func takeYoungest(_ now: Int64) -> Name? {
        let hanging = running.values.count { now - $0.begin >= Self.slow }
        let isScarce = hanging >= Self.usualCount && waitingCount > Self.reserveCount - reserveInUse
        for _ in fresh.indices {
            let youngest = fresh.indices.max {
                (fresh[$0].places.last?.number ?? 0) < (fresh[$1].places.last?.number ?? 0)
            }
            var (owner, places) = fresh.remove(at: isOwnersTurn ? 0 : youngest ?? 0)
            while let place = places.last, !isWaiting(place) { places.removeLast() }
            guard let place = places.last, let lookup = lookups[place.name] else { continue }
            let isDoubtful = isScarce && now - lookup.since >= Self.patience
            if !isDoubtful { places.removeLast() }
            if !places.isEmpty { fresh.append((owner, places)) }
            isOwnersTurn.toggle()
            if !isDoubtful { return place.name }
        }
        if !fresh.isEmpty { reserveIsFreeAt = now + Self.longestPause }
        return nil
    }

    private mutating func doubt(_ name: Name, _ now: Int64) {
        if doubtful.count >= Self.maximumDoubtful, doubtful[name] == nil {
            doubtful = doubtful.filter { now - $0.value < Self.memory / 2 }
            if doubtful.count >= Self.maximumDoubtful { doubtful = [:] }
        }
        doubtful[name] = now
    }

    /// Frees the memory of names that were taken or no longer wait.
    private mutating func compact() {
        let limit = 64 + 2 * waitingCount
        if queue.count > limit {
            queue = queue[first...].filter(isWaiting)
            first = 0
        }
        if fresh.reduce(0, { $0 + $1.places.count }) > limit {
            fresh = fresh.map { ($0.owner, $0.places.filter(isWaiting)) }.filter { !$0.places.isEmpty }
        }
    }
}
#endif
