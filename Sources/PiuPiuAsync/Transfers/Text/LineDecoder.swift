/// Splits chunks of bytes into lines, which end with LF or CR LF, and converts each line to an element.
struct LineDecoder<Line>: ChunkDecoder {
    private let limit: Int
    private let read: @Sendable (UnsafeRawBufferPointer) -> Line?
    private var splitter = LineSplitter(.lineFeed)

    /// Creates a decoder; a line of more than `limit` bytes throws, and `read` returns `nil` to skip a line.
    init(limit: Int, _ read: @escaping @Sendable (UnsafeRawBufferPointer) -> Line?) {
        self.limit = max(0, limit)
        self.read = read
    }

    mutating func append(_ chunk: Data) {
        splitter.append(chunk)
    }

    mutating func next() throws -> Line? {
        while let line = try splitter.next(limit: limit, excess: .lineTooLong, read) {
            if let line { return line }
        }
        return nil
    }

    mutating func finish() throws -> Line? {
        try splitter.last(limit: limit, excess: .lineTooLong, read) ?? nil
    }

    mutating func discardPending() {
        splitter = LineSplitter(.lineFeed)
    }
}

extension LineDecoder<String> {
    /// Creates a decoder for lines of text in UTF-8.
    init(limit: Int) {
        self.init(limit: limit) { String(decoding: $0, as: UTF8.self) }
    }
}

extension LineDecoder<Data> {
    /// Returns a decoder for lines of JSON, without those that are blank.
    static func json(limit: Int) -> LineDecoder {
        LineDecoder(limit: limit) { line in
            line.allSatisfy { $0.isHTTPWhitespace || $0 == 0x0D } ? nil : Data(line)
        }
    }
}

/// Decodes a value from each line of JSON.
struct JSONLineDecoder<Row: Decodable>: ChunkDecoder {
    var lines: LineDecoder<Data>
    let decoder: JSONDecoder

    mutating func append(_ chunk: Data) { lines.append(chunk) }

    mutating func next() throws -> Row? {
        try lines.next().map { try decoder.decodeGuarded(Row.self, from: $0) }
    }

    mutating func finish() throws -> Row? {
        try lines.finish().map { try decoder.decodeGuarded(Row.self, from: $0) }
    }

    mutating func discardPending() { lines.discardPending() }
}
