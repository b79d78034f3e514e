import PiuPiuAsync
import SuiteSupport
import Testing
@testable import PiuPiuCurl

struct HTTP2MonitorTests {
    private func event(_ line: String) -> HTTP2TraceEvent? {
        Array(line.utf8).withUnsafeBytes { HTTP2TraceEvent($0) }
    }

    @Test(
        "Lines of libcurl's trace are read",
        arguments: [
            ("[HTTP/2] [3] CLOSED", HTTP2TraceEvent.closed(3)),
            ("[HTTP/2] [3] cf_recv(len=16384) -> 81, 0, window=0/20905984, connection 1/2", .received(3)),
            ("received GOAWAY, error=0, last_stream=1", .goAway(1)),
            ("Downgrades to HTTP/1.1", .refused),
            ("[HTTP/2] [5] REFUSED_STREAM, try again on a new connection", .refused),
            ("HTTP/2 stream 5 refused by server, try again on a new connection", .refused),
            ("[HTTP/2] [1] <- FRAME[DATA, len=11, eos=1, padlen=0]", .ended(1)),
            ("[HTTP/2] [1] <- FRAME[DATA, len=11, eos=0, padlen=0]", .otherFrame),
            ("[HTTP/2] [1] <- FRAME[HEADERS, len=13, hend=1, eos=1]", .ended(1)),
            ("[HTTP/2] [1] <- FRAME[RST_STREAM, len=4, flags=0, error=0]", .reset(1)),
            ("[HTTP/2] [1] <- FRAME[RST_STREAM, len=4, flags=0, error=7]", .reset(1)),
            ("[HTTP/2] [0] <- FRAME[GOAWAY, error=0, reason='', last_stream=41]", .goAway(41)),
            ("HTTP/2 stream 5 reset by curl (error 0xb ENHANCE_YOUR_CALM)", .received(5)),
            ("nghttp2 shuts down connection with error 1: PROTOCOL_ERROR", .gaveUp),
            ("[HTTP/2] [0] -> FRAME[GOAWAY, error=1, reason='', last_stream=0]", .gaveUp),
        ]
    )
    func lines(_ line: String, _ expected: HTTP2TraceEvent) {
        #expect(event(line) == expected)
        #expect(event(line + "\n") == expected)
    }

    @Test("What a server writes into a reason does not count")
    func reason() {
        let line = "[HTTP/2] [0] <- FRAME[GOAWAY, error=0, reason=', last_stream=1', last_stream=7]"
        #expect(event(line) == .goAway(7))
    }

    @Test(
        "Other lines mean nothing",
        arguments: [
            "", "[HTTP/2] ", "[HTTP/2] [", "[HTTP/2] [x] CLOSED", "[HTTP/2] [99999999999] CLOSED", "HTTP/2 stream ",
            "received GOAWAY",
            "[HTTP/2] [3] OPENED stream for https://localhost:1/", "[HTTP/2] [1] -> FRAME[DATA, len=1, eos=1]",
            "Connection #0 to host localhost left intact", "\u{0}\u{FF}",
        ]
    )
    func others(_ line: String) {
        #expect(event(line) == nil)
    }

    @Test(
        "The stream of an error is read",
        arguments: [
            ("HTTP/2 stream 1 reset by curl (error 0xb ENHANCE_YOUR_CALM)", 1),
            ("HTTP/2 stream 21 was closed cleanly, but before getting all response header fields", 21),
            ("HTTP/2 stream", nil), ("HTTP/2 stream x", nil), ("Recv failure: HTTP/2 stream 1", nil), ("", nil),
        ] as [(String, Int?)]
    )
    func streamOfError(_ error: String, _ expected: Int?) {
        #expect(HTTP2TraceEvent.stream(ofError: error) == expected)
    }

    @Test("A stream that is reset before its end is cut off, and one that has ended is not")
    func cutOff() {
        var monitor = HTTP2Monitor()
        monitor.note(.reset(1))
        let first = monitor.closed(1)
        #expect(first)
        monitor.note(.ended(3))
        monitor.note(.reset(3))
        let second = monitor.closed(3)
        #expect(!second)
        monitor.note(.reset(5))
        monitor.note(.otherFrame)
        let third = monitor.closed(5)
        #expect(!third)
    }

    @Test("A request was left alone above the last stream of a GOAWAY")
    func leftAlone() {
        var monitor = HTTP2Monitor()
        #expect(!monitor.hasLeftAlone(1))
        // A graceful end begins with the highest number there is.
        monitor.note(.goAway(Int(Int32.max)))
        #expect(!monitor.hasLeftAlone(5))
        monitor.note(.goAway(5))
        #expect(!monitor.hasLeftAlone(5) && monitor.hasLeftAlone(7))
        // A later one can't take back what was said.
        monitor.note(.goAway(9))
        #expect(monitor.hasLeftAlone(7))
    }
}
