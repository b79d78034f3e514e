/// Makes lines of text out of chunks of bytes.
///
/// LF and CR LF end a line, a lone CR does not. What follows the last end is a line unless it is empty. Bytes that are
/// not UTF-8 become U+FFFD.
struct LineDecoder {
    private let limit: Int
    private var splitter = LineSplitter(.lineFeed)

    /// Creates a decoder.
    ///
    /// - Parameter limit: How many bytes a line may have, its end not counted.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Takes the next bytes.
    ///
    /// - Parameter chunk: The bytes, however they were cut.
    mutating func append(_ chunk: Data) {
        splitter.append(chunk)
    }

    /// Takes the next line whose end has arrived.
    ///
    /// - Returns: The line without its end, `nil` where more bytes are needed.
    /// - Throws: ``TransferError`` with the code `lineTooLong`, as soon as that is certain.
    mutating func next() throws -> String? {
        try splitter.next(limit: limit, excess: .lineTooLong) { String(decoding: $0, as: UTF8.self) }
    }

    /// Takes the last line once there are no more bytes, after ``next()`` gave `nil`.
    ///
    /// - Returns: The line, `nil` where the bytes ended with a line's end.
    /// - Throws: ``TransferError`` with the code `lineTooLong`.
    mutating func finish() throws -> String? {
        try splitter.last(limit: limit, excess: .lineTooLong) { String(decoding: $0, as: UTF8.self) }
    }
}
