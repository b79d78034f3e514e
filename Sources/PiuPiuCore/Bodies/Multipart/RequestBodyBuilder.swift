/// Builds a sequence of bytes and files, and counts their length.
struct RequestBodyBuilder {
    /// The size from which bytes become a separate piece, because an extra piece costs less than a copy.
    private static let copyLimit = 64 * 1024

    private var segments: [RequestBodySegment] = []
    private var pending = Data()
    /// The length so far, in bytes.
    private(set) var length: Int64 = 0

    /// Appends bytes; throws ``TransferError`` with the code `bodyTooLarge` if the total length overflows.
    mutating func append(_ bytes: Data) throws {
        try count(Int64(bytes.count))
        guard bytes.count >= Self.copyLimit else { return pending.append(bytes) }
        flush()
        segments.append(.bytes(bytes))
    }

    /// Appends a piece; throws ``TransferError`` with the code `bodyTooLarge` if the total length overflows.
    mutating func append(_ segment: RequestBodySegment) throws {
        if case .bytes(let bytes) = segment { return try append(bytes) }
        try count(segment.length)
        flush()
        segments.append(segment)
    }

    /// Returns all appended bytes and files, in as few pieces as possible.
    mutating func finished() -> [RequestBodySegment] {
        flush()
        return segments
    }

    private mutating func flush() {
        guard !pending.isEmpty else { return }
        segments.append(.bytes(pending))
        pending = Data()
    }

    /// Adds to the length, which can overflow because of huge sparse files.
    private mutating func count(_ bytes: Int64) throws {
        let (sum, overflow) = length.addingReportingOverflow(bytes)
        guard !overflow else { throw TransferError(.bodyTooLarge) }
        length = sum
    }
}
