import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

struct LineDecoderTests {
    /// All lines of some chunks.
    private static func lines(_ chunks: [Data], limit: Int = 1024) throws -> [String] {
        var decoder = LineDecoder(limit: limit)
        var lines: [String] = []
        for chunk in chunks {
            decoder.append(chunk)
            while let line = try decoder.next() { lines.append(line) }
        }
        if let line = try decoder.finish() { lines.append(line) }
        #expect(try decoder.next() == nil)
        #expect(try decoder.finish() == nil)
        return lines
    }

    private static func lines(_ chunks: String..., limit: Int = 1024) throws -> [String] {
        try lines(chunks.map { Data($0.utf8) }, limit: limit)
    }

    /// The rules once more, in the simplest way.
    private static func expectedLines(_ data: Data) -> [String] {
        var pieces = data.split(separator: 0x0A, omittingEmptySubsequences: false)
        let last = pieces.popLast() ?? Data()
        let lines = pieces.map { $0.last == 0x0D ? $0.dropLast() : $0 }
        return (lines + (last.isEmpty ? [] : [last])).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func lineFeedEndsALine() throws {
        #expect(try Self.lines("a\nb\n") == ["a", "b"])
        #expect(try Self.lines("a\n\n\nb\n") == ["a", "", "", "b"])
        #expect(try Self.lines("\n") == [""])
    }

    @Test func carriageReturnAndLineFeedEndALine() throws {
        #expect(try Self.lines("a\r\nb\r\n\r\n") == ["a", "b", ""])
        #expect(try Self.lines("a\r", "\nb\r", "\n") == ["a", "b"])
        #expect(try Self.lines("\r", "\n", "\r\n") == ["", ""])
    }

    @Test func loneCarriageReturnBelongsToTheLine() throws {
        #expect(try Self.lines("a\rb\r\r\nc\r") == ["a\rb\r", "c\r"])
        #expect(try Self.lines("a\r", "b\n") == ["a\rb"])
    }

    @Test func lastLineNeedsNoEnd() throws {
        #expect(try Self.lines("a\nb") == ["a", "b"])
        #expect(try Self.lines("a\n", "b", "c") == ["a", "bc"])
        #expect(try Self.lines() == [])
        #expect(try Self.lines("", "") == [])
    }

    @Test func charactersMayBeCutApart() throws {
        let text = "é€😀\n漢字"
        #expect(try Self.lines(text.utf8.map { Data([$0]) }) == ["é€😀", "漢字"])
    }

    @Test func invalidBytesAreReplaced() throws {
        #expect(
            try Self.lines([Data([0x61, 0xFF, 0x0A, 0xC3]), Data([0x0A, 0xE2, 0x82])]) == [
                "a\u{FFFD}", "\u{FFFD}", "\u{FFFD}",
            ]
        )
        #expect(try Self.lines("\u{FEFF}a\0b\n") == ["\u{FEFF}a\0b"])
    }

    @Test(arguments: ["12345\n", "12345\r\n", "12345", "1234\r\n", "1\n12345\n1"])
    func linesMayBeAsLongAsTheLimit(_ text: String) throws {
        let expected = Self.expectedLines(Data(text.utf8))
        #expect(try Self.lines(text, limit: 5) == expected)
        #expect(try Self.lines(text.utf8.map { Data([$0]) }, limit: 5) == expected)
    }

    @Test(arguments: ["123456\n", "123456\r\n", "123456", "12345\r", "12345\r\r\n", "12345\r1\n", "1\n123456"])
    func longerLinesAreRefused(_ text: String) {
        #expect(throws: TransferError.self) { try Self.lines(text, limit: 5) }
        let error = #expect(throws: TransferError.self) { try Self.lines(text.utf8.map { Data([$0]) }, limit: 5) }
        #expect(error?.code == .lineTooLong)
    }

    @Test func longLinesAreRefusedBeforeTheyEnd() throws {
        var decoder = LineDecoder(limit: 5)
        decoder.append(Data("1234".utf8))
        #expect(try decoder.next() == nil)
        decoder.append(Data("5\r".utf8))
        #expect(try decoder.next() == nil)
        decoder.append(Data("6".utf8))
        #expect(throws: TransferError.self) { try decoder.next() }
    }

    @Test(arguments: [0, -1, .min])
    func withoutRoomOnlyEmptyLinesPass(_ limit: Int) throws {
        #expect(try Self.lines("\n\r\n", limit: limit) == ["", ""])
        #expect(throws: TransferError.self) { try Self.lines("a", limit: limit) }
    }

    @Test func anEmptyChunkChangesNothing() throws {
        #expect(try Self.lines("12345\r", "", "\n", limit: 5) == ["12345"])
        #expect(throws: TransferError.self) { try Self.lines("123456", "", "\n", limit: 5) }
    }

    @Test func withoutALimitNothingOverflows() throws {
        #expect(try Self.lines("a\r", "\nb", limit: .max) == ["a", "b"])
    }

    @Test func chunksMayArriveBeforeLinesAreTaken() throws {
        var decoder = LineDecoder(limit: 10)
        for chunk in ["a\nb", "c\n", "", "d"] { decoder.append(Data(chunk.utf8)) }
        #expect(try decoder.next() == "a")
        decoder.append(Data("e\n".utf8))
        #expect(try decoder.next() == "bc")
        #expect(try decoder.next() == "de")
        #expect(try decoder.next() == nil)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func anyCutGivesTheSameLines(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let words = ["\n", "\r\n", "\r", "a", "word", "é", "€", "😀", "\0", "\u{FEFF}"]
        for _ in 0..<20 {
            let data = Data.random(of: words, count: .random(in: 0..<80, using: &random), &random)
            let expected = Self.expectedLines(data)
            #expect(try Self.lines([data]) == expected)
            #expect(try Self.lines(data.pieces(&random)) == expected)
        }
    }

    @Test func longLineInManyChunksTakesTimeInProportion() throws {
        let chunk = Data("abcdefgh".utf8)
        let lines = try Self.lines(Array(repeating: chunk, count: 100_000) + [Data("\n".utf8)], limit: 1_000_000)
        #expect(lines.map(\.utf8.count) == [800_000])
    }
}
