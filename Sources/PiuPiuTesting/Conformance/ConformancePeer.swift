import PiuPiuAsync

/// The peer of a transport in a ``TransportConformance/Case``, which answers requests and records them.
///
/// ``LoopbackPeer`` is a peer for transports that use the network. Implement your own for a mock. A peer belongs to one
/// case, and may be used by many tasks at the same time.
public protocol ConformancePeer: Sendable {
    /// The server behind the peer, which can send arbitrary bytes; `nil`, the default, if there is none.
    ///
    /// Cases of the kind ``TransportConformance/Case/Kind/wire`` need it.
    var server: LoopbackServer? { get }

    /// Creates a URL whose requests reach this peer.
    ///
    /// - Parameter pathAndQuery: The path, which begins with a slash, and optionally a query.
    /// - Returns: The URL.
    func url(_ pathAndQuery: String) -> URL

    /// Sets the answer to requests for a path, regardless of their method.
    ///
    /// - Parameters:
    ///   - path: The path, without a query.
    ///   - steps: The steps to run once the whole request has arrived.
    func answer(_ path: String, with steps: [PeerStep])

    /// Returns the requests that arrived for a path.
    ///
    /// - Parameter path: The path, without a query.
    /// - Returns: The requests, in the order they arrived.
    func requests(for path: String) -> [PeerRequest]

    /// Waits until answers are waiting at a gate.
    ///
    /// - Parameters:
    ///   - gate: The name given to ``PeerStep/wait(_:)``.
    ///   - count: The number of answers.
    /// - Returns: `true` when there are that many, `false` if the task is cancelled first.
    func waitUntilWaiting(at gate: String, count: Int) async -> Bool

    /// Opens a gate for all answers that wait at it, and for all later ones.
    ///
    /// - Parameter gate: The name given to ``PeerStep/wait(_:)``.
    func open(_ gate: String)

    /// Waits until the transport has released all exchanges, and over the network all connections.
    ///
    /// - Returns: `true` when it has, `false` if the task is cancelled first.
    func waitUntilClosed() async -> Bool

    /// Closes everything that the case has left open.
    func close()
}

extension ConformancePeer {
    /// There is no server.
    public var server: LoopbackServer? { nil }
}

/// A request as a ``ConformancePeer`` received it.
public struct PeerRequest: Sendable {
    /// The method.
    public var method: String
    /// The path and the query, as sent.
    public var target: String
    /// The header fields.
    public var headers: HTTPHeaderFields
    /// The part of the body that arrived.
    public var body: Data
    /// Whether the whole body arrived.
    public var isComplete: Bool

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path and the query.
    ///   - headers: The header fields.
    ///   - body: The body.
    ///   - isComplete: Whether the whole body arrived.
    public init(method: String, target: String, headers: HTTPHeaderFields, body: Data, isComplete: Bool = true) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.isComplete = isComplete
    }
}

extension PeerRequest: Redacted {
    /// The method and the path, without query, header fields and body.
    package var shown: KeyValuePairs<String, Any> {
        ["method": method, "path": target.prefix { $0 != "?" }, "body": "\(body.count) bytes"]
    }
}
