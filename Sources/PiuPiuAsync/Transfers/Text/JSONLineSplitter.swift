/// Makes pieces of JSON out of chunks of bytes: every line that is not blank, as it is.
struct JSONLineSplitter {
    private let limit: Int
    private var splitter = LineSplitter(.lineFeed)

    /// Creates a splitter.
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

    /// Takes the next line whose end has arrived and that is not blank.
    ///
    /// - Returns: The line's bytes, `nil` where more bytes are needed.
    /// - Throws: ``TransferError`` with the code `lineTooLong`, as soon as that is certain.
    mutating func next() throws -> Data? {
        while let line = try splitter.next(limit: limit, excess: .lineTooLong, Self.contents) {
            if let line { return line }
        }
        return nil
    }

    /// Takes the last line once there are no more bytes, after ``next()`` gave `nil`.
    ///
    /// - Returns: The line's bytes, `nil` where there is none, or a blank one.
    /// - Throws: ``TransferError`` with the code `lineTooLong`.
    mutating func finish() throws -> Data? {
        try splitter.last(limit: limit, excess: .lineTooLong, Self.contents) ?? nil
    }

    /// A copy of the line, `nil` where it is blank: RFC 8259 §2 has no other white space within a line.
    private static func contents(_ line: UnsafeRawBufferPointer) -> Data? {
        line.allSatisfy { $0.isHTTPWhitespace || $0 == 0x0D } ? nil : Data(line)
    }
}
