import PiuPiuEngine

/// Splits chunks of bytes into lines of JSON, and skips blank lines.
struct JSONLineSplitter: ChunkDecoder {
    private let limit: Int
    private var splitter = LineSplitter(.lineFeed)

    /// Creates a splitter.
    ///
    /// - Parameter limit: The maximum length of a line in bytes, without its terminator.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Adds the next bytes.
    ///
    /// - Parameter chunk: The bytes, split at any position.
    mutating func append(_ chunk: Data) {
        splitter.append(chunk)
    }

    /// Returns the next complete line that is not blank.
    ///
    /// - Returns: The line's bytes; `nil` if more bytes are needed.
    /// - Throws: ``TransferError`` with the code `lineTooLong`, as soon as the limit is exceeded.
    mutating func next() throws -> Data? {
        while let line = try splitter.next(limit: limit, excess: .lineTooLong, Self.contents) {
            if let line { return line }
        }
        return nil
    }

    /// Returns the last line; call it at the end of the bytes, after ``next()`` returned `nil`.
    ///
    /// - Returns: The line's bytes; `nil` if there is no line or it is blank.
    /// - Throws: ``TransferError`` with the code `lineTooLong`.
    mutating func finish() throws -> Data? {
        try splitter.last(limit: limit, excess: .lineTooLong, Self.contents) ?? nil
    }

    mutating func discardPending() {
        splitter = LineSplitter(.lineFeed)
    }

    /// A copy of the line; `nil` if it is blank: RFC 8259 §2 allows no other white space within a line.
    private static func contents(_ line: UnsafeRawBufferPointer) -> Data? {
        line.allSatisfy { $0.isHTTPWhitespace || $0 == 0x0D } ? nil : Data(line)
    }
}
