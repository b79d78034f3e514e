import PiuPiuAsync

extension HAR {
    /// A message of a WebSocket, as Chromium writes it into `_webSocketMessages`.
    public struct WebSocketMessage: Sendable, Hashable {
        /// The direction of a message.
        public enum Direction: String, Sendable, Hashable, Codable {
            /// The client sent it.
            case send
            /// The client received it.
            case receive
        }

        /// Whether the client sent or received it.
        public var direction: Direction
        /// The time in seconds since 1970.
        public var time: Double
        /// The opcode of its first frame: 1 for a text, 2 for a binary message (RFC 6455 §5.2).
        public var opcode: Int
        /// The text, or the bytes of a binary message in base64; only the beginning if ``size`` is not `nil`.
        public var data: String
        /// The size of the message in bytes if ``data`` is not all of it; otherwise `nil`.
        public var size: Int?

        /// Creates a message.
        ///
        /// - Parameters:
        ///   - direction: Whether the client sent or received it.
        ///   - time: The time in seconds since 1970.
        ///   - opcode: The opcode of its first frame.
        ///   - data: The text, or the bytes in base64.
        ///   - size: The size of the message in bytes if `data` is not all of it.
        public init(direction: Direction, time: Double, opcode: Int, data: String, size: Int? = nil) {
            self.direction = direction
            self.time = time
            self.opcode = opcode
            self.data = data
            self.size = size
        }
    }
}

extension HAR.WebSocketMessage {
    /// Whether the message is binary, and ``data`` is in base64.
    public var isBinary: Bool { opcode == 2 }

    /// The bytes of the recorded content; `nil` if ``data`` is not base64, although the message is binary.
    public var bytes: Data? {
        isBinary ? Data(base64Encoded: data, options: .ignoreUnknownCharacters) : Data(data.utf8)
    }

    /// Replaces the recorded content.
    mutating func setBytes(_ bytes: Data) {
        data = isBinary ? bytes.base64EncodedString() : String(decoding: bytes, as: UTF8.self)
    }

    /// Creates a message from what observers see, with at most `limit` bytes of its content.
    init(_ message: ObservedMessage, at time: Double, limit: Int) {
        let beginning = message.beginning.prefix(max(0, limit))
        self.init(
            direction: message.direction == .sent ? .send : .receive,
            time: time,
            opcode: message.isText ? 1 : 2,
            data: "",
            size: beginning.count < message.byteCount ? message.byteCount : nil
        )
        setBytes(Data(beginning))
    }
}

extension HAR.WebSocketMessage: Codable {
    private enum Keys: String, CodingKey {
        case direction = "type"
        case time, opcode, data
        case size = "_size"
    }

    /// Reads a message.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if it has no direction.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        self.init(
            direction: try container.decode(Direction.self, forKey: .direction),
            time: container.lenient(.time) ?? 0,
            opcode: container.lenient(.opcode) ?? 1,
            data: container.lenient(.data) ?? "",
            size: container.lenient(.size)
        )
    }

    /// Writes a message.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(direction, forKey: .direction)
        try container.encode(time, forKey: .time)
        try container.encode(opcode, forKey: .opcode)
        try container.encode(data, forKey: .data)
        try container.encodeIfPresent(size, forKey: .size)
    }

    /// A message of a file, or anything else in its place, such as one of Chromium's errors.
    struct Lenient: Decodable {
        let message: HAR.WebSocketMessage?

        init(from decoder: any Decoder) throws {
            message = try? HAR.WebSocketMessage(from: decoder)
        }
    }
}

extension HAR.WebSocketMessage: Redacted {
    /// The direction, the opcode and the size, without the content.
    package var shown: KeyValuePairs<String, Any> {
        ["direction": direction.rawValue, "opcode": opcode, "length": data.utf8.count]
    }
}

/// The messages of a WebSocket that are recorded, up to a number and a size.
struct HARMessages: Sendable {
    static let maximumCount = 10_000
    static let maximumSize = 4 * 1024 * 1024

    private(set) var all: [HAR.WebSocketMessage] = []
    /// The number of later messages.
    private(set) var skipped = 0
    private(set) var size = 0

    var isEmpty: Bool { all.isEmpty && skipped == 0 }

    mutating func add(_ message: HAR.WebSocketMessage) {
        let cost = message.cost
        guard skipped == 0, all.count < Self.maximumCount, size + cost <= Self.maximumSize else {
            skipped += 1
            return
        }
        size += cost
        all.append(message)
    }
}

extension HAR.WebSocketMessage {
    /// The approximate memory use.
    var cost: Int { 64 + data.utf8.count }
}
