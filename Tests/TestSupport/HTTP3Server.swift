import Foundation
import PiuPiuAsync

/// A server for HTTP/3, written in Python with aioquic, and for HTTP/1.1 over TLS on the same port of TCP.
///
/// Its paths are in `Python/http3_server.py`.
public final class HTTP3Server: Sendable {
    /// What the port of UDP does.
    public enum Datagrams: String, Sendable {
        /// Speaks HTTP/3.
        case http3
        /// Speaks HTTP/3, and asks clients for certificates.
        case asking
        /// Takes datagrams and never answers.
        case silent
        /// Is closed.
        case none
    }

    /// What the port of TCP does.
    public enum Stream: String, Sendable {
        /// Speaks HTTP/1.1 over TLS.
        case http1
        /// Is closed.
        case none
    }

    fileprivate struct Record: Sendable {
        var port = 0
        var proxyPort = 0
        var connections = 0
        var attempts = 0
        var requests: [String] = []
        var resets = 0
        var lastEcho = 0
        var hasEnded = false
    }

    /// Whether there can be one: python3 has aioquic, and openssl is there.
    public static let isAvailable: Bool = {
        do {
            try Command("python3").run("-c", "import aioquic.h3.connection")
            _ = try Certificates.shared.get()
            return true
        } catch {
            FileHandle.standardError.write(Data("Tests of HTTP/3 are skipped, python3 has no aioquic: \(error)\n".utf8))
            return false
        }
    }()

    /// The port.
    public let port: Int
    /// The certificate of the authority to trust.
    public let authority: URL
    private let companion: Companion
    private let record: Observed<Record>
    private let echoes = Locked(0)

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - datagrams: What the port of UDP does.
    ///   - stream: What the port of TCP does.
    ///   - certificate: The name of its certificate.
    ///   - port: The port of UDP, which another server has of TCP; `nil` for a free one.
    /// - Throws: An error if it cannot be started.
    public init(
        _ datagrams: Datagrams = .http3,
        stream: Stream = .none,
        certificate: String = "good",
        port: Int? = nil
    ) throws {
        let certificates = try Certificates.shared.get()
        authority = certificates.authority
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Python/http3_server.py")
        let files = [certificates.certificate(certificate).path, certificates.key(certificate).path]
        let companion = try Companion(
            Command("python3"),
            ["-u", script.path, datagrams.rawValue, stream.rawValue] + files + (port.map { ["\($0)"] } ?? [])
        )
        let record = Observed(Record())
        let thread = Thread {
            companion.readLines { line in record.update { $0.note(line.split(separator: " ")) } }
            record.update { $0.hasEnded = true }
        }
        thread.name = "HTTP3Server"
        thread.start()
        let started = record.block(for: .seconds(300)) { $0.port != 0 || $0.hasEnded }
        guard started.port != 0 else { throw Command.Failure(description: "the server for HTTP/3 does not start") }
        self.port = started.port
        self.companion = companion
        self.record = record
    }

    deinit {
        companion.stop()
    }

    /// A URL of the server.
    ///
    /// - Parameter path: The path, beginning with a slash.
    /// - Returns: The URL, with `localhost` as its host.
    public func url(_ path: String) -> URL {
        URL(string: "https://localhost:\(port)\(path)") ?? URL(filePath: "/")
    }

    /// The port of a tunnelling HTTP proxy that connects to ``port``.
    public var proxyPort: Int { record.value.proxyPort }

    /// How many connections of QUIC were opened.
    public var connections: Int { upToDate.connections }

    /// How many sockets have sent something to a port that is silent.
    public var attempts: Int { upToDate.attempts }

    /// The requests over HTTP/3, each with its method and path.
    public var requests: [String] { upToDate.requests }

    /// The record with everything that the server has told until now.
    private var upToDate: Record {
        let number = echoes.withLock { count in
            count += 1
            return count
        }
        companion.send("echo \(number)")
        return record.block(for: .seconds(300)) { $0.lastEcho >= number || $0.hasEnded }
    }

    /// Waits until the client has reset streams.
    ///
    /// - Parameter count: How many.
    /// - Returns: `false` if the task is cancelled before.
    @discardableResult
    public func waitForResets(_ count: Int) async -> Bool { await record.wait { $0.resets >= count } }

    /// Waits until sockets have sent something to a port that is silent.
    ///
    /// - Parameter count: How many.
    /// - Returns: `false` if the task is cancelled before.
    @discardableResult
    public func waitForAttempts(_ count: Int) async -> Bool { await record.wait { $0.attempts >= count } }

    /// Waits until requests have arrived.
    ///
    /// - Parameter count: How many.
    /// - Returns: `false` if the task is cancelled before.
    @discardableResult
    public func waitForRequests(_ count: Int) async -> Bool { await record.wait { $0.requests.count >= count } }

    /// Ends the responses that are held.
    public func release() { companion.send("release") }

    /// Ends the server without a word to its clients, and waits for its end.
    public func die() async {
        companion.send("die")
        _ = await record.wait { $0.hasEnded }
    }
}

extension HTTP3Server.Record {
    fileprivate mutating func note(_ words: [Substring]) {
        guard words.count > 1, let number = Int(words[1]) else { return }
        switch words[0] {
        case "ready":
            port = number
            proxyPort = words.last.flatMap { Int($0) } ?? 0
        case "connection": connections = max(connections, number)
        case "attempt": attempts = max(attempts, number)
        case "request": requests.append(words.dropFirst(2).joined(separator: " "))
        case "reset": resets += 1
        case "echo": lastEcho = max(lastEcho, number)
        default: break
        }
    }
}
