/// The requests that share a limit or a circuit.
///
/// ```swift
/// let perServer = RateLimit(50, scope: .origin)
/// let perTenant = RateLimit(10, scope: .key { $0.urlRequest.value(forHTTPHeaderField: "X-Tenant") })
/// ```
///
/// A policy keeps a state per key. If there are more than about a thousand keys, it forgets the least recently used ones. It
/// never forgets the limit of a request that waits or is in progress.
public struct LimitScope: Sendable {
    private enum Storage: Sendable {
        case all, origin
        case key(@Sendable (TransportRequest) -> String?)
    }

    private let storage: Storage

    /// All requests that pass through the policy share one limit, even those of several dispatchers.
    public static let all = LimitScope(storage: .all)
    /// Requests with the same scheme, host and port share a limit.
    ///
    /// A request whose URL lacks these parts is not limited; the transport refuses it.
    public static let origin = LimitScope(storage: .origin)

    /// Requests with the same key share a limit.
    ///
    /// - Parameter key: Returns the key of a request; `nil` if the request is not limited. It runs for every request, so it
    ///   should be fast.
    /// - Returns: The scope.
    public static func key(_ key: @escaping @Sendable (_ request: TransportRequest) -> String?) -> LimitScope {
        LimitScope(storage: .key(key))
    }

    /// Returns the key of a request; `nil` if the request is not limited.
    func key(of request: TransportRequest) -> String? {
        switch storage {
        case .all: ""
        case .origin: Self.origin(of: request)
        case .key(let key): key(request)
        }
    }

    /// Whether ``key(of:)`` calls a closure of the user, which may take its time.
    var runsCodeOfUsers: Bool { if case .key = storage { true } else { false } }

    /// Returns the scheme, host and port of a request; `nil` if the URL is not valid.
    static func origin(of request: TransportRequest) -> String? { request.target?.origin }
}

extension LimitScope: CustomStringConvertible {
    /// The scope's name, such as `origin`.
    public var description: String {
        switch storage {
        case .all: "all"
        case .origin: "origin"
        case .key: "key"
        }
    }
}
