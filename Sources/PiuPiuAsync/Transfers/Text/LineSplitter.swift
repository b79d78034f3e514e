/// Cuts chunks of bytes into lines and shows each line where it lies, so that only a line that is spread over several
/// chunks is copied.
///
/// Every byte is looked at once, however the chunks are cut.
struct LineSplitter {
    /// What ends a line.
    enum Terminator {
        /// LF, or CR and LF; a lone CR belongs to the line.
        case lineFeed
        /// LF, CR, or CR and LF.
        case any
    }

    private let terminator: Terminator
    private var chunk = Data()
    private var position = 0
    /// The beginning of a line, from the chunks before.
    private var partial: [UInt8] = []
    /// The line before ended with a CR, to which an LF belongs.
    private var skipsLineFeed = false

    /// Creates a splitter.
    ///
    /// - Parameter terminator: What ends a line.
    init(_ terminator: Terminator) {
        self.terminator = terminator
    }

    /// Takes the next bytes.
    ///
    /// - Parameter data: The bytes. It costs a copy where the lines of the chunk before were not taken.
    mutating func append(_ data: Data) {
        chunk = position < chunk.count ? chunk.dropFirst(position) + data : data
        position = 0
    }

    /// Takes the next line whose end has arrived.
    ///
    /// - Parameters:
    ///   - limit: How many bytes a line may have, its end not counted.
    ///   - excess: What to throw for a longer line, which happens before the line's end arrives.
    ///   - read: Makes what is wanted of the line's bytes, which exist during the call only.
    /// - Returns: What `read` returns, `nil` where more bytes are needed.
    /// - Throws: ``TransferError`` with the code `excess`; the splitter is of no use then.
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
                // A CR at the end may be the first half of the line's end; the chunk may be empty.
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

    /// Takes what follows the last line's end once there are no more bytes, after ``next(limit:excess:_:)`` gave `nil`.
    ///
    /// - Parameters:
    ///   - limit: How many bytes it may have.
    ///   - excess: What to throw where it is longer.
    ///   - read: Makes what is wanted of the bytes, which exist during the call only.
    /// - Returns: What `read` returns, `nil` where nothing follows.
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

    /// Where the first line's end begins; for ``Terminator/lineFeed`` where its LF is.
    private func end(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        switch terminator {
        case .lineFeed: return memchr(base, 0x0A, bytes.count).map { UnsafeRawPointer($0) - base }
        case .any: return bytes.firstIndex { $0 == 0x0A || $0 == 0x0D }
        }
    }

    private func withoutCarriageReturn(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard terminator == .lineFeed, line.last == 0x0D else { return line }
        return UnsafeRawBufferPointer(rebasing: line.dropLast())
    }
}
