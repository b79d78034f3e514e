#if os(Linux)
/// Decides by a configuration which profile the connection of a request has.
package protocol ProfilePlan: Sendable {
    /// What distinguishes the connections of some requests from those of others.
    associatedtype Key: ProfileKey
    /// All that connections with a key depend on, except their origin.
    associatedtype Profile: RetirableProfile

    /// Tells two plans apart.
    var id: PlanIdentity { get }
    /// The configuration.
    var configuration: TransportConfiguration { get }
    /// Whether all requests have the key ``ProfileKey/usual``.
    var isUniform: Bool { get }

    /// Returns the key of a request's connection.
    ///
    /// - Parameters:
    ///   - target: The request's target.
    ///   - request: The request.
    /// - Returns: The key.
    /// - Throws: ``TransportError`` if the request may not be sent this way.
    func key(for target: RequestTarget, _ request: TransportRequest) throws -> Key

    /// Creates the profile of the connections with a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: A new profile.
    /// - Throws: ``TransportError`` with the code `unsupported` if the transport cannot apply a setting.
    func profile(for key: Key) throws -> Profile
}

/// What distinguishes the connections of some requests from those of others.
package protocol ProfileKey: Hashable, Sendable {
    /// The key of most requests.
    static var usual: Self { get }
}

/// A profile that can be replaced while exchanges have it.
package protocol RetirableProfile: AnyObject, Sendable {
    /// Whether no new exchange gets the profile.
    var isRetired: Bool { get }

    /// Records that no new exchange gets the profile.
    ///
    /// An exchange that already has it still ends as usual.
    func retire()
}

/// The identity of a plan.
package final class PlanIdentity: Sendable, Equatable {
    package static func == (lhs: PlanIdentity, rhs: PlanIdentity) -> Bool { lhs === rhs }

    package init() {}
}
#endif
