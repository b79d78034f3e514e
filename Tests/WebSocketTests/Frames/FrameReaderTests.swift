import Testing

@testable import PiuPiuWebSocket

/// Messages and control frames that a server may send (RFC 6455 §5).
@Suite struct FrameReaderTests {
    @Test(arguments: [0, 1, 2, 7, 8, 125, 126, 127, 128, 65535, 65536, 70000])
    func aMessageHasAnyLength(count: Int) {
        let payload = (0..<count).map { UInt8($0 % 251 & 0x7F) }
        let header = count < 126 ? 2 : count < 65536 ? 4 : 10
        let binary = FrameTrace(frame(0x2, payload))
        #expect(binary.events == [.message(.binary(Data(payload)), wireSize: count + header)])
        let text = FrameTrace(frame(0x1, payload))
        #expect(
            text.events == [.message(.text(String(decoding: payload, as: UTF8.self)), wireSize: count + header)]
        )
    }

    /// The examples of RFC 6455 §5.7 that a server sends.
    @Test func theExamplesOfTheStandardAreRead() {
        let hello: [UInt8] = [0x48, 0x65, 0x6C, 0x6C, 0x6F]
        #expect(FrameTrace([0x81, 0x05] + hello).events == [.message(.text("Hello"), wireSize: 7)])
        #expect(
            FrameTrace([0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]).events
                == [.message(.text("Hello"), wireSize: 9)]
        )
        #expect(FrameTrace([0x89, 0x05] + hello).events == [.ping(hello)])
        #expect(FrameTrace([0x8A, 0x05] + hello).events == [.pong(hello)])
        let large = [UInt8](repeating: 7, count: 65536)
        #expect(FrameTrace([0x82, 0x7E, 0x01, 0x00] + large.prefix(256)).contents == [Array(large.prefix(256))])
        #expect(FrameTrace([0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + large).contents == [large])
    }

    @Test func fragmentsAreOneMessage() {
        let trace = FrameTrace(
            text("ab", isFinal: false) + more([0x63]) + more([]) + more([0x64], isFinal: true) + text("e")
        )
        #expect(trace.events == [.message(.text("abcd"), wireSize: 12), .message(.text("e"), wireSize: 3)])
        let binary = FrameTrace(frame(0x2, [1], isFinal: false) + more([2, 3], isFinal: true))
        #expect(binary.contents == [[1, 2, 3]])
        let empty = FrameTrace(frame(0x2, isFinal: false) + more([]) + more([], isFinal: true))
        #expect(empty.contents == [[]])
    }

    @Test func controlFramesMayBeBetweenFragments() {
        let ping = frame(0x9, [1, 2])
        let pong = frame(0xA, [UInt8](repeating: 3, count: 125))
        let bytes = text("a", isFinal: false) + ping + more([0x62]) + pong + ping + more([0x63], isFinal: true)
        let trace = FrameTrace(bytes)
        #expect(
            trace.events == [
                .ping([1, 2]), .pong([UInt8](repeating: 3, count: 125)), .ping([1, 2]),
                .message(.text("abc"), wireSize: 9),
            ]
        )
        #expect(FrameTrace(frame(0x9)).events == [.ping([])])
    }

    @Test func nothingIsReadAfterACloseFrame() {
        let trace = FrameTrace(text("a") + close(1000, Array("bye".utf8)) + text("b"))
        #expect(trace.events == [.message(.text("a"), wireSize: 3), .close(code: 1000, reason: "bye")])
        #expect(trace.endOffset == 3 + 7)
        #expect(FrameTrace(frame(0x8)).events == [.close(code: nil, reason: "")])
        #expect(FrameTrace(text("a", isFinal: false) + close(1001)).events == [.close(code: 1001, reason: "")])
    }

    /// Reads all events of bytes, and goes on after the end.
    private func readOn(_ bytes: [UInt8]) -> (results: [Result<FrameReader.Event, WebSocketViolation>], left: Int) {
        var reader = FrameReader(maximumMessageSize: 10, inflater: nil)
        return bytes.withUnsafeBytes { memory in
            var input = memory
            let results = (0..<3).map { _ in
                Result { () throws(WebSocketViolation) in try reader.next(&input) }
            }
            #expect(!reader.isInMessage && reader.bufferedCount == 0)
            return (results, input.count)
        }
    }

    @Test func theRestIsIgnored() {
        let closed = readOn(frame(0x8) + text("b"))
        #expect(closed.left == 0)
        #expect(
            closed.results == [.success(.close(code: nil, reason: "")), .success(.needsMore), .success(.needsMore)]
        )
        let violated = readOn(frame(0x3) + text("b"))
        #expect(violated.left == 0 && (try? violated.results[0].get()) == nil)
        #expect(violated.results.dropFirst() == [.success(.needsMore), .success(.needsMore)])
    }

    @Test func anEmptyInputIsNoEvent() throws {
        #expect(readOn([]).results == [.success(.needsMore), .success(.needsMore), .success(.needsMore)])
        var reader = FrameReader(maximumMessageSize: 10, inflater: nil)
        var input = UnsafeRawBufferPointer(start: nil, count: 0)
        let event = try reader.next(&input)
        #expect(event == .needsMore)
    }
}
