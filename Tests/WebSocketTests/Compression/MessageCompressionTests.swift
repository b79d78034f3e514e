import TestSupport
import Testing

@testable import PiuPiuWebSocket

/// Compression of messages (RFC 7692 §7.2).
@Suite struct MessageCompressionTests {
    private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]

    private func compress(_ bytes: [UInt8], with deflater: MessageDeflater) throws -> [UInt8] {
        var output: [UInt8] = [1, 2, 3]
        try bytes.withUnsafeBytes { try deflater.compress($0, into: &output) }
        #expect(output.prefix(3) == [1, 2, 3])
        return Array(output.dropFirst(3))
    }

    /// Texts that are like each other, as messages of a connection are.
    private func messages() -> [[UInt8]] {
        var random = SeededRandom(seed: 7692)
        return [0, 1, 5, 100, 511, 512, 513, 4000, 33_000, 70_000, 3, 0, 0, 250_000].map { size in
            (0..<size).map { $0 % 97 < 60 ? UInt8($0 % 60) : UInt8(random.below(256)) }
        }
    }

    // MARK: The examples of §7.2.3

    @Test func theExamplesOfTheStandardAreRead() {
        func texts(_ payloads: [UInt8]..., keepsContext: Bool = true) -> [String] {
            let bytes = payloads.flatMap { frame(0x1, $0, rsv: 4) }
            return FrameTrace(bytes, inflater: MessageInflater(keepsContext: keepsContext)).texts
        }
        // §7.2.3.1
        #expect(texts(Self.hello) == ["Hello"])
        let fragments: [UInt8] = [0x41, 0x03, 0xF2, 0x48, 0xCD, 0x80, 0x04, 0xC9, 0xC9, 0x07, 0x00]
        #expect(FrameTrace(fragments, inflater: MessageInflater()).texts == ["Hello"])
        // §7.2.3.2
        #expect(texts(Self.hello, Self.hello) == ["Hello", "Hello"])
        #expect(texts(Self.hello, [0xF2, 0x00, 0x11, 0x00, 0x00]) == ["Hello", "Hello"])
        // §7.2.3.3
        #expect(texts([0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]) == ["Hello"])
        // §7.2.3.4
        #expect(texts([0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]) == ["Hello"])
        // §7.2.3.5
        #expect(
            texts([0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]) == ["Hello"]
        )
        // §7.2.3.6
        #expect(texts([0x00], Self.hello, [0x00]) == ["", "Hello", ""])
    }

    @Test func theExamplesOfTheStandardAreWritten() throws {
        let hello = Array("Hello".utf8)
        let deflater = try #require(MessageDeflater())
        #expect(try compress(hello, with: deflater) == Self.hello)
        #expect(try compress(hello, with: deflater) == [0xF2, 0x00, 0x11, 0x00, 0x00])
        #expect(try compress([], with: deflater) == [0x00])
        let single = try #require(MessageDeflater(keepsContext: false))
        for _ in 0..<3 { #expect(try compress(hello, with: single) == Self.hello) }
    }

    // MARK: Both ways

    @Test(arguments: 9...15, [true, false])
    func everyWindowWorks(windowBits: Int, keepsContext: Bool) throws {
        let messages = messages()
        for (level, memoryLevel) in [(1, 1), (6, 8), (9, 9)] {
            let deflater = try #require(
                MessageDeflater(
                    windowBits: windowBits,
                    keepsContext: keepsContext,
                    level: level,
                    memoryLevel: memoryLevel
                )
            )
            let stream = try messages.flatMap { frame(0x2, try compress($0, with: deflater), rsv: 4) }
            func inflater() -> MessageInflater { MessageInflater(windowBits: windowBits, keepsContext: keepsContext) }
            #expect(FrameTrace(stream, inflater: inflater()).contents == messages)
            let parts = stride(from: 0, to: stream.count, by: 1009).map {
                Array(stream[$0..<min($0 + 1009, stream.count)])
            }
            #expect(FrameTrace(parts, inflater: inflater()).contents == messages)
        }
    }

    @Test func aWindowIsKeptOnlyIfAgreed() {
        let reference = frame(0x1, Self.hello, rsv: 4) + frame(0x1, [0xF2, 0x00, 0x11, 0x00, 0x00], rsv: 4)
        #expect(FrameTrace(reference, inflater: MessageInflater()).texts.count == 2)
        let single = FrameTrace(reference, inflater: MessageInflater(keepsContext: false))
        #expect(single.texts == ["Hello"] && single.violation == .malformedCompression)
    }

    @Test func aLargerWindowThanAgreedIsRefused() throws {
        var random = SeededRandom(seed: 9)
        let part = (0..<600).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let deflater = try #require(MessageDeflater(windowBits: 15))
        let stream = try [part, part].flatMap { frame(0x2, try compress($0, with: deflater), rsv: 4) }
        #expect(FrameTrace(stream, inflater: MessageInflater(windowBits: 15)).contents == [part, part])
        let refused = FrameTrace(stream, inflater: MessageInflater(windowBits: 9))
        #expect(refused.contents == [part] && refused.violation == .malformedCompression)
    }

    @Test func aWindowOf256BytesIsNotWritten() throws {
        #expect(MessageDeflater(windowBits: 8) == nil)
        #expect(MessageDeflater(windowBits: 16) == nil)
        #expect(PerMessageDeflate(clientMaxWindowBits: 8).makeDeflater() == nil)
        // But it is read, also from a server with an older zlib, whose window is then of 512 bytes.
        let deflater = try #require(MessageDeflater(windowBits: 9))
        let stream = try messages().flatMap { frame(0x2, try compress($0, with: deflater), rsv: 4) }
        #expect(FrameTrace(stream, inflater: MessageInflater(windowBits: 8)).contents == messages())
    }

    // MARK: Final blocks

    @Test func aMessageGoesOnAfterAFinalBlock() {
        let final: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        let reference: [UInt8] = [0xF2, 0x00, 0x11, 0x00, 0x00]
        let payloads: [(payload: [UInt8], text: String)] = [
            (final + [0x00], "Hello"), (final + Self.hello, "HelloHello"), (final + final + [0x00], "HelloHello"),
            // The window outlives the block.
            (reference, "Hello"), (final + reference, "HelloHello"), (final + [0x00], "Hello"), (reference, "Hello"),
            // Without the start of an empty block.
            (final, "Hello"), (reference, "Hello"), (final + final, "HelloHello"), (Self.hello, "Hello"),
            // The empty block itself is final.
            ([0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x01], "Hello"), (Self.hello, "Hello"),
            (final + [0x01], "Hello"), (reference, "Hello"),
        ]
        let stream = payloads.flatMap { frame(0x1, $0.payload, rsv: 4) }
        #expect(FrameTrace(stream, inflater: MessageInflater()).texts == payloads.map(\.text))
        #expect(FrameTrace(stream.map { [$0] }, inflater: MessageInflater()).texts == payloads.map(\.text))

        let single = frame(0x1, final, rsv: 4) + frame(0x1, final + [0x00], rsv: 4) + frame(0x1, reference, rsv: 4)
        let trace = FrameTrace(single, inflater: MessageInflater(keepsContext: false))
        #expect(trace.texts == ["Hello", "Hello"] && trace.code == .invalidPayload)
    }

    // MARK: What is refused

    @Test(
        arguments: [
            // A block of the type that does not exist.
            [0x06], [0x07, 0x00],
            // Not the complement of the size.
            [0x00, 0x05, 0x00, 0xFA, 0xFE, 0x48],
            // A reference to something before the start.
            [0xF2, 0x00, 0x11, 0x00, 0x00],
            // Incomplete.
            [0xF2], [0xF2, 0x48], [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07], [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48],
            [0xF3, 0x48, 0xCD], [0x00, 0x00], [0x00, 0x00, 0x00],
            // With the end that should be left out.
            [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00, 0x00, 0xFF, 0xFF],
        ] as [[UInt8]]
    )
    func aMalformedMessageIsRefused(payload: [UInt8]) {
        let bytes = frame(0x2, payload, rsv: 4) + text("x")
        #expect(FrameTrace(bytes, inflater: MessageInflater()).code == .invalidPayload)
        #expect(FrameTrace(bytes.map { [$0] }, inflater: MessageInflater()).code == .invalidPayload)
    }

    @Test func aTextIsCheckedAfterDecompression() throws {
        let deflater = try #require(MessageDeflater())
        for bytes in TextTests.valid {
            let payload = try compress(bytes, with: deflater)
            let single = try #require(MessageDeflater())
            let first = try compress(bytes, with: single)
            #expect(!payload.isEmpty)
            #expect(FrameTrace(frame(0x1, first, rsv: 4), inflater: MessageInflater()).texts.count == 1)
        }
        for bytes in TextTests.invalid {
            let single = try #require(MessageDeflater())
            let payload = try compress(bytes, with: single)
            for split in 0...payload.count {
                let fragments =
                    frame(0x1, Array(payload[..<split]), isFinal: false, rsv: 4)
                    + more(Array(payload[split...]), isFinal: true)
                #expect(FrameTrace(fragments, inflater: MessageInflater()).violation == .invalidText)
            }
        }
    }

    // MARK: Sizes

    @Test func aBombIsRefusedBeforeItsMemory() throws {
        let deflater = try #require(MessageDeflater(level: 9))
        let payload = try compress([UInt8](repeating: 0, count: 32 << 20), with: deflater)
        #expect(payload.count < 40_000)
        let trace = FrameTrace(frame(0x2, payload, rsv: 4), limit: 1 << 20, inflater: MessageInflater())
        #expect(trace.violation == .messageTooBig)
        let buffer = MessageBuffer()
        let inflater = MessageInflater()
        #expect(throws: WebSocketViolation.messageTooBig) {
            try payload.withUnsafeBytes { try inflater.inflate($0, into: buffer, limit: 1 << 20) }
        }
        #expect(buffer.count == 1 << 20 + 1 && buffer.capacity <= (1 << 20) + (1 << 16))
    }

    @Test(arguments: [0, 1, 1000, 65536, 100_000])
    func theLimitIsThatOfTheContent(limit: Int) throws {
        var random = SeededRandom(seed: 3)
        for content in [
            [UInt8](repeating: 1, count: limit),
            (0..<limit).map { _ in UInt8(truncatingIfNeeded: random.next()) },
        ] {
            let payload = try compress(content, with: try #require(MessageDeflater()))
            let stream = frame(0x2, payload, rsv: 4)
            #expect(FrameTrace(stream, limit: limit, inflater: MessageInflater()).contents == [content])
            #expect(FrameTrace(stream.map { [$0] }, limit: limit, inflater: MessageInflater()).contents == [content])
            guard limit > 0 else { continue }
            #expect(FrameTrace(stream, limit: limit - 1, inflater: MessageInflater()).code == .messageTooBig)
        }
    }

    @Test func theLimitIsThatOfTheContentAtAFinalBlock() {
        let bytes = frame(0x2, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], rsv: 4)
        #expect(FrameTrace(bytes, limit: 5, inflater: MessageInflater()).contents == [Array("Hello".utf8)])
        #expect(FrameTrace(bytes, limit: 4, inflater: MessageInflater()).code == .messageTooBig)
    }

    @Test func emptyBlocksAreNotReadForever() {
        // 65 KB of input for no output at all.
        let blocks = (0..<13_000).flatMap { _ -> [UInt8] in [0x00, 0x00, 0x00, 0xFF, 0xFF] }
        let header = frame(0x2, blocks, isFinal: false, rsv: 4)
        let trace = FrameTrace(header + more(blocks), limit: 1000, inflater: MessageInflater())
        #expect(trace.violation == .messageTooBig)
        #expect(
            FrameTrace(header + more([0x00], isFinal: true), limit: 1000, inflater: MessageInflater()).contents == [[]]
        )
    }
}
