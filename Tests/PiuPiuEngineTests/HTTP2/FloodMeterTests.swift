#if os(Linux)
import Testing

@testable import PiuPiuEngine

struct FloodMeterTests {
    private static func frame(_ type: UInt8, _ count: Int) -> [UInt8] {
        let length = [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)]
        return length + [type, 0, 0, 0, 0, 1] + [UInt8](repeating: 0xFF, count: count)
    }

    private static func take(_ bytes: [UInt8], _ meter: inout FloodMeter, pieces: Int = .max, now: Int64 = 0) {
        bytes.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: min(pieces, max(1, bytes.count))) {
                let end = min(bytes.count, start + min(pieces, bytes.count))
                meter.take(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), now: now)
            }
        }
    }

    @Test("Every type counts, however the bytes are cut", arguments: [0, 1, 6, 8, 0xB, 0xFF] as [UInt8], [1, 7, .max])
    func types(_ type: UInt8, _ pieces: Int) {
        var meter = FloodMeter()
        for number in 0..<FloodMeter.limit { Self.take(Self.frame(type, number % 40), &meter, pieces: pieces) }
        #expect(!meter.isFlooded)
        Self.take(Self.frame(type, 0), &meter, pieces: pieces)
        #expect(meter.isFlooded)
    }

    @Test func contentAndTimeBeginAnew() {
        var meter = FloodMeter()
        let flood = (0..<FloodMeter.limit).flatMap { _ in Self.frame(0xB, 3) }
        for _ in 0..<3 {
            Self.take(flood, &meter)
            #expect(!meter.isFlooded)
            meter.noteContent()
        }
        Self.take(flood, &meter)
        Self.take(flood, &meter, now: FloodMeter.time + 1)
        #expect(!meter.isFlooded)
        // Content that is on its way when its stream is given up is none.
        for _ in 0..<2000 { Self.take(Self.frame(0, 16_384), &meter, now: FloodMeter.time + 1) }
        #expect(!meter.isFlooded)
    }

    /// In small frames, too, but not more than its window.
    @Test func contentOfAStreamThatWasGivenUp() {
        var meter = FloodMeter()
        meter.noteAbandoned(window: FloodMeter.limit * 100)
        let small = (0..<FloodMeter.limit).flatMap { _ in Self.frame(0, 100) }
        Self.take(small, &meter)
        Self.take(small, &meter)
        #expect(!meter.isFlooded)
        Self.take(Self.frame(0, 1), &meter)
        #expect(meter.isFlooded)
    }
}
#endif
