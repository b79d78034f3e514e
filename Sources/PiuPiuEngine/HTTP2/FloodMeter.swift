/// Counts the useless frames of a connection (RFC 9113 §10.5) in the bytes as they arrive.
///
/// nghttp2 does not report the frames that it ignores: those of an unknown type (RFC 9113 §4.1) or for a stream that has ended.
struct FloodMeter {
    /// The number of consecutive frames without content, within a time in nanoseconds, that no server needs to send.
    static let limit = 10_000
    static let time: Int64 = 10_000_000_000
    /// The size from which a DATA frame is not counted, for any stream, because the windows limit such frames.
    static let substantialSize = 256

    /// The length and the type of the frame that is arriving; some bytes may be missing.
    private var head: UInt32 = 0
    private var headCount = 0
    /// The number of bytes until the next frame.
    private var rest = 0
    private var count = 0
    private var countsSince: Int64 = 0
    /// The bytes of content that may still arrive for streams that this side gave up.
    private var allowance = 0

    /// Whether too many useless frames arrived.
    var isFlooded: Bool { count > Self.limit }

    /// Counts the frames that begin in received bytes; the caller passes all bytes of the connection.
    mutating func take(_ bytes: UnsafeRawBufferPointer, now: Int64) {
        if now - countsSince > Self.time { (count, countsSince) = (0, now) }
        var position = 0
        while position < bytes.count {
            let skipped = min(rest, bytes.count - position)
            rest -= skipped
            position += skipped
            guard position < bytes.count else { return }
            head = head << 8 | UInt32(bytes[position])
            headCount += 1
            position += 1
            guard headCount == 4 else { continue }
            headCount = 0
            let length = Int(head >> 8)
            let isData = head & 0xFF == 0
            if isData, length > 0, length <= allowance {
                allowance -= length
            } else if !isData || length < Self.substantialSize {
                count += 1
            }
            // The flags and the stream follow.
            rest = 5 + length
        }
    }

    /// Records that this side gave up a stream, whose content may still come in frames of any size, up to its window in bytes.
    mutating func noteAbandoned(window: Int) { allowance = min(allowance, 1 << 30) + window }

    /// Records that something useful arrived or was sent, which may have needed the frames before it.
    mutating func noteContent() { count = 0 }
}
