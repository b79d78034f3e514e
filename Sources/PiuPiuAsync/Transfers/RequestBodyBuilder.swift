/// Puts bytes and files in a row, and counts them.
struct RequestBodyBuilder {
    /// From which size on bytes are not copied to those before them: a call and a piece more cost less than the copy.
    private static let copyLimit = 64 * 1024

    private var segments: [RequestBodySegment] = []
    private var pending = Data()
    /// How much there is so far, in bytes.
    private(set) var length: Int64 = 0

    /// Appends bytes.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: ``TransferError`` with the code `bodyTooLarge` where nobody could count them any more.
    mutating func append(_ bytes: Data) throws {
        try count(Int64(bytes.count))
        guard bytes.count >= Self.copyLimit else { return pending.append(bytes) }
        flush()
        segments.append(.bytes(bytes))
    }

    /// Appends a piece.
    ///
    /// - Parameter segment: The piece.
    /// - Throws: ``TransferError`` with the code `bodyTooLarge` where nobody could count the bytes any more.
    mutating func append(_ segment: RequestBodySegment) throws {
        if case .bytes(let bytes) = segment { return try append(bytes) }
        try count(segment.length)
        flush()
        segments.append(segment)
    }

    /// Everything that was appended, in as few pieces as possible.
    ///
    /// - Returns: The pieces.
    mutating func finished() -> [RequestBodySegment] {
        flush()
        return segments
    }

    private mutating func flush() {
        guard !pending.isEmpty else { return }
        segments.append(.bytes(pending))
        pending = Data()
    }

    /// Sparse files may be so long that the sum is no number.
    private mutating func count(_ bytes: Int64) throws {
        let (sum, overflow) = length.addingReportingOverflow(bytes)
        guard !overflow else { throw TransferError(.bodyTooLarge) }
        length = sum
    }
}
