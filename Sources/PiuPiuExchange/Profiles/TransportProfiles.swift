#if os(Linux)
import Synchronization

/// The connection profiles of a transport, created on demand.
///
/// A changed configuration starts with new profiles. The previous profiles are retired together with their connections, so a
/// change takes effect at the next request.
package final class TransportProfiles<Plan: ProfilePlan>: Sendable {
    /// The maximum number of profiles; the least recently used one is retired first.
    static var maximumCount: Int { 64 }

    fileprivate struct State {
        var plan: Plan
        var profiles: [Plan.Key: Entry] = [:]
        var uses = 0
        var changes = 0
    }

    fileprivate struct Entry {
        let profile: Plan.Profile
        var lastUse: Int
    }

    /// The profile of a uniform plan, which needs no lookup.
    package let first: Plan.Profile
    /// Whether ``first`` is the profile of every request.
    private let isUniform: Atomic<Bool>
    private let state: Locked<State>

    /// Creates the profile of most requests; throws ``TransportError`` with the code `unsupported`.
    package init(_ plan: Plan) throws {
        first = try plan.profile(for: .usual)
        isUniform = Atomic(plan.isUniform)
        state = Locked(State(plan: plan, profiles: [.usual: Entry(profile: first, lastUse: 0)]))
    }

    /// The configuration in force.
    package var configuration: TransportConfiguration { state.withLock { $0.plan.configuration } }

    /// The number of configuration changes.
    package var changeCount: Int { state.withLock { $0.changes } }

    /// Returns the profile for a request.
    ///
    /// - Parameters:
    ///   - target: The request's target.
    ///   - request: The request.
    ///   - retire: Called if another profile was retired, to notify the event loops.
    /// - Returns: The profile.
    /// - Throws: ``TransportError`` if the configuration does not allow the request.
    @inline(__always)
    package func profile(
        for target: RequestTarget,
        _ request: TransportRequest,
        retire: () -> Void
    ) throws -> Plan.Profile {
        if isUniform.load(ordering: .acquiring) { return first }
        return try lookUp(target, request, retire: retire)
    }

    @inline(never)
    private func lookUp(
        _ target: RequestTarget,
        _ request: TransportRequest,
        retire: () -> Void
    ) throws -> Plan.Profile {
        // The caller's function may choose the proxy, so no lock is held here.
        while true {
            let plan = state.withLock { $0.plan }
            let key = try plan.key(for: target, request)
            if let known = state.withLock({ $0.use(key, of: plan) }) { return known }
            let made = try plan.profile(for: key)
            let (profile, isAnyRetired) = state.withLock { state in state.add(made, key, of: plan) }
            if isAnyRetired { retire() }
            // Otherwise, the configuration has changed in the meantime.
            if let profile { return profile }
        }
    }

    /// Changes the configuration; if this throws ``TransportError`` with the code `unsupported`, the configuration is
    /// unchanged.
    package func change(to plan: Plan) throws {
        let usual = try plan.profile(for: .usual)
        // From here on, requests look up the first profile and no longer find it.
        isUniform.store(false, ordering: .releasing)
        state.withLock { state in
            for entry in state.profiles.values { entry.profile.retire() }
            state.plan = plan
            state.changes += 1
            state.profiles = [.usual: Entry(profile: usual, lastUse: 0)]
        }
    }
}

extension TransportProfiles.State {
    mutating func use(_ key: Plan.Key, of plan: Plan) -> Plan.Profile? {
        guard plan.id == self.plan.id, let place = profiles.index(forKey: key) else { return nil }
        uses += 1
        profiles.values[place].lastUse = uses
        return profiles.values[place].profile
    }

    /// Adds a profile unless one exists already.
    ///
    /// - Returns: The profile to use, or `nil` if the plan is out of date; and whether another profile was retired.
    mutating func add(
        _ made: Plan.Profile,
        _ key: Plan.Key,
        of plan: Plan
    ) -> (Plan.Profile?, Bool) {
        guard plan.id == self.plan.id else { return (nil, false) }
        if let known = use(key, of: plan) { return (known, false) }
        uses += 1
        profiles[key] = TransportProfiles.Entry(profile: made, lastUse: uses)
        guard profiles.count > TransportProfiles.maximumCount,
            let oldest = profiles.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return (made, false) }
        oldest.value.profile.retire()
        profiles[oldest.key] = nil
        return (made, true)
    }
}
#endif
