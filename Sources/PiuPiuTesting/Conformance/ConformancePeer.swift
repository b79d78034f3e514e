import PiuPiuAsync

/// The other side of a transport in a ``TransportConformance/Case``: it answers, and tells what it was asked.
///
/// ``LoopbackPeer`` is one, for transports that use the network. Write one for a mock. A peer belongs to one case, and may
/// be used by many tasks at once.
public protocol ConformancePeer: Sendable {
    /// The server behind the peer that sends bytes as it likes; `nil`, the default, where there is none.
    ///
    /// Cases of the kind ``TransportConformance/Case/Kind/wire`` need it.
    var server: LoopbackServer? { get }

    /// Makes a URL whose requests come here.
    ///
    /// - Parameter pathAndQuery: The path, which begins with a slash, and a query perhaps.
    /// - Returns: The URL.
    func url(_ pathAndQuery: String) -> URL

    /// Sets what is answered to requests for a path, whatever their method.
    ///
    /// - Parameters:
    ///   - path: The path, without a query.
    ///   - steps: What to do once the whole request is there.
    func answer(_ path: String, with steps: [PeerStep])

    /// Finds the requests that arrived for a path.
    ///
    /// - Parameter path: The path, without a query.
    /// - Returns: The requests, in the order they arrived.
    func requests(for path: String) -> [PeerRequest]

    /// Waits until answers stand in front of a gate.
    ///
    /// - Parameters:
    ///   - gate: The name given to ``PeerStep/wait(_:)``.
    ///   - count: How many answers.
    /// - Returns: `true` when there are that many, `false` where the task was cancelled before.
    func waitUntilWaiting(at gate: String, count: Int) async -> Bool

    /// Opens a gate for every answer that waits in front of it, and for all that will come.
    ///
    /// - Parameter gate: The name given to ``PeerStep/wait(_:)``.
    func open(_ gate: String)

    /// Waits until the transport has let go of everything: of exchanges, and over the network of connections.
    ///
    /// - Returns: `true` when that is so, `false` where the task was cancelled before.
    func waitUntilClosed() async -> Bool

    /// Ends what is left of the case.
    func close()
}

extension ConformancePeer {
    /// There is no server.
    public var server: LoopbackServer? { nil }
}

/// A request as it arrived at a ``ConformancePeer``.
public struct PeerRequest: Sendable {
    /// The method.
    public var method: String
    /// The path and the query, as they were sent.
    public var target: String
    /// The header fields.
    public var headers: HTTPHeaderFields
    /// The body, as far as it arrived.
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
