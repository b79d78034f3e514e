#if os(Linux)
import TestSupport

// 6.10 CONTINUATION
extension HTTP2Case {
    static let continuations = [
        harmless("6.10", "Sends multiple CONTINUATION frames preceded by a HEADERS frame", "") {
            [.head($0, ends: true, isWhole: false), .continuation($0, isLast: false), .continuation($0)]
        },
        closing("6.10", "Sends a CONTINUATION frame followed by any frame other than CONTINUATION") {
            [.head($0, isWhole: false), .continuation($0, isLast: false), .body($0)]
        },
        closing("6.10", "Sends a CONTINUATION frame with 0x0 stream identifier") {
            [.head($0, ends: true, isWhole: false), .continuation(0)]
        },
        HTTP2Case(
            "6.10",
            "Sends a CONTINUATION frame preceded by a HEADERS frame with END_HEADERS flag",
            .connectionError([.protocolError]),
            .closesConnection(.protocolError),
            .response("")
        ) { [.head($0, ends: true), .continuation($0)] },
        HTTP2Case(
            "6.10",
            "Sends a CONTINUATION frame preceded by a CONTINUATION frame with END_HEADERS flag",
            .connectionError([.protocolError]),
            .closesConnection(.protocolError),
            .response("")
        ) { [.head($0, ends: true, isWhole: false), .continuation($0), .continuation($0)] },
        closing("6.10", "Sends a CONTINUATION frame preceded by a DATA frame") {
            [.head($0, isWhole: false), .body($0), .continuation($0, isLast: false), .continuation(0)]
        },
    ]
}
#endif
