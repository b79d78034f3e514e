#if os(Linux)
/// Derives the profile of each request's connection from a configuration.
package protocol ProfilePlan: Sendable {
    /// The properties that separate the connections of some requests from those of others.
    associatedtype Key: ProfileKey
    /// The properties that connections with the same key share, except their origin.
    associatedtype Profile: RetirableProfile

    /// The identity of the plan.
    var id: PlanIdentity { get }
    var configuration: TransportConfiguration { get }
    /// Whether all requests have the key ``ProfileKey/usual``.
    var isUniform: Bool { get }

    /// Returns the key of a request's connection; throws ``TransportError`` if the request may not be sent over it.
    func key(for target: RequestTarget, _ request: TransportRequest) throws -> Key

    /// Creates the profile for the connections with a key.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` if the transport cannot apply a setting.
    func profile(for key: Key) throws -> Profile
}

/// The properties that separate the connections of some requests from those of others.
package protocol ProfileKey: Hashable, Sendable {
    /// The key that most requests have.
    static var usual: Self { get }
}

/// A profile that can be replaced while exchanges use it.
package protocol RetirableProfile: AnyObject, Sendable {
    /// Whether new exchanges no longer use the profile.
    var isRetired: Bool { get }

    /// Excludes the profile from new exchanges.
    ///
    /// Exchanges that already use it end as usual.
    func retire()
}

/// The identity of a plan.
package final class PlanIdentity: Sendable, Equatable {
    package static func == (lhs: PlanIdentity, rhs: PlanIdentity) -> Bool { lhs === rhs }

    package init() {}
}
#endif
