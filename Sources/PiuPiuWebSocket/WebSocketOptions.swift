/// The settings of a WebSocket, in addition to those of the dispatcher.
///
/// ```swift
/// var options = WebSocketOptions()
/// options.subprotocols = ["graphql-transport-ws"]
/// options.keepAlive = .init(interval: .seconds(30), timeout: .seconds(10))
/// ```
public struct WebSocketOptions: Sendable {
    /// The subprotocols to offer, in order of preference (RFC 6455 §1.9); ``WebSocket/subprotocol`` is the server's choice.
    ///
    /// Empty by default. Each is a token (RFC 9110 §5.6.2), and none occurs twice.
    public var subprotocols: [String] = []
    /// Whether to offer compression of messages; ``Compression/none`` by default.
    public var compression = Compression.none
    /// The maximum size of a received message in bytes, after decompression; 16 MiB by default.
    ///
    /// A larger one ends the connection with ``WebSocketError/Code/messageTooLarge``, as soon as its size is known, and the
    /// server gets the code 1009.
    public var maximumMessageSize = 16 * 1024 * 1024
    /// How long the server may take to answer a close frame, and then to end the connection; 5 seconds by default.
    ///
    /// After this time, the connection is cut off.
    public var closeTimeout = Duration.seconds(5)
    /// Whether the client sends pings by itself; `nil`, the default, for no pings.
    public var keepAlive: KeepAlive?
    /// When HTTP/2 is used (RFC 8441); ``HTTP2/automatic`` by default.
    public var http2 = HTTP2.automatic
    /// The limits of the handshake, in place of the dispatcher's; `nil`, the default, for the dispatcher's.
    ///
    /// ``Timeouts/total`` and ``Timeouts/idle`` apply until the WebSocket is open, and no longer.
    public var requestOptions: RequestOptions?

    /// Creates the default settings.
    public init() {}

    /// The compression of messages (RFC 7692).
    public struct Compression: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case none
            case deflate
        }

        let kind: Kind
        /// The size in bytes from which a message is compressed.
        var minimumSize = 0
        /// Whether messages refer to those before.
        var keepsContext = true

        /// No compression is offered.
        public static let none = Compression(kind: .none)
        /// Messages are compressed by `permessage-deflate` if the server agrees.
        ///
        /// Compression takes up to 300 KiB of memory a connection, from its first compressed message. Do not use it if secrets and
        /// text that an attacker chooses are in the same connection: the sizes of frames tell how much they resemble each other.
        public static let deflate = Compression(kind: .deflate)

        /// Messages are compressed by `permessage-deflate` if the server agrees.
        ///
        /// - Parameters:
        ///   - minimumSize: The size in bytes from which a message is compressed.
        ///   - keepsContext: Whether messages may refer to those before, which compresses small messages far better. Otherwise,
        ///     both sides compress each message by itself.
        /// - Returns: The setting.
        public static func deflate(minimumSize: Int, keepsContext: Bool = true) -> Compression {
            Compression(kind: .deflate, minimumSize: max(0, minimumSize), keepsContext: keepsContext)
        }
    }

    /// Pings that the client sends by itself, so that it notices a connection that is dead, and so that nobody on the way takes it
    /// for unused.
    public struct KeepAlive: Sendable, Hashable {
        /// The time between two pings; not less than ``timeout`` applies.
        public var interval: Duration
        /// How long the server may take to answer a ping, unless unread messages have stopped it; then the connection ends with ``WebSocketError/Code/pingTimeout``.
        public var timeout: Duration

        /// Creates a setting.
        ///
        /// - Parameters:
        ///   - interval: The time between two pings; not less than `timeout` applies.
        ///   - timeout: How long the server may take to answer.
        public init(interval: Duration = .seconds(30), timeout: Duration = .seconds(10)) {
            self.interval = interval
            self.timeout = timeout
        }
    }

    /// When a WebSocket uses HTTP/2.
    public enum HTTP2: Sendable, Hashable {
        /// If a connection of HTTP/2 to the server is open whose settings allow it; otherwise HTTP/1.1, as in browsers.
        ///
        /// Few servers support it. This way, others cost no connection that is then not used.
        case automatic
        /// If the server's settings allow it, which a new connection may have to find out first; otherwise HTTP/1.1.
        case preferred
        /// Never: HTTP/1.1, on a connection of its own.
        case never
    }
}
