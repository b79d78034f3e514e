/// A piece of a body that can be sent more than once.
enum RequestBodySegment: Sendable {
    /// Bytes in memory.
    case bytes(Data)
    /// A whole file, and its length in bytes when it was checked.
    case file(URL, length: Int64)

    /// The maximum number of bytes to read from a file that reports no length.
    private static let unknownLengthLimit = 16 << 20

    /// Checks a file.
    ///
    /// - Parameter url: The file.
    /// - Returns: The file, or its bytes if the system reports no length for it, as for files in `/proc`.
    /// - Throws: ``TransferError``, with the code `bodyTooLarge` if such a file has more than 16 MiB.
    static func reading(_ url: URL) throws -> RequestBodySegment {
        let (file, length) = try OpenFile.reading(url)
        guard length == 0 else { return .file(url, length: length) }
        let bytes = try file.read(at: 0, count: unknownLengthLimit + 1)
        guard bytes.count <= unknownLengthLimit else { throw TransferError(.bodyTooLarge, file: url) }
        return bytes.isEmpty ? .file(url, length: 0) : .bytes(bytes)
    }

    /// The length, in bytes.
    var length: Int64 {
        switch self {
        case .bytes(let data): Int64(data.count)
        case .file(_, let length): length
        }
    }
}
