/// How a connection stands after what was sent on it.
enum ConnectionEnd: String, Sendable {
    case open, finished, reset
}

/// What the reference parser says about what was sent.
enum Reading: Sendable {
    /// A whole response: a client that succeeds must report this.
    case complete(ReferenceMessage)
    /// No whole response: a client must not succeed.
    case incomplete(String)
    /// Clients may differ.
    case undecided(String)
}

/// A response as the reference parser understands it.
struct ReferenceMessage: Sendable {
    var statusCode: Int
    /// The fields in order; `nil` if lines of the head break the rules, so that clients may differ about them.
    var fields: [(name: [UInt8], value: [UInt8])]?
    var body: [UInt8]
    /// Where the response ends; what follows belongs to no response that was asked for.
    var end: Int
}

/// A small, strict parser of HTTP/1.1 responses (RFC 9112) that shares nothing with what is tested.
///
/// It decides only what is certain. If the RFC leaves a choice, or if a line that framing depends on is malformed, it
/// says ``Reading/undecided(_:)``.
struct Reference {
    private enum Stop: Error {
        case incomplete(String)
        case undecided(String)
    }

    private struct Head {
        var statusCode = 0
        var minorVersion = 1
        var isExact = true
        /// Whether framing depends on the line before.
        var lastIsFraming = false
        var fields: [(name: [UInt8], value: [UInt8])] = []

        func values(of name: String) -> [[UInt8]] {
            fields.filter { $0.name.map(Reference.lowercased) == Array(name.utf8) }.map(\.value)
        }
    }

    private static let framingFields = ["content-length", "transfer-encoding", "content-encoding"]

    private let bytes: [UInt8]
    private let isHead: Bool
    private let end: ConnectionEnd
    private let decodes: Bool
    private var position = 0

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - bytes: What was sent on the connection for the request.
    ///   - isHead: Whether the request's method is `HEAD`.
    ///   - end: How the connection stands.
    ///   - decodes: Whether the client decompresses bodies.
    /// - Returns: What it is.
    static func read(_ bytes: [UInt8], isHead: Bool, end: ConnectionEnd, decodes: Bool) -> Reading {
        var reference = Reference(bytes: bytes, isHead: isHead, end: end, decodes: decodes)
        do throws(Stop) {
            return .complete(try reference.message())
        } catch {
            switch error {
            case .incomplete(let reason): return .incomplete(reason)
            case .undecided(let reason): return .undecided(reason)
            }
        }
    }

    private init(bytes: [UInt8], isHead: Bool, end: ConnectionEnd, decodes: Bool) {
        self.bytes = bytes
        self.isHead = isHead
        self.end = end
        self.decodes = decodes
    }

    private mutating func message() throws(Stop) -> ReferenceMessage {
        var head = try self.head()
        while (100..<200).contains(head.statusCode) {
            guard head.statusCode != 101 else { throw .undecided("101") }
            head = try self.head()
        }
        let body = try framedBody(head)
        let fields = head.isExact ? head.fields : nil
        return ReferenceMessage(
            statusCode: head.statusCode,
            fields: fields,
            body: try decoded(body, head),
            end: position
        )
    }

    // MARK: The head

    /// The next line without its end; `nil` at the end of the bytes.
    private mutating func line() -> (bytes: ArraySlice<UInt8>, hasReturn: Bool)? {
        guard let end = bytes[position...].firstIndex(of: 0x0A) else { return nil }
        let hasReturn = end > position && bytes[end - 1] == 0x0D
        defer { position = end + 1 }
        return (bytes[position..<(hasReturn ? end - 1 : end)], hasReturn)
    }

    private mutating func head() throws(Stop) -> Head {
        var head = Head()
        guard let status = line() else { throw .incomplete("the status line is not complete") }
        try read(status.bytes, into: &head)
        head.isExact = head.isExact && status.hasReturn
        var isFirst = true
        while let line = line() {
            if line.bytes.isEmpty {
                head.isExact = head.isExact && line.hasReturn
                return head
            }
            if line.bytes.first == 0x0D { throw .undecided("a line begins with CR") }
            if !line.hasReturn { head.isExact = false }
            if Self.isBlank(line.bytes.first) {
                try fold(line.bytes, into: &head, isFirst: isFirst)
            } else {
                try read(field: line.bytes, into: &head)
            }
            isFirst = false
        }
        throw .incomplete("the head is not complete")
    }

    private mutating func read(_ line: ArraySlice<UInt8>, into head: inout Head) throws(Stop) {
        let text = Array(line)
        guard text.count >= 12, text.starts(with: "HTTP/1.".utf8), text[7] == 0x30 || text[7] == 0x31, text[8] == 0x20,
            text[9...11].allSatisfy(Self.isDigit), text.count == 12 || text[12] == 0x20
        else {
            // It may be only the beginning of a head; then there is no response in any reading.
            guard hasBlankLine else { throw .incomplete("there is no end of a head") }
            throw .undecided("the status line is malformed")
        }
        head.minorVersion = Int(text[7] - 0x30)
        head.statusCode = text[9...11].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard (100..<600).contains(head.statusCode) else { throw .undecided("there is no such status code") }
        guard head.minorVersion == 1 || head.statusCode >= 200 else { throw .undecided("1xx of HTTP/1.0") }
        if !text[12...].allSatisfy(Self.isFieldText) { head.isExact = false }
    }

    /// Whether any line is empty, or begins like an empty one.
    private var hasBlankLine: Bool {
        bytes.indices.contains { index in
            (bytes[index] == 0x0D || bytes[index] == 0x0A) && (index == 0 || bytes[index - 1] == 0x0A)
        }
    }

    private func read(field line: ArraySlice<UInt8>, into head: inout Head) throws(Stop) {
        head.lastIsFraming = false
        guard let colon = line.firstIndex(of: 0x3A) else {
            head.isExact = false
            return
        }
        let name = Array(line[..<colon])
        let value = Array(Self.trimmed(line[(colon + 1)...]))
        let isFraming = Self.framingFields.contains { Array($0.utf8) == Self.trimmed(name[...]).map(Self.lowercased) }
        let isExact = !name.isEmpty && name.allSatisfy(Self.isTokenByte) && value.allSatisfy(Self.isFieldText)
        guard isExact || !isFraming else { throw .undecided("a field that framing depends on is malformed") }
        guard isExact else {
            head.isExact = false
            return
        }
        head.lastIsFraming = isFraming
        head.fields.append((name, value))
    }

    private func fold(_ line: ArraySlice<UInt8>, into head: inout Head, isFirst: Bool) throws(Stop) {
        guard !head.lastIsFraming else { throw .undecided("a field that framing depends on is folded") }
        guard !isFirst, head.isExact, !head.fields.isEmpty, line.allSatisfy(Self.isFieldText) else {
            head.isExact = false
            return
        }
        let last = head.fields.count - 1
        head.fields[last].value += [0x20] + Self.trimmed(line)
    }

    // MARK: The body

    private mutating func framedBody(_ head: Head) throws(Stop) -> [UInt8] {
        if isHead || head.statusCode == 204 || head.statusCode == 304 { return [] }
        if head.statusCode == 205 { throw .undecided("205") }
        let codings = head.values(of: "transfer-encoding")
        let lengths = head.values(of: "content-length")
        guard codings.isEmpty else {
            guard codings.count == 1, head.minorVersion == 1, codings[0].map(Self.lowercased) == Array("chunked".utf8)
            else { throw .undecided("an unusual Transfer-Encoding") }
            return try chunkedBody()
        }
        guard !lengths.isEmpty else {
            guard end == .finished else { throw .incomplete("the body ends with the connection, which is \(end)") }
            defer { position = bytes.count }
            return Array(bytes[position...])
        }
        guard lengths.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isDigit) }) else {
            throw .undecided("a malformed Content-Length")
        }
        let digits = Set(lengths.map { $0.drop { $0 == 0x30 } })
        guard let first = digits.first, digits.count == 1 else { throw .incomplete("lengths contradict each other") }
        guard first.count <= 18 else { throw .incomplete("the body is shorter than its length") }
        let length = first.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard bytes.count - position >= length else { throw .incomplete("the body is shorter than its length") }
        defer { position += length }
        return Array(bytes[position..<(position + length)])
    }

    /// A line of the framing of chunks, which ends with CRLF and has no CR inside.
    private mutating func chunkLine(_ name: String) throws(Stop) -> ArraySlice<UInt8> {
        let start = position
        guard let line = line() else {
            // Clients may take a CR alone for the end of a line.
            let rest = bytes[start...]
            guard rest.dropLast().contains(0x0D) else { throw .incomplete("\(name) is not complete") }
            throw .undecided("a CR in \(name)")
        }
        guard line.hasReturn, !line.bytes.contains(0x0D) else { throw .undecided("\(name) has no proper end") }
        return line.bytes
    }

    private mutating func chunkedBody() throws(Stop) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let start = position
            let line: ArraySlice<UInt8>
            do throws(Stop) {
                line = try chunkLine("a chunk's size")
            } catch {
                // What is no number ends the body in any client, one way or the other.
                let isNumber = bytes[start...].first.map(Self.isHexDigit) ?? true
                if case .incomplete = error, !isNumber { throw .undecided("a chunk's size is no number") }
                throw error
            }
            let digits = line.prefix(while: Self.isHexDigit)
            let isPlain = digits.endIndex == line.endIndex || line[digits.endIndex] == 0x3B
            guard !digits.isEmpty, isPlain else { throw .undecided("a chunk's size is malformed") }
            guard digits.drop(while: { $0 == 0x30 }).count <= 15 else { throw .undecided("a chunk's size is huge") }
            let size = digits.reduce(0) { $0 << 4 | Self.value(ofHexDigit: $1) }
            guard size > 0 else { break }
            guard bytes.count - position >= size else { throw .incomplete("a chunk is shorter than its size") }
            body += bytes[position..<(position + size)]
            position += size
            guard position < bytes.count else { throw .incomplete("a chunk has no end") }
            guard bytes[position] == 0x0D else { throw .undecided("no CRLF after a chunk") }
            guard position + 1 < bytes.count else { throw .incomplete("a chunk has no end") }
            guard bytes[position + 1] == 0x0A else { throw .undecided("no CRLF after a chunk") }
            position += 2
        }
        while true {
            do throws(Stop) {
                if try chunkLine("the trailer section").isEmpty { return body }
            } catch .incomplete(let reason) {
                // The chunk without bytes is the end of the body (RFC 9112 §8), which no part of the trailers can change.
                throw .undecided(reason)
            }
        }
    }

    private func decoded(_ body: [UInt8], _ head: Head) throws(Stop) -> [UInt8] {
        let codings = head.values(of: "content-encoding")
        guard decodes, !body.isEmpty, !codings.isEmpty else { return body }
        guard codings.count == 1 else { throw .undecided("several content codings") }
        switch String(decoding: codings[0].map(Self.lowercased), as: UTF8.self) {
        case "identity": return body
        case "gzip", "x-gzip": return try decompressed { () throws(Inflater.Failure) in try Decompression.gzip(body) }
        case "deflate": return try decompressed { () throws(Inflater.Failure) in try Decompression.deflate(body) }
        default: throw .undecided("another content coding")
        }
    }

    private func decompressed(_ body: () throws(Inflater.Failure) -> [UInt8]) throws(Stop) -> [UInt8] {
        do throws(Inflater.Failure) {
            return try body()
        } catch {
            switch error {
            case .cutOff: throw .incomplete("the compressed body is cut off")
            case .corrupt: throw .undecided("the compressed body is corrupt")
            }
        }
    }
}

extension Reference {
    fileprivate static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x66).contains(lowercased(byte))
    }

    private static func value(ofHexDigit byte: UInt8) -> Int {
        isDigit(byte) ? Int(byte - 0x30) : Int(lowercased(byte) - 0x57)
    }

    private static func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isFieldText(_ byte: UInt8) -> Bool { byte == 0x09 || byte >= 0x20 && byte != 0x7F }

    private static let punctuation = Set("!#$%&'*+-.^_`|~".utf8)

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(lowercased(byte)) || punctuation.contains(byte)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while isBlank(bytes.first) { bytes.removeFirst() }
        while isBlank(bytes.last) { bytes.removeLast() }
        return bytes
    }
}

/// What content codings stand for.
enum Decompression {
    /// The members of a gzip body, one after the other.
    static func gzip(_ body: [UInt8]) throws(Inflater.Failure) -> [UInt8] {
        var result: [UInt8] = []
        var rest = body[...]
        repeat {
            let (member, end) = try member(rest)
            result += member
            rest = rest[end...]
        } while !rest.isEmpty
        return result
    }

    private static func member(_ input: ArraySlice<UInt8>) throws(Inflater.Failure) -> (bytes: [UInt8], end: Int) {
        let header: [UInt8] = [0x1F, 0x8B, 8]
        for (byte, expected) in zip(input, header) where byte != expected { throw .corrupt }
        guard input.count > 3 else { throw .cutOff }
        let flags = input[input.startIndex + 3]
        // A checksum of the header, and flags that mean nothing yet.
        guard flags & 0xE2 == 0 else { throw .corrupt }
        guard input.count >= 10 else { throw .cutOff }
        var position = input.startIndex + 10
        if flags & 4 != 0 {
            guard position + 2 <= input.endIndex else { throw .cutOff }
            position += 2 + Int(input[position]) + Int(input[position + 1]) << 8
            guard position <= input.endIndex else { throw .cutOff }
        }
        for flag in [UInt8(8), 16] where flags & flag != 0 {
            guard let end = input[position...].firstIndex(of: 0) else { throw .cutOff }
            position = end + 1
        }
        let stream = try Inflater(input[position...])
        position = stream.position
        let output = stream.output
        let sums = [Deflate.crc32(output), UInt32(truncatingIfNeeded: output.count)]
        for (index, byte) in sums.flatMap({ sum in (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) } })
            .enumerated()
        {
            guard position + index < input.endIndex else { throw .cutOff }
            guard input[position + index] == byte else { throw .corrupt }
        }
        return (output, position + 8)
    }

    /// The body of deflate; without the header of zlib it is taken for the bare stream that some servers send.
    static func deflate(_ body: [UInt8]) throws(Inflater.Failure) -> [UInt8] {
        guard body.count >= 2 else { throw .cutOff }
        let isWrapped = body[0] & 0x0F == 8 && body[0] >> 4 <= 7 && (Int(body[0]) << 8 | Int(body[1])) % 31 == 0
        guard isWrapped else {
            let stream: Inflater
            do throws(Inflater.Failure) {
                stream = try Inflater(body[...])
            } catch {
                // Damaged headers look like that too.
                throw .corrupt
            }
            guard stream.position == body.count else { throw .corrupt }
            return stream.output
        }
        guard body[1] & 0x20 == 0 else { throw .corrupt }
        let stream = try Inflater(body[2...])
        let sum = Deflate.adler32(stream.output)
        for index in 0..<4 {
            guard stream.position + index < body.count else { throw .cutOff }
            guard body[stream.position + index] == UInt8(truncatingIfNeeded: sum >> (24 - 8 * index)) else {
                throw .corrupt
            }
        }
        guard stream.position + 4 == body.count else { throw .corrupt }
        return stream.output
    }
}
