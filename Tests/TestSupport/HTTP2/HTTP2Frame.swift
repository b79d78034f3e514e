/// A frame of HTTP/2.
public struct HTTP2Frame: Sendable {
    /// The kind of a frame, as RFC 9113 numbers them.
    public enum Kind: UInt8, Sendable {
        /// A part of a body.
        case data = 0
        /// The beginning of a head or of trailers.
        case headers = 1
        /// Out of use.
        case priority = 2
        /// The end of a stream without its body.
        case resetStream = 3
        /// Parameters of the connection.
        case settings = 4
        /// A response that was not asked for.
        case pushPromise = 5
        /// A sign of life.
        case ping = 6
        /// The end of the connection.
        case goAway = 7
        /// Room for more of bodies.
        case windowUpdate = 8
        /// The rest of a head or of trailers.
        case continuation = 9
    }

    /// The largest payload that needs no agreement.
    public static let largestPayload = 16384

    /// The flag of the last frame of a stream, and of an acknowledgement.
    public static let endStream: UInt8 = 1
    /// The flag of an acknowledgement.
    public static let acknowledgement: UInt8 = 1
    /// The flag of the last frame of a head.
    public static let endHeaders: UInt8 = 4
    /// The flag of a frame whose payload begins with the length of its padding.
    public static let padded: UInt8 = 8
    static let priority: UInt8 = 32

    /// The kind's number.
    public var kind: UInt8
    /// The flags.
    public var flags: UInt8
    /// The stream; 0 for the connection.
    public var stream: Int
    /// What is in it.
    public var payload: [UInt8]

    /// Creates a frame.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - flags: The flags.
    ///   - stream: The stream; 0 for the connection.
    ///   - payload: What is in it.
    public init(_ kind: Kind, flags: UInt8 = 0, stream: Int = 0, payload: [UInt8] = []) {
        self.kind = kind.rawValue
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    /// Reads a frame's head of nine bytes.
    ///
    /// - Parameter head: The nine bytes.
    /// - Returns: The frame without its payload, and the length of that.
    static func parse(head: [UInt8]) -> (frame: HTTP2Frame, length: Int) {
        var frame = HTTP2Frame(.data, flags: head[4], stream: number(head[5..<9]) & 0x7FFF_FFFF)
        frame.kind = head[3]
        return (frame, number(head[0..<3]))
    }

    /// The frame as it is sent.
    public var bytes: [UInt8] {
        Array(Self.bytes(payload.count).dropFirst()) + [kind, flags] + Self.bytes(stream) + payload
    }

    /// The payload without padding and priority.
    var content: ArraySlice<UInt8> {
        var content = payload[...]
        let isHeaders = kind == Kind.headers.rawValue
        if flags & Self.padded != 0, isHeaders || kind == Kind.data.rawValue, let padding = content.popFirst() {
            content = content.dropLast(Int(padding))
        }
        return isHeaders && flags & Self.priority != 0 ? content.dropFirst(5) : content
    }

    /// A number in four bytes.
    package static func bytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The number in some bytes.
    package static func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
