import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct ByteSearchTests {
    @Test("The pieces are those between the places, from left to right")
    func pieces() {
        func pieces(_ text: String, _ separator: String) -> [String] {
            let pieces = Data("..\(text)".utf8).dropFirst(2).pieces(between: Data(separator.utf8))
            return pieces.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(pieces("", "a") == [""])
        #expect(pieces("a", "a") == ["", ""])
        #expect(pieces("aaaa", "aa") == ["", "", ""])
        #expect(pieces("xababacy", "abac") == ["xab", "y"])
        #expect(pieces("abc", "") == ["abc"])
        #expect(pieces("ab", "abc") == ["ab"])
    }

    @Test("Every place is found that a simple search finds", arguments: 0..<20 as Range<UInt64>)
    func agreesWithASimpleSearch(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        func bytes(_ count: ClosedRange<Int>) -> Data {
            Data((0..<Int.random(in: count, using: &random)).map { _ in UInt8.random(in: 0...1, using: &random) })
        }
        for _ in 0..<rounds(200) {
            let text = bytes(0...40)
            let wanted = bytes(1...6)
            let expected = text.indices.first { text[$0...].starts(with: wanted) }
            #expect(ByteSearch(wanted).firstPlace(in: text, from: 0)?.lowerBound == expected)
        }
    }
}
