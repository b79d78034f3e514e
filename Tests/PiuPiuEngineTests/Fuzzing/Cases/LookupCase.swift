#if os(Linux)
import PiuPiuEngine

extension FuzzCase {
    /// What is known of names, and what is being found out, beside lists that are searched from end to end.
    static let lookups = FuzzCase(name: "Lookups", limit: 400) { random in
        choices(&random, upTo: 200)
    } check: { input throws(FuzzProblem) in
        var story = LookupStory(input)
        while !story.choices.isOver { try story.step() }
        try story.end()
    }
}

private struct LookupStory {
    struct Known {
        let key: AddressCache.Key
        let addresses: [SocketAddress]
        let storedAt: Int64
    }

    struct Waiting {
        let key: AddressCache.Key
        let waiter: Int
    }

    var choices: FuzzChoices
    var cache: AddressCache
    var known: [Known] = []
    var pending = PendingLookups<AddressCache.Key, Int>()
    var waiting: [Waiting] = []
    /// The lookups that were started and have not ended, whether or not anything still waits for them.
    var started: [AddressCache.Key] = []
    var waiters = 0
    var now: Int64 = 0

    init(_ input: [UInt8]) {
        choices = FuzzChoices(input)
        cache = AddressCache(maximumCount: choices.below(5))
    }

    private mutating func key() -> AddressCache.Key {
        let family = choices.element(of: [AddressFamily.any, .v4, .v6])
        return AddressCache.Key(host: choices.element(of: ["a", "b", "c"]), port: 80, family: family)
    }

    mutating func step() throws(FuzzProblem) {
        switch choices.below(8) {
        case 0, 1, 2: try request()
        case 3, 4: try answer()
        case 5: now += choices.element(of: [0, 1, 10, 1000])
        case 6: try cancel()
        default: forget()
        }
        try demand(cache.count == known.count, "the number of known names differs")
        try demand(cache.count <= cache.maximumCount, "there are more names than allowed")
        try demand(pending.count == started.count, "the number of lookups differs")
    }

    /// Asks for a name: what is known and young enough is used, and the others wait for one lookup.
    private mutating func request() throws(FuzzProblem) {
        let key = key()
        let timeToLive = choices.element(of: [Int64(0), 1, 10, 100, .max])
        let entry = known.first { $0.key == key }
        let isYoung = entry.map { now - $0.storedAt < timeToLive } ?? false
        let found = cache.addresses(for: key, timeToLive: timeToLive, now: now)
        try demand(found == (isYoung ? entry?.addresses : nil), "a name has other addresses, or for another time")
        guard found == nil else { return }
        waiters += 1
        let isFirst = pending.add(waiters, for: key)
        try demand(isFirst == !started.contains(key), "a lookup is started twice, or not at all")
        if isFirst { started.append(key) }
        waiting.append(Waiting(key: key, waiter: waiters))
    }

    private mutating func answer() throws(FuzzProblem) {
        guard !started.isEmpty else { return }
        let key = started.remove(at: choices.below(started.count))
        let addresses = (0..<choices.below(3)).compactMap { SocketAddress(literal: "10.0.0.\($0)", port: 80) }
        let before = known
        cache.store(addresses, for: key, now: now)
        if !addresses.isEmpty { try stored(Known(key: key, addresses: addresses, storedAt: now), before) }
        let expected = waiting.filter { $0.key == key }.map(\.waiter)
        try demand(pending.end(key) == expected, "others are told, or in another order")
        try demand(pending.end(key).isEmpty, "somebody is told twice")
        waiting.removeAll { $0.key == key }
    }

    private mutating func stored(_ new: Known, _ before: [Known]) throws(FuzzProblem) {
        known.removeAll { $0.key == new.key }
        if known.count == before.count, known.count >= cache.maximumCount {
            // Of several that are the oldest, any may go.
            let gone = known.filter { cache.addresses(for: $0.key, timeToLive: .max, now: now) == nil }
            try demand(gone.count == 1, "not exactly one name makes room")
            try demand(gone.first?.storedAt == known.map(\.storedAt).min(), "what makes room is not the oldest")
            known.removeAll { $0.key == gone.first?.key }
        }
        known.append(new)
    }

    private mutating func cancel() throws(FuzzProblem) {
        guard !waiting.isEmpty else { return }
        let gone = waiting.remove(at: choices.below(waiting.count))
        let isUnwanted = pending.remove(from: gone.key) { $0 == gone.waiter }
        try demand(isUnwanted == !waiting.contains { $0.key == gone.key }, "whether a lookup is wanted differs")
        let isStillUnwanted = pending.remove(from: gone.key) { $0 == gone.waiter }
        try demand(isStillUnwanted == isUnwanted, "what is gone goes again")
    }

    private mutating func forget() {
        guard choices.below(8) > 0 else {
            cache.removeAll()
            return known = []
        }
        let key = key()
        cache.remove(key)
        known.removeAll { $0.key == key }
    }

    /// Every lookup ends, and then nothing waits.
    mutating func end() throws(FuzzProblem) {
        while !started.isEmpty { try answer() }
        try demand(waiting.isEmpty && pending.count == 0, "something waits although every lookup has ended")
    }
}
#endif
