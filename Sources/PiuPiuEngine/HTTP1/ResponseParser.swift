/// Reads the HTTP/1.1 responses to one request from the bytes of a connection (RFC 9112); a pure value.
///
///     head ── informational ──▶ head …
///       └──── final ──▶ length, chunks, until the end, or no body ──▶ complete
///
/// The parser is strict about everything that frames a message and lenient about the rest. It takes nothing beyond the end of
/// the response.
package struct ResponseParser {
    package enum Failure: Error, Equatable {
        /// The head is not HTTP or contradicts itself.
        case malformedHead
        /// The heads and trailers together are larger than the limit.
        case headTooLarge
        /// The server switches protocols without being asked.
        case switchedProtocols
        /// A chunk or a trailer is malformed.
        case malformedBody
    }

    package enum Event {
        /// The parser took everything and needs more.
        case needsMore
        /// An informational head is complete.
        case informational
        /// The final head is complete.
        case head
        /// Bytes of the body, which are part of the input.
        case body(UnsafeRawBufferPointer)
        /// The response is complete.
        case end
    }

    /// The meaning of the end of the connection.
    package enum ConnectionEnd: Equatable {
        /// The head had not arrived.
        case withoutHead
        /// The body is cut off.
        case truncated
        /// The end of the connection ends the body, or the response was complete before.
        case complete
    }

    private enum State: Equatable {
        case head
        case length
        case untilClose
        case chunks(ChunkState)
        case trailers
        case complete
    }

    /// The longest line that announces the size of a chunk, in bytes.
    private static let maximumChunkLine = 16 * 1024

    /// The parts of the head that have arrived.
    package private(set) var head: HeadCollector
    /// Whether a byte of a response has arrived.
    package private(set) var hasBegun = false

    private let isHEAD: Bool
    /// Whether the end of the connection ended the body.
    private var hasEndedWithConnection = false
    private var state = State.head
    /// The bytes of the body or of the chunk that are still to come.
    private var remaining = 0
    /// The beginning of a line whose end has not arrived.
    private var line: [UInt8] = []

    /// Creates a parser for the response to one request.
    ///
    /// - Parameters:
    ///   - limit: The largest size of all heads and trailers together, in bytes.
    ///   - isHEAD: Whether the request's method is `HEAD`, whose response has no body.
    ///   - switchesProtocols: Whether the request asks to switch protocols. After 101, all bytes are passed on as a body.
    package init(limit: Int, isHEAD: Bool, switchesProtocols: Bool = false) {
        head = HeadCollector(limit: limit, switchesProtocols: switchesProtocols)
        self.isHEAD = isHEAD
    }

    /// Creates a parser for the answer to `CONNECT`, which has no body, whatever its fields say (RFC 9110 §9.3.6).
    ///
    /// - Parameter limit: The largest size of all heads together, in bytes.
    package init(ofConnect limit: Int) {
        head = HeadCollector(limit: limit, ignoresFraming: true)
        isHEAD = true
    }

    /// Whether the response is complete.
    package var isComplete: Bool { state == .complete }

    /// Whether only the end of the connection ends the body.
    package var endsWithConnection: Bool { state == .untilClose }

    /// Whether another response can follow on the connection (RFC 9112 §9.3).
    package var keepsConnection: Bool {
        guard state == .complete, !hasEndedWithConnection, !head.closesConnection else { return false }
        // If both framings are announced, or content that must not be sent, the start of the next response is uncertain.
        guard !head.hasTransferEncoding || head.contentLength == nil else { return false }
        if head.statusCode == 204, head.hasTransferEncoding || (head.contentLength ?? 0) > 0 { return false }
        // RFC 9112 §6.1: the framing of an HTTP/1.0 response with a transfer coding is faulty.
        return head.isHTTP10 ? head.keepsConnection && !head.hasTransferEncoding : true
    }

    // MARK: Bytes

    /// Takes the next event from the input, and removes the bytes that it used; after it throws, nothing more may be read.
    package mutating func next(_ input: inout UnsafeRawBufferPointer) throws(Failure) -> Event {
        if !input.isEmpty { hasBegun = true }
        while true {
            switch state {
            case .complete: return .end
            case .head, .trailers:
                guard let event = try nextLine(&input) else { return .needsMore }
                switch event {
                case .line, .trailer: continue
                case .informational: return .informational
                case .final:
                    chooseFraming()
                    return .head
                case .lastTrailer:
                    state = .complete
                    return .end
                }
            case .length:
                guard remaining > 0 else {
                    state = .complete
                    return .end
                }
                return input.isEmpty ? .needsMore : .body(take(min(remaining, input.count), &input))
            case .untilClose:
                return input.isEmpty ? .needsMore : .body(take(input.count, &input))
            case .chunks(.data) where remaining > 0:
                return input.isEmpty ? .needsMore : .body(take(min(remaining, input.count), &input))
            case .chunks(let part):
                guard let byte = input.first else { return .needsMore }
                input = UnsafeRawBufferPointer(rebasing: input[1...])
                state = try afterByte(byte, part)
            }
        }
    }

    /// The number of following bytes that belong to the body, whatever they are; 0 outside the body.
    package var bodyCountAhead: Int {
        switch state {
        case .length, .chunks(.data): remaining
        case .untilClose: .max
        case .head, .chunks, .trailers, .complete: 0
        }
    }

    /// Passes over bytes of the body that the parser does not see, at most ``bodyCountAhead``.
    package mutating func skipBody(_ count: Int) {
        if state != .untilClose { remaining -= count }
    }

    /// Frees the memory of the head, which was passed on.
    package mutating func forgetHead() { head.forgetBytes() }

    /// Returns what the end of the connection means.
    package mutating func connectionEnded() -> ConnectionEnd {
        switch state {
        case .head: return .withoutHead
        case .untilClose:
            state = .complete
            hasEndedWithConnection = true
            return .complete
        case .complete: return .complete
        case .length where remaining == 0: return .complete
        case .length, .chunks, .trailers: return .truncated
        }
    }

    private mutating func take(_ count: Int, _ input: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        defer { input = UnsafeRawBufferPointer(rebasing: input[count...]) }
        if state != .untilClose { remaining -= count }
        return UnsafeRawBufferPointer(rebasing: input[..<count])
    }

    // MARK: Heads and trailers

    private enum LineEvent { case line, informational, final, trailer, lastTrailer }

    /// Takes a line; returns `nil` if its end has not arrived.
    private mutating func nextLine(_ input: inout UnsafeRawBufferPointer) throws(Failure) -> LineEvent? {
        // Don't wait for the end of a line that is not HTTP: there may be none.
        guard !head.isAtStart || mayBeginHead(with: input) else { throw .malformedHead }
        guard let end = input.firstOffset(of: 0x0A) else {
            guard line.count + input.count <= head.room else { throw .headTooLarge }
            line.append(contentsOf: input)
            input = UnsafeRawBufferPointer(rebasing: input[input.count...])
            return nil
        }
        let piece = UnsafeRawBufferPointer(rebasing: input[...end])
        input = UnsafeRawBufferPointer(rebasing: input[(end + 1)...])
        guard !line.isEmpty else { return try append(piece) }
        guard line.count + piece.count <= head.room else { throw .headTooLarge }
        line.append(contentsOf: piece)
        let whole = line
        line.removeAll(keepingCapacity: true)
        return try whole.withUnsafeBytes { bytes in
            Result { () throws(Failure) in try append(bytes) }
        }.get()
    }

    /// Whether the first line of a head begins correctly, as far as it has arrived.
    private func mayBeginHead(with input: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        for byte in "HTTP/".utf8 {
            let rest = place - line.count
            // A byte beyond the limit is one too many, whatever its value.
            guard rest < input.count, place < head.room else { return true }
            guard byte == (rest < 0 ? line[place] : input[rest]) else { return false }
            place += 1
        }
        return true
    }

    private mutating func append(_ line: UnsafeRawBufferPointer) throws(Failure) -> LineEvent {
        let isTrailer = state == .trailers
        do throws(HeadCollector.Failure) {
            switch try head.append(line) {
            case .line: return .line
            case .informational, .final:
                // HTTP/2 has no such lines, and HTTP/0.9 no heads.
                guard head.bytes.count > 5, head.bytes[5] == 0x31 else { throw .malformed }
                return head.isFinal ? .final : .informational
            case .trailer:
                if line.count <= 2, line.first == 0x0D || line.first == 0x0A { return .lastTrailer }
                guard line.first?.isHTTPWhitespace == true || line.contains(0x3A) else { throw .malformed }
                return .trailer
            }
        } catch {
            switch error {
            case .tooLarge: throw .headTooLarge
            case .switchedProtocols: throw .switchedProtocols
            case .malformed: throw isTrailer ? .malformedBody : .malformedHead
            }
        }
    }

    /// Decides by the final head how the body is framed (RFC 9112 §6.3).
    private mutating func chooseFraming() {
        if head.statusCode == 101 {
            state = .untilClose
        } else if isHEAD || head.statusCode == 204 || head.statusCode == 304 {
            state = .complete
        } else if head.hasTransferEncoding {
            state = .chunks(.start)
        } else if let length = head.contentLength {
            remaining = length
            state = length == 0 ? .complete : .length
        } else {
            state = .untilClose
        }
    }

    // MARK: Chunks

    /// The position of the input within a chunk (RFC 9112 §7.1).
    private enum ChunkState: Equatable {
        case start
        case size(digits: Int, count: Int)
        /// White space after the size.
        case blank(count: Int)
        /// Extensions, which are skipped.
        case rest(count: Int)
        case sizeLF
        /// The data, and the CR after it.
        case data
        case dataLF
    }

    private mutating func afterByte(_ byte: UInt8, _ part: ChunkState) throws(Failure) -> State {
        switch part {
        case .start:
            remaining = 0
            guard let value = Self.hexadecimal(byte) else { throw .malformedBody }
            remaining = value
            return .chunks(.size(digits: value == 0 ? 0 : 1, count: 1))
        case .size(let digits, let count):
            guard count < Self.maximumChunkLine else { throw .malformedBody }
            if let value = Self.hexadecimal(byte) {
                // No body needs more than 15 digits.
                guard digits < 15 else { throw .malformedBody }
                remaining = remaining << 4 | value
                return .chunks(.size(digits: digits == 0 && value == 0 ? 0 : digits + 1, count: count + 1))
            }
            return try afterSize(byte, count)
        case .blank(let count):
            guard count < Self.maximumChunkLine else { throw .malformedBody }
            return try afterSize(byte, count)
        case .rest(let count):
            guard count < Self.maximumChunkLine else { throw .malformedBody }
            // Other readers could treat a line feed alone as the end of the line.
            guard byte != 0x0A, byte != 0 else { throw .malformedBody }
            return .chunks(byte == 0x0D ? .sizeLF : .rest(count: count + 1))
        case .sizeLF:
            guard byte == 0x0A else { throw .malformedBody }
            return remaining == 0 ? .trailers : .chunks(.data)
        case .data:
            guard byte == 0x0D else { throw .malformedBody }
            return .chunks(.dataLF)
        case .dataLF:
            guard byte == 0x0A else { throw .malformedBody }
            return .chunks(.start)
        }
    }

    private func afterSize(_ byte: UInt8, _ count: Int) throws(Failure) -> State {
        switch byte {
        case 0x0D: return .chunks(.sizeLF)
        case 0x20, 0x09: return .chunks(.blank(count: count + 1))
        case 0x3B: return .chunks(.rest(count: count + 1))
        default: throw .malformedBody
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x46: Int(byte) - 0x37
        case 0x61...0x66: Int(byte) - 0x57
        default: nil
        }
    }
}
