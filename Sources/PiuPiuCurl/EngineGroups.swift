#if os(Linux)
import PiuPiuAsync

/// The engines of an event loop, in a group for each connection profile.
///
/// An engine has an index, which stays the same while it lives and is given to another engine afterwards.
struct EngineGroups {
    private struct Group {
        let profile: ConnectionProfile
        let engines: [CurlMulti]
    }

    /// All engines.
    private(set) var engines: [CurlMulti] = []
    private var places: [CurlMulti?] = []
    private var first: Group?
    /// The groups of profiles other than the first.
    private var others: [ObjectIdentifier: Group] = [:]
    /// Whether a group may have to be removed.
    private var hasRetired = false

    private let connectionsPerEngine: Int
    private let shares: [ConnectionLimits]
    private let make: (ConnectionProfile, _ place: Int, _ share: ConnectionLimits) throws -> CurlMulti

    /// Creates the engines of the first profile.
    ///
    /// - Parameters:
    ///   - profile: The first profile, which most exchanges have.
    ///   - shares: The limits of each engine of a group.
    ///   - connectionsPerEngine: The number of exchanges from which an engine counts as full.
    ///   - make: Creates an engine for a profile, an index and limits.
    /// - Throws: The errors of `make`.
    init(
        _ profile: ConnectionProfile,
        shares: [ConnectionLimits],
        connectionsPerEngine: Int,
        make: @escaping (ConnectionProfile, Int, ConnectionLimits) throws -> CurlMulti
    ) throws {
        self.shares = shares
        self.connectionsPerEngine = connectionsPerEngine
        self.make = make
        first = try makeGroup(profile)
    }

    /// Returns the engine at an index; `nil` if it is gone.
    subscript(place: Int) -> CurlMulti? { places[place] }

    /// Returns the engine for the next exchange of a profile: the first one with room, or otherwise the least busy one.
    ///
    /// With few exchanges, all of them use the first engine and therefore find each other's connections.
    ///
    /// - Parameter profile: The profile.
    /// - Returns: The engine.
    /// - Throws: `TransportError` with the code `outOfResources`.
    mutating func engine(for profile: ConnectionProfile) throws -> CurlMulti {
        if let first, first.profile === profile { return leastBusy(first.engines) }
        let id = ObjectIdentifier(profile)
        if let group = others[id] { return leastBusy(group.engines) }
        let group = try makeGroup(profile)
        others[id] = group
        // The exchange may have received the profile just before it was retired.
        if profile.isRetired { hasRetired = true }
        return group.engines[0]
    }

    private func leastBusy(_ engines: [CurlMulti]) -> CurlMulti {
        var best = engines[0]
        guard engines.count > 1 else { return best }
        for engine in engines where best.exchangeCount >= connectionsPerEngine {
            if engine.exchangeCount < best.exchangeCount { best = engine }
        }
        return best
    }

    private mutating func makeGroup(_ profile: ConnectionProfile) throws -> Group {
        var made: [CurlMulti] = []
        for share in shares {
            let place = places.firstIndex { $0 == nil } ?? places.count
            let engine: CurlMulti
            do {
                engine = try make(profile, place, share)
            } catch {
                for engine in made { remove(engine) }
                throw error
            }
            if place == places.count { places.append(engine) } else { places[place] = engine }
            engines.append(engine)
            made.append(engine)
        }
        return Group(profile: profile, engines: made)
    }

    // MARK: The end of groups

    /// Records that a profile was retired.
    mutating func noteRetirement() { hasRetired = true }

    /// Destroys the groups of retired profiles that have no exchange left.
    ///
    /// This closes their connections. No engine may be at work.
    mutating func removeRetired() {
        guard hasRetired else { return }
        hasRetired = false
        if let first, first.profile.isRetired, end(first) { self.first = nil }
        for (id, group) in others where group.profile.isRetired && end(group) { others[id] = nil }
    }

    /// Ends a group if it is idle, and returns whether it has ended.
    private mutating func end(_ group: Group) -> Bool {
        guard group.engines.allSatisfy(\.isIdle) else {
            hasRetired = true
            return false
        }
        for engine in group.engines { remove(engine) }
        return true
    }

    private mutating func remove(_ engine: CurlMulti) {
        engine.destroy()
        places[engine.place] = nil
        engines.removeAll { $0 === engine }
    }

    /// Destroys all engines, which must have no exchanges left.
    mutating func removeAll() {
        for engine in engines { engine.destroy() }
        engines = []
        places = []
        first = nil
        others = [:]
    }
}
#endif
