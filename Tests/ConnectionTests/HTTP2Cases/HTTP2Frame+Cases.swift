#if os(Linux)
import TestSupport

// What the cases are put together from.
extension HTTP2Frame {
    /// The fields of a good response.
    static let fields = HPACKEncoder.encode([HTTP2Field(":status", "200"), HTTP2Field("content-type", "text/plain")])
    /// A field, for CONTINUATION.
    static let moreFields = HPACKEncoder.encode([HTTP2Field("x-more", "more")])

    /// The head of a good response.
    static func head(_ stream: Int, ends: Bool = false, isWhole: Bool = true) -> HTTP2Frame {
        let flags = (ends ? endStream : 0) | (isWhole ? endHeaders : 0)
        return HTTP2Frame(.headers, flags: flags, stream: stream, payload: fields)
    }

    /// The whole body of a good response.
    static func body(_ stream: Int, _ text: String = "test") -> HTTP2Frame {
        HTTP2Frame(.data, flags: endStream, stream: stream, payload: Array(text.utf8))
    }

    /// More of a head.
    static func continuation(_ stream: Int, isLast: Bool = true) -> HTTP2Frame {
        HTTP2Frame(.continuation, flags: isLast ? endHeaders : 0, stream: stream, payload: moreFields)
    }

    /// RST_STREAM, with CANCEL.
    static func reset(_ stream: Int) -> HTTP2Frame {
        HTTP2Frame(.resetStream, stream: stream, payload: bytes(HTTP2ErrorCode.cancel.rawValue))
    }

    /// WINDOW_UPDATE.
    static func windowUpdate(_ stream: Int, _ count: Int) -> HTTP2Frame {
        HTTP2Frame(.windowUpdate, stream: stream, payload: bytes(count))
    }

    /// PRIORITY, with the highest weight.
    static func priority(_ stream: Int) -> HTTP2Frame {
        HTTP2Frame(.priority, stream: stream, payload: [0, 0, 0, 0, 255])
    }

    /// PING, with eight bytes.
    static func ping(_ text: String = "12345678", flags: UInt8 = 0, stream: Int = 0) -> HTTP2Frame {
        HTTP2Frame(.ping, flags: flags, stream: stream, payload: Array(text.utf8))
    }

    /// SETTINGS, with one of them.
    static func setting(_ number: Int, _ value: Int) -> HTTP2Frame {
        HTTP2Frame(.settings, payload: Array(bytes(number).suffix(2)) + bytes(value))
    }

    /// A frame of a kind that no document defines.
    static var unknown: HTTP2Frame {
        var frame = HTTP2Frame(.data, payload: [UInt8](repeating: 0, count: 8))
        frame.kind = 0x16
        return frame
    }

    /// Whether the frame is of a kind.
    func isOf(_ other: Kind) -> Bool { kind == other.rawValue }

    /// Whether a frame of SETTINGS or PING acknowledges another.
    var isAcknowledgement: Bool { flags & Self.acknowledgement != 0 }
}
#endif
