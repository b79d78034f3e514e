/// What origins speak to requests that have a connection to themselves and would rather not use HTTP/2.
///
/// Such a request offers HTTP/1.1 only. A server that knows nothing but HTTP/2 refuses that; then HTTP/2 is offered, and
/// remembered.
struct StreamProtocols {
    enum Version {
        case http1, http2
    }

    /// How many origins are remembered; beyond it, all are forgotten and found out again.
    static let limit = 1024

    private var versions: [String: Version] = [:]

    /// What an origin speaks; `nil` if that isn't known.
    subscript(origin: String) -> Version? { versions[origin] }

    /// Remembers what an origin speaks.
    mutating func note(_ version: Version, for origin: String) {
        guard versions[origin] != version else { return }
        if versions.count >= Self.limit { versions.removeAll() }
        versions[origin] = version
    }
}
