/// Splits chunks of bytes into lines without copying, except for lines that span several chunks.
///
/// It looks at every byte once, however the chunks are split.
struct LineSplitter {
    /// The terminator of a line.
    enum Terminator {
        /// LF, or CR and LF; a lone CR belongs to the line.
        case lineFeed
        /// LF, CR, or CR and LF.
        case any
    }

    private let terminator: Terminator
    private var chunk = Data()
    private var position = 0
    /// The beginning of a line, from earlier chunks.
    private var partial: [UInt8] = []
    /// Whether the previous line ended with a CR, so that a following LF belongs to it.
    private var skipsLineFeed = false

    init(_ terminator: Terminator) {
        self.terminator = terminator
    }

    /// Adds the next bytes, which are copied if lines of the previous chunk were not taken.
    mutating func append(_ data: Data) {
        chunk = position < chunk.count ? chunk.dropFirst(position) + data : data
        position = 0
    }

    /// Reads the next complete line.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of a line in bytes, without its terminator.
    ///   - excess: The code of the error for a longer line, which is thrown before the line's end arrives.
    ///   - read: Converts the line's bytes, which are valid only during the call.
    /// - Returns: The result of `read`; `nil` if more bytes are needed.
    /// - Throws: ``TransferError`` with the code `excess`; the splitter cannot be used afterwards.
    mutating func next<Line>(
        limit: Int,
        excess: TransferError.Code,
        _ read: (UnsafeRawBufferPointer) -> Line
    ) throws -> Line? {
        let chunk = chunk
        return try chunk.withUnsafeBytes { bytes -> Line? in
            if skipsLineFeed, position < bytes.count {
                if bytes[position] == 0x0A { position += 1 }
                skipsLineFeed = false
            }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
            guard let end = end(in: rest) else {
                // A trailing CR may be the first half of the terminator; the chunk may be empty.
                let last = rest.last ?? partial.last
                let count = partial.count + rest.count - (terminator == .lineFeed && last == 0x0D ? 1 : 0)
                guard count <= limit else { throw TransferError(excess) }
                partial.append(contentsOf: rest)
                (self.chunk, position) = (Data(), 0)
                return nil
            }
            position += end + 1
            skipsLineFeed = terminator == .any && rest[end] == 0x0D
            let piece = UnsafeRawBufferPointer(rebasing: rest[..<end])
            guard !partial.isEmpty else {
                let line = withoutCarriageReturn(piece)
                guard line.count <= limit else { throw TransferError(excess) }
                return read(line)
            }
            partial.append(contentsOf: piece)
            defer { partial.removeAll(keepingCapacity: partial.capacity <= 65_536) }
            return try partial.withUnsafeBytes { bytes in
                let line = withoutCarriageReturn(bytes)
                guard line.count <= limit else { throw TransferError(excess) }
                return read(line)
            }
        }
    }

    /// Reads the bytes after the last terminator; call it at the end, after ``next(limit:excess:_:)`` returned `nil`.
    ///
    /// - Parameters:
    ///   - limit: The maximum length of the line, in bytes.
    ///   - excess: The code of the error for a longer line.
    ///   - read: Converts the bytes, which are valid only during the call.
    /// - Returns: The result of `read`; `nil` if there are no bytes.
    /// - Throws: ``TransferError`` with the code `excess`.
    mutating func last<Line>(
        limit: Int,
        excess: TransferError.Code,
        _ read: (UnsafeRawBufferPointer) -> Line
    ) throws -> Line? {
        guard !partial.isEmpty else { return nil }
        guard partial.count <= limit else { throw TransferError(excess) }
        defer { partial = [] }
        return partial.withUnsafeBytes(read)
    }

    /// Returns the index of the first terminator; for ``Terminator/lineFeed``, the index of its LF.
    private func end(in bytes: UnsafeRawBufferPointer) -> Int? {
        switch terminator {
        case .lineFeed: return bytes.firstOffset(of: 0x0A)
        case .any: return bytes.firstIndex { $0 == 0x0A || $0 == 0x0D }
        }
    }

    private func withoutCarriageReturn(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard terminator == .lineFeed, line.last == 0x0D else { return line }
        return UnsafeRawBufferPointer(rebasing: line.dropLast())
    }
}
