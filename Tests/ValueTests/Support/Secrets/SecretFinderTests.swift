import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

/// One pass finds all secrets.
struct SecretFinderTests {
    private func hidden(_ text: String, _ secrets: [String]) -> String {
        var allowance = SecretFinder.allowance(for: text.utf8.count)
        return SecretFinder(secrets.map { Array($0.utf8) }).hidden(in: text, &allowance)
    }

    @Test(arguments: [
        ("", ["hunter2"], ""),
        ("hunter2", [], "hunter2"),
        ("hunter2", ["hunter2"], "<redacted>"),
        ("a hunter2, hunter22", ["hunter2"], "a <redacted>, <redacted>2"),
        ("a hunter2, hunter22", ["hunter2", "hunter22"], "a <redacted>, <redacted>"),
        ("hunter", ["hunter2"], "hunter"),
        ("short", ["short"], "short"),
        // Those that overlap leave nothing of each other.
        ("abcdefghijk", ["abcdefg", "defghijk"], "<redacted>"),
        ("abcdefghijkl", ["abcdefghij", "cdefghijkl", "efghij"], "<redacted>"),
        ("aaaaaaaaaa", ["aaaaaa"], "<redacted>"),
        ("abcdefabcdef", ["abcdef"], "<redacted><redacted>"),
        // The longest one that is there, of some that begin with each other.
        (
            "prefix1 prefix12 prefix123 prefix1x", ["prefix1", "prefix123"],
            "<redacted> <redacted>2 <redacted> <redacted>x"
        ),
        ("token-b", ["token-a", "token-c"], "token-b"),
        ("\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", ["\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"], "<redacted>"),
        ("hunter2\u{301}", ["hunter2"], "<redacted>\u{301}"),
    ])
    func secretsAreHidden(text: String, secrets: [String], shown: String) {
        #expect(hidden(text, secrets) == shown)
    }

    @Test func itFindsWhatASearchForEachFinds() {
        var random = SeededRandom(seed: 1)
        func text(_ length: Int) -> String {
            String(decoding: (0..<length).map { _ in UInt8(0x61 + random.below(3)) }, as: UTF8.self)
        }
        for _ in 0..<rounds(2000) {
            let secrets = (0..<random.below(20)).map { _ in text(6 + random.below(6)) }
            let whole = text(random.below(200))
            let bytes = Array(whole.utf8)
            var isSecret = [Bool](repeating: false, count: bytes.count)
            for secret in secrets.map({ Array($0.utf8) }) where secret.count <= bytes.count {
                for start in 0...(bytes.count - secret.count) where bytes[start...].starts(with: secret) {
                    for index in start..<(start + secret.count) { isSecret[index] = true }
                }
            }
            let kept = zip(bytes, isSecret).filter { !$1 }.map(\.0)
            let shown = hidden(whole, secrets).replacingOccurrences(of: "<redacted>", with: "")
            #expect(Array(shown.utf8) == kept, "\(whole) \(secrets)")
        }
    }

    /// However many secrets there are, and however often the text repeats them.
    @Test(arguments: [1, 100, 10_000]) func theNumberOfStepsIsBounded(count: Int) {
        let size = 256 * 1024
        let long = String(repeating: "a", count: 8000)
        let families: [([String], String)] = [
            ((0..<count).map { "secret\($0)" }, "secret"),
            ((0..<min(count, 100)).map { String(repeating: "a", count: 6 + $0) + "b" }, "a"),
            ([long + "b", String(long.dropLast()) + "c"], "a"),
            ((0..<count).map { "eyJhbGciOiJIUzI1NiJ9.\($0)" }, "eyJhbGciOiJIUzI1NiJ9."),
        ]
        for (secrets, piece) in families {
            let text = String(String(repeating: piece, count: size / piece.utf8.count + 1).prefix(size))
            var allowance = SecretFinder.allowance(for: size)
            let shown = SecretFinder(secrets.map { Array($0.utf8) }).hidden(in: text, &allowance)
            #expect(allowance.steps < 4 * size, "\(count) of \(piece)")
            // What took too long to search is not shown.
            #expect(allowance.rest > 0 || shown == "<redacted>")
        }
    }

    /// What was sent a hundred times can be answered a hundred times.
    @Test func anEchoOfEverythingIsNotTooMuch() {
        let secrets = (0..<300).map { "eyJhbGciOiJIUzI1NiJ9.\($0).\(String(repeating: "x", count: 100))" }
        let text = secrets.map { "you sent \($0)" }.joined(separator: ", ")
        let expected = secrets.map { _ in "you sent <redacted>" }.joined(separator: ", ")
        #expect(hidden(text, secrets) == expected)
    }
}
