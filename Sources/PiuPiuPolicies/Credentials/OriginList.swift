/// The origins that may receive a credential: scheme, host and port (RFC 6454 §4).
///
/// The list compares them as they are sent: in the normalized spelling of `RequestTarget`. A URL that `RequestTarget` refuses
/// is not in the list.
struct OriginList: Sendable, Hashable {
    /// The origins, always with their ports.
    private(set) var names: [String] = []

    /// Creates a list of the origins of URLs, whose paths, queries and user information are ignored.
    init(_ urls: [URL]) throws(AuthenticationError) {
        for url in urls {
            guard let target = try? RequestTarget(url.absoluteURL) else {
                throw AuthenticationError(.invalidOrigin, reason: "An origin is not an http or https URL with a host")
            }
            if !names.contains(target.origin) { names.append(target.origin) }
        }
    }

    /// Returns whether a target has a listed origin; `nil` has none.
    func contains(_ target: RequestTarget?) -> Bool {
        guard let target, target.userInformation == nil else { return false }
        return names.contains(target.origin)
    }

    /// Returns whether a URL has a listed origin; `nil` has none.
    func contains(_ url: URL?) -> Bool { contains(url.flatMap { try? RequestTarget($0) }) }
}
