#if os(Linux)
import Dispatch
import PiuPiuAsync
import TestSupport

/// A request over HTTP/2, and what became of it at the server.
final class FrameExchange: Sendable {
    /// How often and where it arrived.
    struct Attempt: Sendable {
        let connection: Int
        let stream: Int
        /// Whether the plan was carried out; later attempts get a good response.
        let isPlanned: Bool
    }

    let id: UInt64
    let plan: FramePlan?
    private let recorded = Locked<[Attempt]>([])
    private let unfinished = Locked(0)

    /// Whether the server still has something to do for it.
    var isUnfinished: Bool { unfinished.withLock { $0 > 0 } }

    init(id: UInt64, plan: FramePlan?) {
        self.id = id
        self.plan = plan
    }

    var attempts: [Attempt] { recorded.withLock { $0 } }

    /// Does something for it later.
    func later(milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        unfinished.withLock { $0 += 1 }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [self] in
            body()
            unfinished.withLock { $0 -= 1 }
        }
    }

    func begin(_ connection: Int, _ stream: Int) -> Attempt {
        recorded.withLock {
            let attempt = Attempt(connection: connection, stream: stream, isPlanned: $0.isEmpty && plan != nil)
            $0.append(attempt)
            return attempt
        }
    }
}

/// A server that sends the frames of plans, and knows what it sent on each connection.
final class FrameServer: Sendable {
    private struct Connection {
        var reader = FrameReader()
        /// Whether the server has closed it.
        var isClosed = false
        /// Whether no request will come on it any more.
        var isOver = false
    }

    /// How long a stream may stay without its end, in milliseconds.
    private static let patience = 8

    private let exchanges: Locked<[UInt64: FrameExchange]>
    private let connections: Locked<[Int: Connection]>
    private let script: HTTP2Script

    var authority: URL { script.authority }
    var port: Int { script.relay?.port ?? 0 }

    /// Starts a server.
    init() throws {
        let exchanges = Locked<[UInt64: FrameExchange]>([:])
        let connections = Locked<[Int: Connection]>([:])
        (self.exchanges, self.connections) = (exchanges, connections)
        script = try HTTP2Script(
            remembers: false,
            watch: { number, bytes in connections.withLock { $0[number, default: Connection()].reader.read(bytes) } },
            ended: { number in connections.withLock { $0[number]?.isOver = true } }
        ) { exchange in
            Self.answer(exchange, exchanges, connections)
        }
    }

    func add(_ exchange: FrameExchange) {
        exchanges.withLock { $0[exchange.id] = exchange }
    }

    /// Forgets an exchange and its streams.
    func remove(_ exchange: FrameExchange) {
        exchanges.withLock { $0[exchange.id] = nil }
        connections.withLock { connections in
            for attempt in exchange.attempts { connections[attempt.connection]?.reader.forget(attempt.stream) }
            // Those that have ended, but for the newest, whose requests may not have been judged yet.
            guard connections.count > 300, let newest = connections.keys.max() else { return }
            for (number, connection) in connections where connection.isOver && number < newest - 200 {
                connections[number] = nil
            }
        }
    }

    /// What was sent on the connection of an attempt, and whether the server closed it.
    func sent(_ attempt: FrameExchange.Attempt) -> (reader: FrameReader, isClosed: Bool) {
        connections.withLock { connections in
            let connection = connections[attempt.connection] ?? Connection()
            return (connection.reader, connection.isClosed)
        }
    }

    private static func answer(
        _ exchange: HTTP2Exchange,
        _ exchanges: Locked<[UInt64: FrameExchange]>,
        _ connections: Locked<[Int: Connection]>
    ) {
        let number = exchange.request.connection
        let stream = exchange.request.stream
        let isHead = exchange.request.method == "HEAD"
        connections.withLock { $0[number, default: Connection()].reader.open(stream, isHead: isHead) }
        let id = UInt64(exchange.request.path.split(separator: "/").last ?? "") ?? 0
        let known = exchanges.withLock { $0[id] }
        let attempt = known?.begin(number, stream)
        if let plan = known?.plan, attempt?.isPlanned == true {
            exchange.peer.send(plan.bytes(on: stream))
        } else {
            respond(to: exchange, id, isHead: isHead)
        }
        guard let known, isWaiting(stream, connections.withLock { $0[number]?.reader }) else { return }
        // Clients that still wait must not wait for long.
        let resets = known.plan?.resetsLate == true
        known.later(milliseconds: patience) {
            guard isWaiting(stream, connections.withLock { $0[number]?.reader }) else { return }
            if resets { exchange.reset(.cancel) }
            known.later(milliseconds: resets ? patience : 0) {
                connections.withLock { $0[number]?.isClosed = true }
                if known.plan?.abortsLate == true { exchange.peer.abort() } else { exchange.peer.close() }
            }
        }
    }

    /// Sends a good response.
    private static func respond(to exchange: HTTP2Exchange, _ id: UInt64, isHead: Bool) {
        let mark = String(decoding: Marker.bytes(of: id), as: UTF8.self)
        let body = isHead ? "" : "good \(mark) \(exchange.request.body.count)"
        let fields = [HTTP2Field("x-mark", mark), HTTP2Field("content-length", "\(body.utf8.count)")]
        exchange.respond(200, fields, body: body)
    }

    /// Whether a client may wait for something on a stream.
    private static func isWaiting(_ stream: Int, _ reader: FrameReader?) -> Bool {
        guard let reader, let state = reader.streams[stream] else { return false }
        let isBroken = reader.verdict != .sound || reader.isInside || state.fault != nil
        return isBroken || !state.isComplete && state.reset == nil
    }
}
#endif
