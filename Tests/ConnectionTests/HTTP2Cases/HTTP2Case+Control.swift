#if os(Linux)
import TestSupport

// Frames of the connection: SETTINGS, PING, GOAWAY and WINDOW_UPDATE.
extension HTTP2Case {
    static let parameters = [
        // 6.5 SETTINGS
        closing("6.5", "Sends a SETTINGS frame with ACK flag and payload", .frameSizeError) { _ in
            [HTTP2Frame(.settings, flags: HTTP2Frame.acknowledgement, payload: [0])]
        },
        closing("6.5", "Sends a SETTINGS frame with a stream identifier other than 0x0") { _ in
            var settings = HTTP2Frame.setting(3, 100)
            settings.stream = 1
            return [settings]
        },
        HTTP2Case(
            "6.5",
            "Sends a SETTINGS frame with a length other than a multiple of 6 octets",
            .streamError([.protocolError, .frameSizeError]),
            .closesConnection(.frameSizeError),
            .failure(.frameSizeError)
        ) { _ in [HTTP2Frame(.settings, payload: [0, 3, 0])] },

        // 6.5.2 Defined SETTINGS Parameters
        closing(
            "6.5.2",
            "SETTINGS_INITIAL_WINDOW_SIZE (0x4): Sends the value above the maximum flow control window size",
            .flowControlError
        ) { _ in [.setting(4, 1 << 31)] },
        closing("6.5.2", "SETTINGS_MAX_FRAME_SIZE (0x5): Sends the value below the initial value") { _ in
            [.setting(5, (1 << 14) - 1)]
        },
        closing("6.5.2", "SETTINGS_MAX_FRAME_SIZE (0x5): Sends the value above the maximum allowed frame size") { _ in
            [.setting(5, 1 << 24)]
        },
        harmless("6.5.2", "Sends a SETTINGS frame with unknown identifier") {
            [.setting(0xFF, 1), .head($0), .body($0)]
        },

        // 6.5.3 Settings Synchronization
        harmless("6.5.3", "Sends a SETTINGS frame without ACK flag") { [.setting(2, 0), .head($0), .body($0)] },
    ]

    static let control = [
        // 6.7 PING
        harmless("6.7", "Sends a PING frame") { [.ping(), .head($0), .body($0)] },
        harmless("6.7", "Sends a PING frame with ACK") {
            [.ping("unasked!", flags: HTTP2Frame.acknowledgement), .ping(), .head($0), .body($0)]
        },
        closing("6.7", "Sends a PING frame with a stream identifier field value other than 0x0") { _ in
            [.ping(stream: 1)]
        },
        closing("6.7", "Sends a PING frame with a length field value other than 8", .frameSizeError) { _ in
            [.ping("123456")]
        },

        // 6.8 GOAWAY
        closing("6.8", "Sends a GOAWAY frame with a stream identifier other than 0x0") { _ in
            [HTTP2Frame(.goAway, stream: 1, payload: [UInt8](repeating: 0, count: 8))]
        },

        // 6.9 WINDOW_UPDATE
        closing("6.9", "Sends a WINDOW_UPDATE frame with a flow control window increment of 0") { _ in
            [.windowUpdate(0, 0)]
        },
        HTTP2Case(
            "6.9",
            "Sends a WINDOW_UPDATE frame with a flow control window increment of 0 on a stream",
            .streamError([.protocolError]),
            .closesConnection(.protocolError),
            .failure(.protocolError)
        ) { [.head($0), .windowUpdate($0, 0)] },
        closing("6.9", "Sends a WINDOW_UPDATE frame with a length other than 4 octets", .frameSizeError) { _ in
            [HTTP2Frame(.windowUpdate, payload: [0, 0, 1])]
        },

        // 6.9.1 The Flow-Control Window
        closing(
            "6.9.1",
            "Sends multiple WINDOW_UPDATE frames increasing the flow control window to above 2^31-1",
            .flowControlError
        ) { _ in [.windowUpdate(0, largestWindow), .windowUpdate(0, largestWindow)] },
        HTTP2Case(
            "6.9.1",
            "Sends multiple WINDOW_UPDATE frames increasing the flow control window to above 2^31-1 on a stream",
            .streamError([.flowControlError]),
            .resetsStream(.flowControlError),
            .failure(.flowControlError)
        ) { [.head($0), .windowUpdate($0, largestWindow), .windowUpdate($0, largestWindow)] },
    ]

    private static let largestWindow = (1 << 31) - 1
}
#endif
