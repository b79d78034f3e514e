#if os(Linux)
import TestSupport

// Frames of streams: DATA, HEADERS, PRIORITY and RST_STREAM.
extension HTTP2Case {
    static let messages = [
        // 6.1 DATA
        closing("6.1", "Sends a DATA frame with 0x0 stream identifier") { _ in [.body(0)] },
        HTTP2Case(
            "6.1",
            "Sends a DATA frame on the stream that is not in \"open\" or \"half-closed (local)\" state",
            .streamError([.streamClosed]),
            .goesOn,
            .response(""),
            because: """
                nghttp2 has forgotten a stream that has ended, and drops what arrives on it. RFC 9113 §6.1 still demands \
                RST_STREAM, although §5.1 leaves it to the client what to make of frames on a closed stream. There is \
                nothing left to reset, and nothing is added to the response, which was complete.
                """
        ) { [.head($0, ends: true), .body($0)] },
        HTTP2Case(
            "6.1",
            "Sends a DATA frame with invalid pad length",
            .streamError([.protocolError]),
            .closesConnection(.protocolError),
            .failure(.protocolError)
        ) {
            var head = HTTP2Frame.head($0)
            head.payload += HPACKEncoder.encode([HTTP2Field("content-length", "4")])
            var body = HTTP2Frame.body($0)
            body.flags |= HTTP2Frame.padded
            body.payload.insert(6, at: 0)
            return [head, body]
        },

        // 6.2 HEADERS
        closing("6.2", "Sends a HEADERS frame without the END_HEADERS flag, and a PRIORITY frame") {
            [.head($0, isWhole: false), .priority($0), .continuation($0)]
        },
        closing("6.2", "Sends a HEADERS frame with 0x0 stream identifier") { _ in [.head(0, ends: true)] },
        HTTP2Case(
            "6.2",
            "Sends a HEADERS frame with invalid pad length",
            .streamError([.protocolError]),
            .closesConnection(.protocolError),
            .failure(.protocolError)
        ) {
            var head = HTTP2Frame.head($0)
            head.flags |= HTTP2Frame.padded
            head.payload.insert(UInt8(head.payload.count + 1), at: 0)
            return [head]
        },

        // 6.3 PRIORITY
        closing("6.3", "Sends a PRIORITY frame with 0x0 stream identifier") { _ in [.priority(0)] },
        HTTP2Case(
            "6.3",
            "Sends a PRIORITY frame with a length other than 5 octets",
            .streamError([.frameSizeError]),
            .closesConnection(.frameSizeError),
            .response("")
        ) { [.head($0, ends: true), HTTP2Frame(.priority, stream: $0, payload: [0x80, 0, 0, 1])] },

        // 6.4 RST_STREAM
        closing("6.4", "Sends a RST_STREAM frame with 0x0 stream identifier") { _ in [.reset(0)] },
        closing("6.4", "Sends a RST_STREAM frame on a idle stream") { _ in [.reset(2)] },
        HTTP2Case(
            "6.4",
            "Sends a RST_STREAM frame with a length other than 4 octets",
            .connectionError([.frameSizeError]),
            .closesConnection(.frameSizeError),
            .response("")
        ) { [.head($0, ends: true), HTTP2Frame(.resetStream, stream: $0, payload: [0, 0, 0])] },
    ]
}
#endif
