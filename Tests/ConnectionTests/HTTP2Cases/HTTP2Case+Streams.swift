#if os(Linux)
import TestSupport

// The states of streams, errors of a connection, and extensions.
extension HTTP2Case {
    static let streams = [
        // 5.1 Stream States
        closing("5.1", "idle: Sends a DATA frame") { _ in [.body(2)] },
        closing("5.1", "idle: Sends a RST_STREAM frame") { _ in [.reset(2)] },
        closing("5.1", "idle: Sends a WINDOW_UPDATE frame") { _ in [.windowUpdate(2, 100)] },
        closing("5.1", "idle: Sends a CONTINUATION frame") { _ in
            [HTTP2Frame(.continuation, flags: HTTP2Frame.endHeaders, stream: 2, payload: HTTP2Frame.fields)]
        },
        HTTP2Case(
            "5.1",
            "closed: Sends a DATA frame after sending RST_STREAM frame",
            .streamError([.streamClosed]),
            .goesOn,
            .failure(.cancel),
            because: dropped
        ) { [.head($0), .reset($0), .body($0)] },
        HTTP2Case(
            "5.1",
            "closed: Sends a HEADERS frame after sending RST_STREAM frame",
            .streamError([.streamClosed]),
            .goesOn,
            .failure(.cancel),
            because: dropped
        ) { [.head($0), .reset($0), .head($0, ends: true)] },
        HTTP2Case(
            "5.1",
            "closed: Sends a CONTINUATION frame after sending RST_STREAM frame",
            .streamError([.streamClosed, .protocolError]),
            .closesConnection(.protocolError),
            .failure(.cancel)
        ) { [.head($0), .reset($0), .continuation($0)] },
        HTTP2Case(
            "5.1",
            "closed: Sends a DATA frame",
            .connectionError([.streamClosed]),
            .goesOn,
            .response(""),
            because: dropped
        ) { [.head($0, ends: true), .body($0)] },
        HTTP2Case(
            "5.1",
            "closed: Sends a HEADERS frame",
            .connectionError([.streamClosed]),
            .goesOn,
            .response(""),
            because: dropped
        ) { [.head($0, ends: true), .head($0, ends: true)] },
        HTTP2Case(
            "5.1",
            "closed: Sends a CONTINUATION frame",
            .connectionError([.streamClosed, .protocolError]),
            .closesConnection(.protocolError),
            .response("")
        ) { [.head($0, ends: true), .continuation($0)] },

        // 5.1.1 Stream Identifiers
        closing("5.1.1", "Sends an unexpected stream identifier") { _ in [.head(101, ends: true)] },
    ]

    static let errors = [
        // 5.4.1 Connection Error Handling
        closing("5.4.1", "Sends an invalid PING frame for connection close") { _ in [.ping(stream: 3)] },
        closing("5.4.1", "Sends an invalid PING frame to receive GOAWAY frame") { _ in [.ping(stream: 3)] },

        // 5.5 Extending HTTP/2
        harmless("5.5", "Sends an unknown extension frame") { [.unknown, .head($0), .body($0)] },
    ]

    /// Why frames on a stream that has ended are no error.
    private static let dropped = """
        nghttp2 has forgotten a stream that has ended, and drops what arrives on it. RFC 9113 §5.1 no longer demands an \
        error for frames on a closed stream: a client may treat them as one.
        """
}
#endif
