import Foundation
import PiuPiuAsync

/// TLS in front of a plain port, so that a scripted server speaks it, byte by byte as the script says.
///
/// ```swift
/// let server = try LoopbackServer()
/// let relay = try TLSRelay(to: server.port) { $0.end = .abrupt }
/// let url = relay.url("/path")
/// ```
///
/// A connection to the server is opened when the handshake has ended. It ends as the server's connection does: orderly,
/// or with a reset. The certificate is for `localhost`, signed by ``authority``. It needs python3 and openssl; if one
/// is missing, ``isAvailable`` is `false`.
public final class TLSRelay: Sendable {
    /// What is spoken.
    public struct Settings: Sendable {
        /// What happens to a client that offers none of the protocols.
        public enum Mismatch: String, Sendable {
            /// It is served without a protocol.
            case ignore
            /// The connection is closed after the handshake, as nghttpd does.
            case close
            /// The handshake fails with the alert `no_application_protocol`.
            case alert
        }

        /// The version of TLS.
        public enum Version: String, Sendable {
            /// TLS 1.2.
            case tls12 = "1.2"
            /// TLS 1.3.
            case tls13 = "1.3"
            /// What the client prefers.
            case any
        }

        /// How a connection ends.
        public enum End: String, Sendable {
            /// With the alert `close_notify`.
            case closeNotify = "close_notify"
            /// Without an alert.
            case abrupt
        }

        /// How the server's bytes are put into records.
        public enum Records: Sendable {
            /// What the server writes at once, up to 16 KiB, is a record.
            case asWritten
            /// No record is longer than a number of bytes.
            case atMost(Int)
            /// Every record but the connection's last has exactly a number of bytes, and waits until it has.
            case exactly(Int)
        }

        /// The protocols to choose from by ALPN; none by default.
        public var protocols: [String] = []
        /// What happens to a client that offers none of them.
        public var mismatch = Mismatch.ignore
        /// The version of TLS.
        public var version = Version.any
        /// How a connection ends.
        public var end = End.closeNotify
        /// How the server's bytes are put into records.
        public var records = Records.asWritten
        /// What is sent together with the server's last message of the handshake, before anything of the server's.
        public var greeting: [UInt8] = []
        /// Whether the connection is closed at once, with an alert behind the greeting.
        public var closesAfterGreeting = false
        /// Whether the client has to have a certificate.
        public var requiresCertificate = false
    }

    /// What happened at the relay so far.
    struct State: Sendable {
        var port: Int?
        var protocols: [String?] = []
        var refusals = 0
        var sent: [Int: Int] = [:]
    }

    /// Whether there can be one.
    public static var isAvailable: Bool { TLSRelayProcess.shared != nil }

    /// The port that speaks TLS.
    public let port: Int

    /// The certificate of the authority to trust.
    public let authority: URL
    private let number: Int
    private let process: TLSRelayProcess
    private let state = Observed(State())

    /// Starts a relay.
    ///
    /// - Parameters:
    ///   - target: The plain port on 127.0.0.1.
    ///   - configure: Changes the settings.
    /// - Throws: An error if python3 or openssl is missing.
    public init(to target: Int, _ configure: (inout Settings) -> Void = { _ in }) throws {
        guard let process = TLSRelayProcess.shared else {
            throw Command.Failure(description: "TLS needs python3 and openssl")
        }
        var settings = Settings()
        configure(&settings)
        self.process = process
        authority = process.certificates.authority
        number = try process.start(target, settings, state)
        guard let port = state.block(for: .seconds(300), until: { $0.port != nil }).port else {
            throw Command.Failure(description: "the relay did not start")
        }
        self.port = port
    }

    deinit {
        stop()
    }

    /// A URL that leads through the relay.
    ///
    /// - Parameter path: Path and query, beginning with a slash.
    /// - Returns: The URL, with `localhost` as its host.
    public func url(_ path: String) -> URL {
        URL(string: "https://localhost:\(port)\(path)") ?? URL(filePath: "/")
    }

    /// The protocol of each connection whose handshake succeeded, in order; `nil` without one.
    public var agreedProtocols: [String?] { state.value.protocols }

    /// How many connections had no use: their handshake failed, or agreed on nothing.
    public var refusals: Int { state.value.refusals }

    /// How many of the server's bytes were handed to the system, over all connections.
    public var bytesSent: Int { state.value.sent.values.reduce(0, +) }

    /// Waits until bytes of the server were encrypted and handed to the system, over all connections.
    ///
    /// - Parameter count: How many.
    /// - Returns: `false` if the task is cancelled before.
    @discardableResult
    public func waitForBytesSent(_ count: Int) async -> Bool {
        await state.wait { $0.sent.values.reduce(0, +) >= count }
    }

    /// Waits until handshakes have succeeded.
    ///
    /// - Parameter count: How many.
    /// - Returns: `false` if the task is cancelled before.
    @discardableResult
    public func waitForHandshakes(_ count: Int) async -> Bool {
        await state.wait { $0.protocols.count >= count }
    }

    /// Closes the port and all connections; later calls do nothing.
    public func stop() {
        process.stop(number)
    }
}
