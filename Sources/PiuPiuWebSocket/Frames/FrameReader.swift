/// Reads the frames of a server and puts their messages together (RFC 6455 §5, RFC 7692 §6).
///
///     header ──▶ payload of data ───▶ header … final fragment: message
///        └─────▶ payload of control ─▶ ping, pong, close
///
/// It checks what a client must check, each byte when it arrives: however the input is split, the events are the same.
/// The reader and its copies share the memory of the message in progress, so only one of them may go on.
package struct FrameReader {
    /// What the server sent.
    package enum Event: Sendable, Hashable {
        /// All of the input is read, and there is no further event in it.
        case needsMore
        /// A whole message. `wireSize` is the size of its frames with their headers, so before decompression.
        case message(WebSocketMessage, wireSize: Int)
        /// A ping with its payload, which a pong returns.
        case ping([UInt8])
        /// A pong with its payload.
        case pong([UInt8])
        /// A close frame, which is the last; the code is `nil` if it has none.
        case close(code: UInt16?, reason: String)
    }

    /// The number of consecutive empty fragments that a message may have.
    package static let maximumEmptyFragments = 1000

    enum Stage {
        case header, data, control
        /// After a close frame or a violation.
        case ended
    }

    /// The message whose frames arrive.
    struct Progress {
        var isText: Bool
        var isCompressed: Bool
        /// The size of the payloads whose headers arrived.
        var payloadSize = 0
        var headerSize = 0
        /// The number of empty fragments since the last that was not.
        var emptyFragments = 0
        var validator = UTF8Validator()
    }

    let maximumMessageSize: Int
    let inflater: MessageInflater?
    let buffer = MessageBuffer()
    private var headerReader = FrameHeaderReader()
    var stage = Stage.header
    /// The header of the frame whose payload arrives.
    var frame = FrameHeader()
    /// The number of bytes of the payload that are still to arrive.
    var missing = 0
    /// The message in progress; `nil` between two messages.
    var progress: Progress?
    /// The payload of a control frame, as far as it arrived.
    var control: [UInt8] = []

    /// Creates a reader at the start of a connection.
    ///
    /// - Parameters:
    ///   - maximumMessageSize: The largest size of a message, after decompression.
    ///   - inflater: Decompresses messages; `nil` if the connection has no compression.
    package init(maximumMessageSize: Int, inflater: MessageInflater?) {
        self.maximumMessageSize = max(maximumMessageSize, 0)
        self.inflater = inflater
    }

    /// The number of bytes held of the message in progress, after decompression.
    package var bufferedCount: Int { buffer.count }

    /// Whether a message has begun and is incomplete.
    package var isInMessage: Bool { progress != nil }

    /// Reads until there is an event.
    ///
    /// After a violation or a close frame, there is no further event, and the rest of the input is ignored.
    ///
    /// - Parameter input: The input; advanced past what was read.
    /// - Returns: The event; `needsMore` if the input has no further one.
    /// - Throws: The server's violation of the protocol.
    package mutating func next(_ input: inout UnsafeRawBufferPointer) throws(WebSocketViolation) -> Event {
        do throws(WebSocketViolation) {
            return try read(&input)
        } catch {
            end()
            throw error
        }
    }

    private mutating func read(_ input: inout UnsafeRawBufferPointer) throws(WebSocketViolation) -> Event {
        while true {
            switch stage {
            case .header:
                let context = FrameHeaderReader.Context(
                    isInMessage: progress != nil,
                    allowsCompression: inflater != nil
                )
                guard let header = try headerReader.read(&input, in: context) else { return .needsMore }
                try begin(header)
            case .data:
                if let event = try readData(&input) { return event }
            case .control:
                return try readControl(&input)
            case .ended:
                input.skip(input.count)
                return .needsMore
            }
        }
    }

    private mutating func begin(_ header: FrameHeader) throws(WebSocketViolation) {
        frame = header
        missing = header.payloadCount
        guard !header.opcode.isControl else {
            stage = .control
            return
        }
        stage = .data
        var progress =
            self.progress ?? Progress(isText: header.opcode == .text, isCompressed: header.isCompressed)
        // The payload of a compressed message can be a little larger than the message, never much larger.
        let allowed =
            progress.isCompressed
            ? Int(clamping: UInt64(maximumMessageSize) + UInt64(maximumMessageSize) / 8 + 1 << 16)
            : maximumMessageSize
        guard header.payloadCount <= allowed - progress.payloadSize else { throw .messageTooBig }
        progress.payloadSize += header.payloadCount
        progress.headerSize += header.headerCount
        progress.emptyFragments = header.payloadCount == 0 ? progress.emptyFragments + 1 : 0
        guard progress.emptyFragments <= Self.maximumEmptyFragments else { throw .emptyFragments }
        self.progress = progress
    }

    /// Ends the reading, and frees what is held.
    mutating func end() {
        stage = .ended
        progress = nil
        control = []
        buffer.removeAll()
    }
}
