/// Decodes chunks of bytes into lines of text.
///
/// LF and CR LF end a line; a lone CR does not. Text after the last line ending is a line unless it is empty. Bytes
/// that are not UTF-8 become U+FFFD.
struct LineDecoder: ChunkDecoder {
    private let limit: Int
    private var splitter = LineSplitter(.lineFeed)

    /// Creates a decoder.
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

    /// Returns the next complete line.
    ///
    /// - Returns: The line without its terminator; `nil` if more bytes are needed.
    /// - Throws: ``TransferError`` with the code `lineTooLong`, as soon as the limit is exceeded.
    mutating func next() throws -> String? {
        try splitter.next(limit: limit, excess: .lineTooLong) { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the last line; call it at the end of the bytes, after ``next()`` returned `nil`.
    ///
    /// - Returns: The line; `nil` if the bytes ended with a line terminator.
    /// - Throws: ``TransferError`` with the code `lineTooLong`.
    mutating func finish() throws -> String? {
        try splitter.last(limit: limit, excess: .lineTooLong) { String(decoding: $0, as: UTF8.self) }
    }

    mutating func discardPending() {
        splitter = LineSplitter(.lineFeed)
    }
}
