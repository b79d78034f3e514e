import PiuPiuAsync

/// The protocols of origins for requests that have their own connection and prefer HTTP/1.1.
///
/// Such a request offers only HTTP/1.1. A server that speaks only HTTP/2 refuses it. The request then offers HTTP/2, and the
/// engine remembers the result.
struct StreamProtocols {
    enum Version {
        case http1, http2
    }

    /// The largest number of origins to remember; beyond it, all are forgotten and detected again.
    static let limit = 1024

    private var versions: [String: Version] = [:]

    /// The protocol of an origin; `nil` if it is unknown.
    subscript(origin: String) -> Version? { versions[origin] }

    /// Records the protocol of an origin.
    mutating func note(_ version: Version, for origin: String) {
        guard versions[origin] != version else { return }
        if versions.count >= Self.limit { versions.removeAll() }
        versions[origin] = version
    }
}
