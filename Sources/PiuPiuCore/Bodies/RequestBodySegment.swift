/// A piece of a body that can be sent more than once.
package enum RequestBodySegment: Sendable {
    /// Bytes in memory.
    case bytes(Data)
    /// A whole file, and its length in bytes when it was checked.
    case file(URL, length: Int64)

    /// The maximum number of bytes to read from a file that reports no length.
    private static let unknownLengthLimit = 16 << 20

    /// Checks a file.
    ///
    /// - Returns: The file, or its bytes if the system reports no length for it, as for files in `/proc`.
    /// - Throws: ``TransferError``; the code is `bodyTooLarge` if a file without a length exceeds 16 MiB.
    static func reading(_ url: URL) throws -> RequestBodySegment {
        let (file, length) = try OpenFile.reading(url)
        guard length == 0 else { return .file(url, length: length) }
        let bytes = try file.read(at: 0, count: unknownLengthLimit + 1)
        guard bytes.count <= unknownLengthLimit else { throw TransferError(.bodyTooLarge, file: url) }
        return bytes.isEmpty ? .file(url, length: 0) : .bytes(bytes)
    }

    /// The length, in bytes.
    package var length: Int64 {
        switch self {
        case .bytes(let data): Int64(data.count)
        case .file(_, let length): length
        }
    }
}

/// The bytes of segments in order: blocks in memory as a whole, files in pieces.
struct SegmentPieces {
    private var rest: ArraySlice<RequestBodySegment>
    private var file: SegmentFile?

    init(_ segments: [RequestBodySegment]) {
        rest = segments[...]
    }

    /// Reads the next piece, and waits for the disk.
    ///
    /// - Returns: The bytes; `nil` at the end.
    /// - Throws: ``TransferError``; the code is `fileChanged` if a file's length has changed.
    mutating func next() throws -> Data? {
        while true {
            if let piece = try file?.next() { return piece }
            file = nil
            switch rest.popFirst() {
            case .bytes(let data): return data
            case .file(let url, let length): file = try SegmentFile(url, length: length)
            case nil: return nil
            }
        }
    }
}

/// A file that is read from beginning to end, and must not change during that time.
private struct SegmentFile {
    /// Small enough to keep memory use low, and large enough to make thread hops cheap in comparison.
    private static let pieceSize = 256 * 1024

    private let url: URL
    private let length: Int64
    private let file: OpenFile
    private var offset: Int64 = 0

    /// Opens a file; throws ``TransferError`` with the code `fileChanged` if its length in bytes differs from the expected one.
    init(_ url: URL, length: Int64) throws {
        let (file, lengthNow) = try OpenFile.reading(url)
        guard lengthNow == length else { throw TransferError(.fileChanged, file: url) }
        (self.url, self.length, self.file) = (url, length, file)
    }

    /// Reads the next piece.
    ///
    /// - Returns: The bytes; `nil` at the end.
    /// - Throws: ``TransferError``; the code is `fileChanged` if the file's length has changed.
    mutating func next() throws -> Data? {
        guard offset < length else { return nil }
        let piece = try file.read(at: offset, count: Int(min(Int64(Self.pieceSize), length - offset)))
        offset += Int64(piece.count)
        // Check before sending the last piece, which completes the message for the server.
        guard !piece.isEmpty, try offset < length || file.length() == length else {
            throw TransferError(.fileChanged, file: url)
        }
        return piece
    }
}
