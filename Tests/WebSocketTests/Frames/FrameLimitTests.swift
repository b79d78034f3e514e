import Testing

@testable import PiuPiuWebSocket

/// What a server can make a client hold (RFC 6455 §10.4).
@Suite struct FrameLimitTests {
    @Test(arguments: [0, 1, 125, 126, 1000, 65536, 100_000])
    func aMessageOfTheLimitIsReadAndALargerOneIsNot(limit: Int) {
        let allowed = [UInt8](repeating: 0x61, count: limit)
        #expect(FrameTrace(frame(0x2, allowed), limit: limit).contents == [allowed])
        #expect(FrameTrace(frame(0x2, allowed + [0x61]), limit: limit).code == .messageTooBig)
        #expect(FrameTrace(frame(0x1, allowed + [0x61]), limit: limit).code == .messageTooBig)
        let fragments = frame(0x1, Array(allowed.dropLast()), isFinal: false)
        #expect(FrameTrace(fragments + more(allowed.suffix(1), isFinal: true), limit: limit).texts.count == 1)
        let longer = fragments + more(allowed.suffix(1)) + more([]) + more([0x61], isFinal: true)
        #expect(FrameTrace(longer, limit: limit).code == .messageTooBig)
        // The limit is that of a message, not of all.
        #expect(FrameTrace(frame(0x2, allowed) + frame(0x2, allowed), limit: limit).contents.count == 2)
    }

    @Test func aLargerMessageIsRefusedAtItsHeader() {
        let header: [UInt8] = [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 1]
        #expect(FrameTrace(header, limit: 65536).code == .messageTooBig)
        #expect(FrameTrace(header, limit: 65537).violation == nil)
        #expect(FrameTrace(text("a", isFinal: false) + [0x80, 126, 1, 0], limit: 256).code == .messageTooBig)
        #expect(FrameTrace([0x82, 127, 0x7F] + .init(repeating: 0xFF, count: 7), limit: .max).violation == nil)
        let rest: [UInt8] = [0x80, 127, 0x7F] + .init(repeating: 0xFF, count: 7)
        #expect(FrameTrace(text("a", isFinal: false) + rest, limit: .max).code == .messageTooBig)
        #expect(FrameTrace(text("a"), limit: -1).code == .messageTooBig)
    }

    @Test func theMemoryGrowsWithWhatArrives() throws {
        let buffer = MessageBuffer()
        let part = [UInt8](repeating: 1, count: 1000)
        try append(part.prefix(1), to: buffer, announced: 1 << 40)
        #expect(buffer.count == 1 && buffer.capacity <= 1 << 16)
        for _ in 0..<500 {
            try append(part[...], to: buffer, announced: 1 << 40)
            #expect(buffer.capacity <= max(1 << 16, 2 * buffer.count))
        }
        #expect(buffer.bytes.count == 500_001 && buffer.bytes.allSatisfy { $0 == 1 })
        #expect(buffer.takeData().count == 500_001 && buffer.count == 0 && buffer.capacity == 0)
        // A short message takes only its own size.
        try append(part.prefix(10), to: buffer, announced: 20)
        #expect(buffer.capacity == 20)
        buffer.removeAll()
        #expect(buffer.takeData().isEmpty && buffer.bytes.isEmpty)
    }

    private func append(_ bytes: ArraySlice<UInt8>, to buffer: MessageBuffer, announced: Int) throws {
        try Array(bytes).withUnsafeBytes { try buffer.append($0, announced: announced) }
    }

    @Test func theReaderHoldsOnlyTheMessageInProgress() {
        let large = [UInt8](repeating: 0x61, count: 50_000)
        let parts = (frame(0x1, large, isFinal: false) + more(large, isFinal: true)).map { [$0] }
        let trace = FrameTrace(parts, limit: 100_000)
        #expect(trace.texts.map(\.utf8.count) == [100_000] && trace.peak <= 100_000)
    }

    @Test func aFloodOfEmptyFragmentsIsRefused() {
        let most = FrameReader.maximumEmptyFragments
        func fragments(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in more([]) } }
        let allowed = text("a", isFinal: false) + fragments(most) + more([0x62]) + fragments(most - 1)
        #expect(FrameTrace(allowed + more([], isFinal: true)).texts == ["ab"])
        #expect(FrameTrace(allowed + more([]) + more([], isFinal: true)).code == .policyViolation)
        // Pings between them make no difference, and neither does compression.
        let pings = (0...most).flatMap { _ in more([]) + frame(0x9) }
        #expect(FrameTrace(text("a", isFinal: false) + pings).code == .policyViolation)
        let compressed = frame(0x1, [], isFinal: false, rsv: 4) + fragments(most)
        #expect(FrameTrace(compressed, inflater: MessageInflater()).code == .policyViolation)
    }
}
