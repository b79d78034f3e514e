#if os(Linux)
/// The reasons why the codings of a body cannot be decoded.
package enum ContentDecodingError: Error, Hashable, Sendable {
    /// There are more codings than ``ContentCoding/maximumCount``.
    case tooManyCodings
    /// The bytes are invalid in their coding, or other bytes follow their end.
    case malformed
    /// A frame of zstd needs a larger window than the content coding allows.
    case windowTooLarge
    /// The body grew more than ``Decompression`` allows.
    case grownTooMuch
    /// The body ended before a coding reached its end.
    case truncated
    /// There is not enough memory for a decoder.
    case outOfMemory
}
#endif
