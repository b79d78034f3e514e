import Testing

@testable import PiuPiuWebSocket

/// Frames of a client (RFC 6455 §5.2, §5.3).
@Suite struct FrameWriterTests {
    private func header(_ opcode: FrameOpcode, _ count: Int, isFinal: Bool = true, isCompressed: Bool = false)
        -> [UInt8]
    {
        var output: [UInt8] = [0xAA]
        FrameWriter.writeHeader(
            opcode: opcode,
            isFinal: isFinal,
            isCompressed: isCompressed,
            count: count,
            mask: 0x0102_0304,
            into: &output
        )
        #expect(output.count == 1 + FrameWriter.headerSize(payloadCount: count) && output[0] == 0xAA)
        return Array(output.dropFirst())
    }

    @Test func lengthsAreMinimal() {
        let key: [UInt8] = [1, 2, 3, 4]
        #expect(header(.text, 0) == [0x81, 0x80] + key)
        #expect(header(.binary, 125) == [0x82, 0xFD] + key)
        #expect(header(.binary, 126) == [0x82, 0xFE, 0, 126] + key)
        #expect(header(.binary, 0xFFFF) == [0x82, 0xFE, 0xFF, 0xFF] + key)
        #expect(header(.binary, 0x1_0000) == [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0] + key)
        #expect(header(.binary, .max) == [0x82, 0xFF, 0x7F] + [UInt8](repeating: 0xFF, count: 7) + key)
    }

    @Test func bitsAndOpcodesAreWritten() {
        let first = FrameOpcode.allCases.map { header($0, 0)[0] }
        #expect(first == [0x80, 0x81, 0x82, 0x88, 0x89, 0x8A])
        #expect(header(.text, 0, isFinal: false)[0] == 0x01)
        #expect(header(.text, 0, isCompressed: true)[0] == 0xC1)
        #expect(header(.binary, 0, isFinal: false, isCompressed: true)[0] == 0x42)
    }

    @Test func aHeaderNeedsItsRoom() {
        withUnsafeTemporaryAllocation(byteCount: 5, alignment: 1) { room in
            let size = FrameWriter.writeHeader(
                opcode: .text,
                isFinal: true,
                isCompressed: false,
                count: 0,
                mask: 0,
                into: room
            )
            #expect(size == 0)
        }
    }

    /// The example of RFC 6455 §5.7.
    @Test func theExampleOfTheStandardIsWritten() {
        var output: [UInt8] = []
        Array("Hello".utf8).withUnsafeBytes {
            FrameWriter.appendFrame($0, opcode: .text, key: 0x37FA_213D, to: &output)
        }
        #expect(output == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    }

    @Test func maskingIsThatOfTheStandardAtEveryOffsetAndLength() {
        let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        let source = (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        for count in Array(0...140) + [200, 255, 256, 257] {
            for offset in 0..<9 {
                for start in 0..<9 {
                    let expected = (0..<count).map { source[start + $0] ^ key[(offset + $0) % 4] }
                    var target = [UInt8](repeating: 0xAA, count: count + 8 + start)
                    var place = source
                    source.withUnsafeBytes { bytes in
                        let part = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
                        target.withUnsafeMutableBytes { room in
                            let room = UnsafeMutableRawBufferPointer(rebasing: room[start...])
                            FrameWriter.mask(part, into: room, key: 0x37FA_213D, offset: offset)
                        }
                    }
                    place.withUnsafeMutableBytes { bytes in
                        let part = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + count])
                        FrameWriter.mask(UnsafeRawBufferPointer(part), into: part, key: 0x37FA_213D, offset: offset)
                    }
                    let rest = [UInt8](repeating: 0xAA, count: 8)
                    let isRight =
                        target[start...].elementsEqual(expected + rest)
                        && place[start..<start + count].elementsEqual(expected)
                        && place[..<start].elementsEqual(source[..<start])
                        && place[(start + count)...].elementsEqual(source[(start + count)...])
                    if !isRight { Issue.record("\(count) bytes at \(start), offset \(offset)") }
                }
            }
        }
    }

    @Test func aPayloadMayBeMaskedInParts() {
        let source = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        var whole = source
        whole.withUnsafeMutableBytes {
            FrameWriter.mask(UnsafeRawBufferPointer($0), into: $0, key: 0xDEAD_BEEF, offset: 0)
        }
        for size in [1, 3, 7, 64, 101] {
            var parts = source
            parts.withUnsafeMutableBytes { bytes in
                for start in stride(from: 0, to: bytes.count, by: size) {
                    let end = min(start + size, bytes.count)
                    let part = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end])
                    FrameWriter.mask(UnsafeRawBufferPointer(part), into: part, key: 0xDEAD_BEEF, offset: start)
                }
            }
            #expect(parts == whole)
        }
    }

    @Test func keysAreNotUsedTwice() {
        let source = MaskSource()
        let copy = source
        let keys = (0..<1000).map { $0 % 3 == 0 ? copy.next() : source.next() }
        // Random keys are equal now and then.
        #expect(Set(keys).count > 995)
        #expect(keys.reduce(0, |) == .max && keys.reduce(.max, &) == 0)
        #expect(MaskSource().next() != MaskSource().next() || MaskSource().next() != MaskSource().next())
    }
}
