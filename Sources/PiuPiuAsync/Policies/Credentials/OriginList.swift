/// The origins that may receive a credential: scheme, host and port (RFC 6454 §4).
///
/// They are compared as they are sent: in the one spelling that `RequestTarget` gives a host and a port. A URL that it
/// refuses is none of them.
struct OriginList: Sendable, Hashable {
    /// The origins, always with their ports.
    private(set) var names: [String] = []

    /// Creates a list.
    ///
    /// - Parameter urls: A URL of each origin; paths, queries and user information are ignored.
    /// - Throws: ``AuthenticationError`` with the code `invalidOrigin`.
    init(_ urls: [URL]) throws(AuthenticationError) {
        for url in urls {
            guard let target = try? RequestTarget(url.absoluteURL) else {
                throw AuthenticationError(.invalidOrigin, reason: "An origin is not an http or https URL with a host")
            }
            if !names.contains(target.origin) { names.append(target.origin) }
        }
    }

    /// Returns whether something is of a listed origin.
    ///
    /// - Parameter target: What a URL says; `nil` is of no origin.
    /// - Returns: `true` if it is.
    func contains(_ target: RequestTarget?) -> Bool {
        guard let target, target.userInformation == nil else { return false }
        return names.contains(target.origin)
    }

    /// Returns whether a URL is of a listed origin.
    ///
    /// - Parameter url: The URL; `nil` is of no origin.
    /// - Returns: `true` if it is.
    func contains(_ url: URL?) -> Bool { contains(url.flatMap { try? RequestTarget($0) }) }
}
