/// A piece of a body that can be sent more than once.
enum RequestBodySegment: Sendable {
    /// Bytes in memory.
    case bytes(Data)
    /// A whole file, and how long it was when it was looked at, in bytes.
    case file(URL, length: Int64)

    /// How many bytes are read of a file that does not say how many it has.
    private static let unknownLengthLimit = 16 << 20

    /// Looks at a file.
    ///
    /// - Parameter url: The file.
    /// - Returns: The file; its bytes if the system does not say how many there are, as for those of `/proc`.
    /// - Throws: ``TransferError``, with the code `bodyTooLarge` for more than 16 MiB of such bytes.
    static func reading(_ url: URL) throws -> RequestBodySegment {
        let (file, length) = try OpenFile.reading(url)
        guard length == 0 else { return .file(url, length: length) }
        let bytes = try file.read(at: 0, count: unknownLengthLimit + 1)
        guard bytes.count <= unknownLengthLimit else { throw TransferError(.bodyTooLarge, file: url) }
        return bytes.isEmpty ? .file(url, length: 0) : .bytes(bytes)
    }

    /// How long it is, in bytes.
    var length: Int64 {
        switch self {
        case .bytes(let data): Int64(data.count)
        case .file(_, let length): length
        }
    }
}
