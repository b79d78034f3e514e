import Foundation
import PiuPiuAsync

/// A scripted server for HTTP/2 over TLS or without it, which can also misbehave on purpose.
///
/// ```swift
/// let server = try HTTP2Script { exchange in
///     exchange.head(200)
///     exchange.data(Array("half of it".utf8))
///     exchange.reset(.noError)
/// }
/// ```
///
/// The closure is called on the connection's thread for each request, when its body is complete. It must not block:
/// ``HTTP2Exchange/hold(_:_:)`` waits. The server itself answers settings and pings, and makes room for what it gets.
public final class HTTP2Script: Sendable {
    /// What is done with a request.
    public typealias Answer = @Sendable (HTTP2Exchange) -> Void
    /// Sees what is sent: the number of the connection, and the bytes before they are written.
    public typealias Watch = @Sendable (_ connection: Int, _ bytes: [UInt8]) -> Void
    /// Sees what the client sends: the number of the connection, and a frame.
    public typealias Receipt = @Sendable (_ connection: Int, _ frame: HTTP2Frame) -> Void

    /// What happened so far.
    struct Record: Sendable {
        var requests: [HTTP2Request] = []
        var resets: [HTTP2ErrorCode?] = []
        var openGates: Set<String> = []
        var held: [String: [@Sendable () -> Void]] = [:]
    }

    /// Whether there can be one with TLS.
    public static var isAvailable: Bool { TLSRelay.isAvailable }

    /// The TLS in front of it; `nil` without TLS.
    public let relay: TLSRelay?
    private let server: RawServer
    private let record: Observed<Record>

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - settings: The settings it begins with, by their numbers; by default, 100 streams at once.
    ///   - tls: Changes how TLS is spoken; the only protocol is `h2`. With `nil`, there is no TLS, and no other program is
    ///     needed.
    ///   - http1: What requests of HTTP/1.1 are answered with, byte for byte; `nil` closes such connections. They are
    ///     recorded with stream 0.
    ///   - remembers: Whether requests and resets are remembered, so that they can be waited for.
    ///   - watch: Sees all that is sent, in its order on each connection.
    ///   - received: Sees each frame that arrives, before the server does anything about it.
    ///   - ended: Given the number of a connection from which nothing more will be read.
    ///   - answer: Answers a request.
    /// - Throws: An error if python3 or openssl is missing.
    public init(
        settings: [Int: Int] = [3: 100],
        tls: ((inout TLSRelay.Settings) -> Void)? = { _ in },
        http1: String? = nil,
        remembers: Bool = true,
        watch: Watch? = nil,
        received: Receipt? = nil,
        ended: (@Sendable (Int) -> Void)? = nil,
        _ answer: @escaping Answer
    ) throws {
        let record = Observed(Record())
        self.record = record
        server = try RawServer { connection in
            defer { ended?(connection.number) }
            var session = HTTP2Session(
                connection,
                record,
                remembers: remembers,
                watch: watch,
                received: received,
                answer
            )
            try session.run(settings, http1: http1)
        }
        let port = server.port
        relay = try tls.map { tls in
            try TLSRelay(to: port) { configuration in
                configuration.protocols = ["h2"]
                configuration.mismatch = .close
                tls(&configuration)
            }
        }
    }

    deinit {
        stop()
        // Exchanges that nobody let go on refer to the record that keeps them.
        let held = record.update { record in
            defer { record.held = [:] }
            return record.held
        }
        withExtendedLifetime(held) {}
    }

    /// The certificate of the authority to trust; no file without TLS.
    public var authority: URL { relay?.authority ?? URL(filePath: "/") }

    /// A URL of the server.
    ///
    /// - Parameter path: Path and query, beginning with a slash.
    /// - Returns: The URL, with `localhost` as its host.
    public func url(_ path: String) -> URL { relay?.url(path) ?? urlWithoutTLS(path) }

    /// A URL of the server without TLS.
    ///
    /// - Parameter path: Path and query, beginning with a slash.
    /// - Returns: The URL, with `localhost` as its host.
    public func urlWithoutTLS(_ path: String) -> URL {
        URL(string: "http://localhost:\(server.port)\(path)") ?? URL(filePath: "/")
    }

    /// The requests that arrived whole, in order.
    public var requests: [HTTP2Request] { record.value.requests }

    /// How many connections were opened.
    public var acceptedConnections: Int { server.acceptedConnections }

    /// Why the client reset streams; `nil` for an unknown code.
    public var resets: [HTTP2ErrorCode?] { record.value.resets }

    /// Waits until requests have arrived.
    ///
    /// - Parameter count: How many.
    /// - Returns: `false` if the task is cancelled before.
    @discardableResult
    public func waitForRequests(_ count: Int) async -> Bool {
        await record.wait { $0.requests.count >= count }
    }

    /// Waits until the client has reset streams.
    ///
    /// - Parameter count: How many.
    /// - Returns: `false` if the task is cancelled before.
    @discardableResult
    public func waitForResets(_ count: Int) async -> Bool {
        await record.wait { $0.resets.count >= count }
    }

    /// Waits until exchanges wait in front of a gate.
    ///
    /// - Parameters:
    ///   - gate: The gate's name.
    ///   - count: How many.
    /// - Returns: `false` if the task is cancelled before.
    @discardableResult
    public func waitUntilHeld(_ gate: String, count: Int = 1) async -> Bool {
        await record.wait { $0.held[gate, default: []].count >= count }
    }

    /// Opens a gate for everything that waits in front of it, and for all that will come.
    ///
    /// - Parameter gate: The gate's name.
    public func release(_ gate: String) {
        let held = record.update { record in
            record.openGates.insert(gate)
            return record.held.removeValue(forKey: gate) ?? []
        }
        for body in held { body() }
    }

    /// Closes everything; later calls do nothing.
    public func stop() {
        relay?.stop()
        server.stop()
    }
}
