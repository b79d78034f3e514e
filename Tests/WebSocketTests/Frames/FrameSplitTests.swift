import TestSupport
import Testing

@testable import PiuPiuWebSocket

/// However a stream is split, its events are the same.
@Suite struct FrameSplitTests {
    struct Stream: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var bytes: [UInt8]
        var isCompressed = false
        var limit = 1 << 16

        func inflater() -> MessageInflater? { isCompressed ? MessageInflater() : nil }
    }

    private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]

    static let streams: [Stream] = [
        Stream(
            testDescription: "messages, control frames and a close",
            bytes: text("Hello") + frame(0x9, [1, 2, 3]) + frame(0x2, [UInt8](repeating: 9, count: 130)) + frame(0x2)
                + text("schö", isFinal: false) + frame(0xA) + more(Array("n €".utf8)) + frame(0x9, [0])
                + more([0xF0, 0x9F]) + more([]) + more([0x98, 0x80], isFinal: true) + close(1001, Array("weg".utf8))
                + text("ignored")
        ),
        Stream(
            testDescription: "a violation in a long text",
            bytes: text("ok") + frame(0x1, Array("abcdefghijklmnop".utf8) + [0xED, 0xA0, 0x80] + Array("rest".utf8))
        ),
        Stream(
            testDescription: "compressed messages, with and without fragments",
            bytes: frame(0x1, hello, rsv: 4) + frame(0x1, [0xF2, 0x00, 0x11, 0x00, 0x00], rsv: 4) + text("plain")
                + frame(0x2, Array(hello.prefix(3)), isFinal: false, rsv: 4) + frame(0x9, [7]) + more([])
                + more(Array(hello.dropFirst(3)), isFinal: true) + frame(0x2, [0x00], rsv: 4)
                + frame(0x1, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00], rsv: 4)
                + frame(0x1, [0xF2, 0x00, 0x11, 0x00, 0x00], rsv: 4) + close(1000),
            isCompressed: true
        ),
        Stream(
            testDescription: "a compressed message that is malformed",
            bytes: frame(0x1, hello, rsv: 4) + frame(0x1, Array(hello.prefix(4)) + [0xFF, 0xFF, 0xFF, 0xFF], rsv: 4),
            isCompressed: true
        ),
        Stream(
            testDescription: "a compressed message that is incomplete",
            bytes: frame(0x1, Array(hello.dropLast(2)), rsv: 4) + text("x"),
            isCompressed: true
        ),
        Stream(
            testDescription: "a compressed message beyond the limit",
            bytes: frame(0x2, hello, rsv: 4),
            isCompressed: true,
            limit: 4
        ),
        Stream(
            testDescription: "an invalid text, compressed and beyond the limit",
            // A block that is not compressed.
            bytes: frame(0x1, [0x00, 0x04, 0x00, 0xFB, 0xFF, 0x61, 0xFF, 0x61, 0x61, 0x00], rsv: 4),
            isCompressed: true,
            limit: 3
        ),
        Stream(
            testDescription: "a message beyond the limit",
            bytes: text("abcd", isFinal: false) + more([1]),
            limit: 4
        ),
    ]

    @Test(arguments: streams)
    func byteByByteIsTheSameAsAtOnce(stream: Stream) {
        let whole = FrameTrace(stream.bytes, limit: stream.limit, inflater: stream.inflater())
        #expect(whole.endOffset != nil)
        let bytes = FrameTrace(stream.bytes.map { [$0] }, limit: stream.limit, inflater: stream.inflater())
        #expect(bytes.events == whole.events && bytes.violation == whole.violation)
    }

    @Test(arguments: streams)
    func everySplitIsTheSameAsNone(stream: Stream) {
        let whole = FrameTrace(stream.bytes, limit: stream.limit, inflater: stream.inflater())
        for first in 0...stream.bytes.count {
            for second in first...min(first + 12, stream.bytes.count) {
                let parts = [stream.bytes[..<first], stream.bytes[first..<second], stream.bytes[second...]].map(
                    Array.init
                )
                let split = FrameTrace(parts, limit: stream.limit, inflater: stream.inflater())
                #expect(split.events == whole.events && split.violation == whole.violation, "\(first), \(second)")
            }
        }
    }

    @Test func largeMessagesAreTheSameInParts() throws {
        var random = SeededRandom(seed: 45)
        let content = (0..<200_000).map { _ in UInt8(truncatingIfNeeded: random.below(20) + 0x61) }
        let deflater = try #require(MessageDeflater())
        var payload: [UInt8] = []
        try content.withUnsafeBytes { try deflater.compress($0, into: &payload) }
        let stream = frame(0x1, content) + frame(0x2, content) + frame(0x1, payload, rsv: 4) + frame(0x8)
        let whole = FrameTrace(stream, inflater: MessageInflater())
        #expect(whole.events.count == 4 && whole.violation == nil)
        for size in [1000, 4096, 65536, 70_001] {
            let parts = stride(from: 0, to: stream.count, by: size).map { start in
                Array(stream[start..<min(start + size, stream.count)])
            }
            #expect(FrameTrace(parts, inflater: MessageInflater()) == whole)
        }
    }
}
