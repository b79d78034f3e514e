/// A piece of a body that can be sent more than once.
enum RequestBodySegment: Sendable {
    /// Bytes in memory.
    case bytes(Data)
    /// A whole file, and how long it was when it was looked at, in bytes.
    case file(URL, length: Int64)

    /// How long it is, in bytes.
    var length: Int64 {
        switch self {
        case .bytes(let data): Int64(data.count)
        case .file(_, let length): length
        }
    }
}
