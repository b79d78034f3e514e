import Testing

@testable import PiuPiuWebSocket

/// Close frames (RFC 6455 §5.5.1, §7.4); the numbers are those of the Autobahn test suite.
@Suite struct CloseFrameTests {
    /// 7.7.1 to 7.7.13.
    @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999])
    func aValidCodeIsReported(code: UInt16) {
        #expect(FrameTrace(close(code)).events == [.close(code: code, reason: "")])
        #expect(FrameTrace(close(code, Array("ok".utf8))).events == [.close(code: code, reason: "ok")])
    }

    /// 7.9.1 to 7.9.13, 7.13.1 and 7.13.2.
    @Test(arguments: [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 5001, 65535])
    func anInvalidCodeIsRefused(code: UInt16) {
        #expect(FrameTrace(close(code)).code == .protocolError)
        #expect(FrameTrace(close(code, Array("ok".utf8))).code == .protocolError)
    }

    @Test func everyCodeIsInOneOfTheTables() {
        let valid = (0...UInt16.max).filter { WebSocketCloseCode(rawValue: $0).mayBeReceived }
        #expect(valid == Array(1000...1003) + Array(1007...1014) + Array(3000...4999))
        let sent = (0...UInt16.max).filter { WebSocketCloseCode(rawValue: $0).mayBeSent }
        #expect(sent == Array(1000...1003) + Array(1007...1011) + Array(3000...4999))
    }

    /// 7.3.1 to 7.3.6 and 7.5.1.
    @Test func theReasonIsAText() {
        #expect(FrameTrace(frame(0x8)).events == [.close(code: nil, reason: "")])
        #expect(FrameTrace(frame(0x8, [3])).code == .protocolError)
        let longest = String(repeating: "*", count: 123)
        #expect(FrameTrace(close(1000, Array(longest.utf8))).events == [.close(code: 1000, reason: longest)])
        #expect(FrameTrace(close(1000, Array("schön €".utf8))).events == [.close(code: 1000, reason: "schön €")])
        let invalid: [[UInt8]] = [
            [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xED, 0xA0, 0x80, 0x65], [0xFF], [0xE2, 0x82], [0xC0, 0x80],
        ]
        for reason in invalid { #expect(FrameTrace(close(1000, reason)).code == .invalidPayload) }
        // The code counts first.
        #expect(FrameTrace(close(1005, [0xFF])).code == .protocolError)
    }
}
