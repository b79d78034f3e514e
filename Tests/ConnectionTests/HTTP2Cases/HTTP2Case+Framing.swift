#if os(Linux)
import TestSupport

// The beginning of a connection, the form of frames, and the compression of heads.
extension HTTP2Case {
    static let framing = [
        harmless("1", "Sends a client connection preface") { [.head($0), .body($0)] },

        // 4.1 Frame Format
        harmless("4.1", "Sends a frame with unknown type") { [.unknown, .head($0), .body($0)] },
        harmless("4.1", "Sends a frame with undefined flag") {
            [.ping(flags: ~HTTP2Frame.acknowledgement), .head($0), .body($0)]
        },
        harmless("4.1", "Sends a frame with reserved field bit") {
            [.ping(stream: reservedBit), .head($0), .body($0)]
        },

        // 4.2 Frame Size
        harmless("4.2", "Sends a DATA frame with 2^14 octets in length", largestBody) {
            [.head($0), .body($0, largestBody)]
        },
        HTTP2Case(
            "4.2",
            "Sends a large size DATA frame that exceeds the SETTINGS_MAX_FRAME_SIZE",
            .streamError([.frameSizeError]),
            .closesConnection(.frameSizeError),
            .failure(.frameSizeError)
        ) { [.head($0), .body($0, largestBody + "t")] },
        closing("4.2", "Sends a large size HEADERS frame that exceeds the SETTINGS_MAX_FRAME_SIZE", .frameSizeError) {
            var head = HTTP2Frame.head($0, ends: true)
            while head.payload.count <= HTTP2Frame.largestPayload { head.payload += HTTP2Frame.moreFields }
            return [head]
        },

        // 4.3 Header Compression and Decompression
        closing("4.3", "Sends invalid header block fragment", .compressionError) {
            // A literal field without its name and its value.
            let flags = HTTP2Frame.endStream | HTTP2Frame.endHeaders
            return [HTTP2Frame(.headers, flags: flags, stream: $0, payload: [0x40])]
        },
    ]

    /// The bit in front of a stream's number.
    static let reservedBit = 1 << 31
    /// A body that fills the largest frame.
    private static let largestBody = String(repeating: "t", count: HTTP2Frame.largestPayload)
}
#endif
