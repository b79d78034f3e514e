#if os(Linux)
/// Why the codings of a body cannot be undone.
enum ContentDecodingError: Error, Hashable, Sendable {
    /// A coding that is unknown, or whose library is missing on this system.
    case unsupported(String)
    /// More codings than ``ContentCoding/maximumCount``.
    case tooManyCodings
    /// The bytes are not what the coding says, or something follows their end.
    case malformed
    /// The body grew more than ``Decompression`` allows.
    case grownTooMuch
    /// The body ended before a coding came to its end.
    case truncated
    /// There is no memory for a decoder.
    case outOfMemory
}

extension ContentDecodingError {
    /// What a caller is told.
    var code: TransportError.Code {
        switch self {
        case .outOfMemory: .outOfResources
        case .grownTooMuch: .decompressionLimit
        case .unsupported, .tooManyCodings, .malformed: .malformedBody
        case .truncated: .truncatedBody
        }
    }
}
#endif
