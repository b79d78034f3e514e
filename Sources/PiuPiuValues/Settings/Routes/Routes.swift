/// The origins whose connections have other destinations.
///
/// ```swift
/// configuration.transport.routes[URL(string: "http://docker")!] = .unixSocket(path: "/var/run/docker.sock")
/// ```
///
/// A route applies to every request whose URL has the origin (scheme, host and port), including after a redirect within it.
/// Requests to other origins are not affected, and share no connection with routed ones. On Apple systems, requests to
/// an origin with a route fail with ``TransportError/Code/unsupported``.
public struct Routes: Sendable, Hashable {
    private var table: [String: Route] = [:]
    /// Whether a route was set for a URL that has no origin.
    package private(set) var hasInvalidOrigin = false

    /// Creates a table without routes.
    public init() {}

    /// The route of an origin; `nil` for none.
    ///
    /// Setting a route for a URL that is not a valid http or https URL makes the transport refuse the configuration with
    /// ``TransportError/Code/unsupported``.
    ///
    /// - Parameter origin: A URL with the scheme, host and port; the port defaults to the scheme's. The path is ignored.
    /// - Returns: The route.
    public subscript(origin: URL) -> Route? {
        get { (try? RequestTarget(origin)).flatMap { self[$0] } }
        set {
            if let target = try? RequestTarget(origin) {
                table[target.usualOrigin] = newValue
            } else if newValue != nil {
                hasInvalidOrigin = true
            }
        }
    }

    /// Whether there are no routes.
    public var isEmpty: Bool { table.isEmpty && !hasInvalidOrigin }

    /// The route of a request's target.
    package subscript(target: RequestTarget) -> Route? { self[origin: target.usualOrigin] }

    /// The route of an origin in the form of ``RequestTarget/usualOrigin``.
    package subscript(origin origin: String) -> Route? { table[origin] }

    /// All routes, in any order.
    package var all: Dictionary<String, Route>.Values { table.values }
}

extension Routes: Redacted {
    /// The routes by their origins.
    package var shown: KeyValuePairs<String, Any> { ["routes": table] }
}
