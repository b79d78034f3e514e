/// Collects the lines of a response's head, and checks and interprets its framing; a pure value.
///
///     status line ──▶ fields ── empty line ──▶ complete, informational ── status line ──▶ fields …
///                                    └───────▶ complete, final ── lines of the trailers, which stay apart from the head
///
/// Only the first line of a head is a status line. A later line that looks like one would otherwise replace the response
/// that the engine is reading, with another status code and another length.
package struct HeadCollector {
    package enum Failure: Error, Equatable {
        /// The head is not HTTP or contradicts itself.
        case malformed
        /// The server switches protocols without being asked.
        case switchedProtocols
        /// The heads and trailers together are larger than the limit.
        case tooLarge
    }

    package enum Event: Equatable {
        /// The line is part of a head.
        case line
        /// An informational head is complete; another head follows.
        case informational
        /// The final head is complete.
        case final
        /// The line is part of the trailers.
        case trailer
    }

    private enum State {
        case statusLine, fields, informational, final
    }

    /// The status line and the field lines of the newest head, with their line ends.
    package private(set) var bytes: [UInt8] = []
    /// The status code of the newest complete head; 0 before there is one.
    package private(set) var statusCode = 0
    /// The length that the head announces, in bytes on the wire; `nil` if it announces none.
    ///
    /// It is at most `Int.max`, which no body reaches.
    package var contentLength: Int? { length.map { Int(clamping: $0) } }
    /// Whether the head has a `Transfer-Encoding`, which takes precedence over any length (RFC 9112 §6.3).
    package private(set) var hasTransferEncoding = false

    /// Whether the server closes the connection after the response (RFC 9112 §9.6).
    package private(set) var closesConnection = false
    /// Whether the server keeps an HTTP/1.0 connection open.
    package private(set) var keepsConnection = false
    /// How long the server keeps the connection, in seconds, according to `Keep-Alive`; 0 for not at all.
    package private(set) var keepAliveSeconds: Int?

    /// Whether the head may have a `Content-Encoding`; if `false`, there is no need to search for it.
    package private(set) var mayHaveContentEncoding = false

    /// The largest number of informational heads to keep.
    package static let maximumInformational = 16

    /// The first ``maximumInformational`` informational heads, without "100 Continue".
    package private(set) var informational: [[UInt8]] = []
    /// The lines of the trailers, with their line ends.
    package private(set) var trailers: [UInt8] = []

    private var length: UInt64?
    private var state = State.statusLine
    /// Whether the head has a field line that a folded line could continue.
    private var hasField = false
    /// Whether the newest field is a framing field.
    private var isFraming = false
    /// Whether the newest field contains options of the connection.
    private var isConnection = false
    private let limit: Int
    private let ignoresFraming: Bool
    private let switchesProtocols: Bool
    private var count = 0

    /// Creates an empty collector.
    ///
    /// - Parameters:
    ///   - limit: The largest size of all heads and trailers together, in bytes.
    ///   - ignoresFraming: Whether to ignore the framing fields, because no body follows.
    ///   - switchesProtocols: Whether the request asks to switch protocols, so that 101 is a final head.
    package init(limit: Int, ignoresFraming: Bool = false, switchesProtocols: Bool = false) {
        self.limit = limit
        self.ignoresFraming = ignoresFraming
        self.switchesProtocols = switchesProtocols
        bytes.reserveCapacity(384)
    }

    /// Whether a head is complete.
    package var isComplete: Bool { state == .informational || state == .final }
    /// Whether the next line must be a status line.
    package var isAtStart: Bool { state == .statusLine || state == .informational }
    /// Whether the final head is complete.
    package var isFinal: Bool { state == .final }

    /// The number of bytes that may still be appended.
    var room: Int { limit - count }

    /// Frees the memory of the head.
    mutating func forgetBytes() { bytes = [] }

    /// Discards everything before the request is sent again.
    package mutating func reset() {
        let kept = bytes
        self = HeadCollector(limit: limit, ignoresFraming, switchesProtocols, reusing: kept)
    }

    private init(limit: Int, _ ignoresFraming: Bool, _ switchesProtocols: Bool, reusing bytes: [UInt8]) {
        self.limit = limit
        self.ignoresFraming = ignoresFraming
        self.switchesProtocols = switchesProtocols
        self.bytes = bytes
        self.bytes.removeAll(keepingCapacity: true)
    }

    /// Appends a line with its line end, and returns what the line completes; after it throws, nothing more may be appended.
    package mutating func append(_ line: UnsafeRawBufferPointer) throws(Failure) -> Event {
        count += line.count
        guard count <= limit else { throw .tooLarge }
        // A connection that ends within a line ends within the head (RFC 9112 §8).
        guard line.last == 0x0A else { throw .malformed }
        // RFC 9110 §5.5.
        guard line.firstOffset(of: 0) == nil else { throw .malformed }
        switch state {
        case .final:
            try appendTrailer(line)
            return .trailer
        case .statusLine, .informational: return try appendStatusLine(line)
        case .fields: return try appendField(line)
        }
    }

    private mutating func appendStatusLine(_ line: UnsafeRawBufferPointer) throws(Failure) -> Event {
        guard Self.looksLikeStatusLine(line) else { throw .malformed }
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: line)
        length = nil
        hasTransferEncoding = false
        mayHaveContentEncoding = false
        closesConnection = false
        keepsConnection = false
        keepAliveSeconds = nil
        hasField = false
        state = .fields
        return .line
    }

    private mutating func appendField(_ line: UnsafeRawBufferPointer) throws(Failure) -> Event {
        guard let first = line.first else { throw .malformed }
        if line.count <= 2, first == 0x0D || first == 0x0A { return try complete() }
        // Recipients differ about whether the head ends here.
        guard first != 0x0D else { throw .malformed }
        bytes.append(contentsOf: line)
        if first.isHTTPWhitespace {
            // RFC 9112 §2.2: white space between the status line and the first field makes the message invalid.
            // Recipients interpret a length that continues on a second line (obs-fold, §5.2) differently.
            guard hasField, !isFraming else { throw .malformed }
            // The second line is not parsed, and "close" may be one of its options.
            if isConnection { closesConnection = true }
            return .line
        }
        guard !Self.looksLikeStatusLine(line) else { throw .malformed }
        hasField = true
        isFraming = false
        isConnection = false
        // The first letter distinguishes most fields from framing fields.
        switch first | 0x20 {
        case 0x63:
            if line.count > 8, line[8] | 0x20 == 0x65 { mayHaveContentEncoding = true }
            noteConnection(in: line)
            guard !ignoresFraming, let value = try Self.value(of: "content-length", in: line) else { break }
            isFraming = true
            try noteLength(value)
        case 0x6B:
            if let value = try? Self.value(of: "keep-alive", in: line) { noteKeepAlive(value) }
        case 0x74:
            guard !ignoresFraming, let value = try Self.value(of: "transfer-encoding", in: line) else { break }
            isFraming = true
            try noteTransferEncoding(value)
        default: break
        }
        return .line
    }

    private mutating func complete() throws(Failure) -> Event {
        // 1xx responses are interim, but an unrequested 101 would end HTTP (RFC 9110 §15.2.2).
        guard let code = StatusLine.code(of: bytes), code >= 100 else { throw .malformed }
        guard code != 101 || switchesProtocols else { throw .switchedProtocols }
        let isFinal = code >= 200 || code == 101
        // RFC 9112 §6.3 gives chunks precedence over a length, and advises treating both together as an attack. If the length
        // is zero, recipients disagree about where the next response starts.
        guard !hasTransferEncoding || contentLength != 0 else { throw .malformed }
        statusCode = code
        if !isFinal, code != 100, informational.count < Self.maximumInformational {
            informational.append(bytes)
        }
        state = isFinal ? .final : .informational
        return isFinal ? .final : .informational
    }

    /// Keeps a line of the trailers, under the rules for lines of a head.
    @inline(never)
    private mutating func appendTrailer(_ line: UnsafeRawBufferPointer) throws(Failure) {
        guard let first = line.first else { throw .malformed }
        if line.count <= 2, first == 0x0D || first == 0x0A { return }
        guard first != 0x0D, !first.isHTTPWhitespace || !trailers.isEmpty else { throw .malformed }
        trailers.append(contentsOf: line)
    }

    /// Records a transfer coding.
    ///
    /// The server may send only `chunked` without a request for it (RFC 9112 §7.4), and only once.
    private mutating func noteTransferEncoding(_ text: UnsafeRawBufferPointer) throws(Failure) {
        func isText(_ other: String) -> Bool {
            text.count == other.utf8.count && zip(text, other.utf8).allSatisfy { $0.asciiLowercased == $1 }
        }
        // The "identity" of RFC 2616 has no effect.
        if isText("identity") { return }
        guard isText("chunked"), !hasTransferEncoding else { throw .malformed }
        hasTransferEncoding = true
    }

    /// Records a length and refuses one that contradicts another (RFC 9112 §6.3).
    private mutating func noteLength(_ text: UnsafeRawBufferPointer) throws(Failure) {
        // RFC 9110 §8.6 allows "5, 5" to mean 5. No server sends it, and recipients disagree about it.
        guard !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .malformed }
        // No body has a length beyond 64 bits (RFC 9110 §8.6 warns of such numbers).
        let digits = text.drop { $0 == 0x30 }
        guard let value = digits.isEmpty ? 0 : UInt64(String(decoding: digits, as: UTF8.self)) else { throw .malformed }
        guard length == nil || length == value else { throw .malformed }
        length = value
    }

    /// Records the options of the connection (RFC 9110 §7.6.1) if the line contains them.
    private mutating func noteConnection(in line: UnsafeRawBufferPointer) {
        let value: UnsafeRawBufferPointer?
        do throws(Failure) {
            value = try Self.value(of: "connection", in: line)
        } catch {
            // Some recipients read a field with white space before its colon, and others do not.
            closesConnection = true
            return
        }
        guard let text = value else { return }
        isConnection = true
        // Most responses have this field, so this does not create an array of the parts.
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: 0x2C) ?? text.count
            var (lower, upper) = (start, end)
            while lower < upper, Self.isBlank(text[lower]) { lower += 1 }
            while upper > lower, Self.isBlank(text[upper - 1]) { upper -= 1 }
            let token = UnsafeRawBufferPointer(rebasing: text[lower..<upper])
            if Self.isToken(token, "close") { closesConnection = true }
            if Self.isToken(token, "keep-alive") { keepsConnection = true }
            start = end + 1
        }
    }

    /// Whether a token equals a word in any case; the word is given in lower case.
    private static func isToken(_ token: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
        guard token.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<token.count where token[index].asciiLowercased != word.utf8Start[index] { return false }
        return true
    }

    /// Records how long, and for how many more requests, the server keeps the connection.
    private mutating func noteKeepAlive(_ text: UnsafeRawBufferPointer) {
        for item in text.split(separator: 0x2C) {
            let parts = item.split(separator: 0x3D, maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = parts[0].filter { !$0.isHTTPWhitespace }.map(\.asciiLowercased)
            let digits = parts[1].drop(while: \.isHTTPWhitespace).prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty, digits.count < 10 else { continue }
            let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            if name.elementsEqual("timeout".utf8) { keepAliveSeconds = min(keepAliveSeconds ?? .max, number) }
            if name.elementsEqual("max".utf8), number == 0 { keepAliveSeconds = 0 }
        }
    }

    /// Whether the status line belongs to HTTP/1.0.
    package var isHTTP10: Bool { bytes.count > 7 && bytes[5] == 0x31 && bytes[6] == 0x2E && bytes[7] == 0x30 }

    private static func looksLikeStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
        line.first == 0x48 && line.starts(with: "HTTP/".utf8)
    }

    /// Returns the trimmed value of a field.
    ///
    /// - Parameters:
    ///   - name: The field's name, in lower case.
    ///   - line: A field line.
    /// - Returns: The value; `nil` if the line is another field.
    /// - Throws: ``Failure/malformed`` if there is white space between the name and its colon, because recipients disagree
    ///   about it (RFC 9112 §5.1). CR counts as a space (§2.2), and so does a line end, because the colon can be on a second
    ///   line.
    private static func value(
        of name: StaticString,
        in line: UnsafeRawBufferPointer
    ) throws(Failure) -> UnsafeRawBufferPointer? {
        let count = name.utf8CodeUnitCount
        guard line.count > count else { return nil }
        for index in 0..<count where line[index].asciiLowercased != name.utf8Start[index] { return nil }
        guard line[count] == 0x3A else {
            guard isBlank(line[count]) else { return nil }
            throw .malformed
        }
        var lower = count + 1
        var upper = line.count
        while lower < upper, isBlank(line[lower]) { lower += 1 }
        while upper > lower, isBlank(line[upper - 1]) { upper -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[lower..<upper])
    }

    /// Whether a byte is white space, or counts as white space in a value.
    private static func isBlank(_ byte: UInt8) -> Bool { byte.isHTTPWhitespace || byte == 0x0D || byte == 0x0A }
}
