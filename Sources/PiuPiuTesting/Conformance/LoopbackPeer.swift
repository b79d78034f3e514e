import PiuPiuAsync

/// A peer that is reached over the network, a `LoopbackServer` on 127.0.0.1.
public final class LoopbackPeer: ConformancePeer {
    private let loopback: LoopbackServer

    /// Starts a server.
    ///
    /// - Throws: `LoopbackServerError` if the system refuses a socket.
    public init() throws {
        loopback = try LoopbackServer()
    }

    /// The server.
    public var server: LoopbackServer? { loopback }

    /// Creates a URL of the server.
    ///
    /// - Parameter pathAndQuery: The path, which begins with a slash, and optionally a query.
    /// - Returns: The URL.
    public func url(_ pathAndQuery: String) -> URL {
        loopback.url(pathAndQuery)
    }

    /// Sets the answer to requests for a path, regardless of their method.
    ///
    /// - Parameters:
    ///   - path: The path, without a query.
    ///   - steps: The steps to run once the whole request has arrived.
    public func answer(_ path: String, with steps: [PeerStep]) {
        loopback.route(path) { Script(answering: $0.method, steps).steps }
    }

    /// Returns the requests that arrived for a path.
    ///
    /// - Parameter path: The path, without a query.
    /// - Returns: The requests, in the order they arrived.
    public func requests(for path: String) -> [PeerRequest] {
        loopback.requests(for: path).map { request in
            PeerRequest(
                method: request.method,
                target: request.target,
                headers: HTTPHeaderFields(request.headers.map { HTTPHeaderField(name: $0.name, value: $0.value) }),
                body: request.body,
                isComplete: request.isBodyComplete
            )
        }
    }

    /// Waits until connections are waiting at a gate.
    ///
    /// - Parameters:
    ///   - gate: The name given to ``PeerStep/wait(_:)``.
    ///   - count: The number of connections.
    /// - Returns: `true` when there are that many, `false` if the task is cancelled first.
    public func waitUntilWaiting(at gate: String, count: Int) async -> Bool {
        await loopback.waitUntilHeld(gate, count: count)
    }

    /// Opens a gate for all connections that wait at it, and for all later ones.
    ///
    /// - Parameter gate: The name given to ``PeerStep/wait(_:)``.
    public func open(_ gate: String) {
        loopback.release(gate)
    }

    /// Waits until all connections are closed.
    ///
    /// - Returns: `true` when they are, `false` if the task is cancelled first.
    public func waitUntilClosed() async -> Bool {
        await loopback.waitForOpenConnections(atMost: 0)
    }

    /// Stops the server.
    public func close() {
        loopback.stop()
    }
}

/// An answer as an HTTP/1.1 message.
private struct Script {
    private(set) var steps: [Step] = []
    private let method: String
    private let length: Int
    private var hasBody = true
    private var isChunked = false

    init(answering method: String, _ answer: [PeerStep]) {
        self.method = method
        length = answer.bodyLength
        for step in answer { append(step) }
        if case .hang = answer.last { return }
        if hasBody, isChunked { steps.append(.send("0\r\n\r\n")) }
    }

    private mutating func append(_ step: PeerStep) {
        switch step {
        case .head(let status, let fields, let announcesLength): appendHead(status, fields, announcesLength)
        case .body(let piece): if hasBody, !piece.isEmpty { steps.append(.send(framed(piece))) }
        case .repeated(let piece, let count): if hasBody { steps.append(.repeat(framed(piece), count: count)) }
        case .wait(let gate): steps.append(.hold(gate))
        case .pause(let duration): steps.append(.sleep(duration))
        case .hang: steps.append(.stall)
        }
    }

    private mutating func appendHead(_ status: Int, _ fields: HTTPHeaderFields, _ announcesLength: Bool) {
        hasBody = method != "HEAD" && status != 204 && status != 304
        var head = "HTTP/1.1 \(status) \r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        if fields["Content-Length"] == nil, status != 204 {
            isChunked = !announcesLength
            head += isChunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: \(length)\r\n"
        }
        steps.append(.send(head + "\r\n"))
    }

    private func framed(_ piece: Data) -> Data {
        guard isChunked else { return piece }
        return Data((String(piece.count, radix: 16) + "\r\n").utf8) + piece + Data("\r\n".utf8)
    }
}

extension LoopbackPeer: Redacted {
    /// The port of the server, without the requests.
    package var shown: KeyValuePairs<String, Any> { ["port": loopback.port] }
}
