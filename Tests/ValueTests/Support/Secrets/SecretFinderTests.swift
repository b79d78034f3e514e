import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

/// One pass finds all secrets.
struct SecretFinderTests {
    private func hidden(_ text: String, _ secrets: [String]) -> String {
        var allowance = SecretFinder.allowance(for: text.utf8.count)
        return SecretFinder(secrets.map { Array($0.utf8) }).hidden(in: text, &allowance)
    }

    @Test(arguments: [
        ("", ["hunter2"], ""), ("hunter2", [], "hunter2"), ("hunter2", ["hunter2"], "<redacted>"),
        ("a hunter2, hunter22", ["hunter2"], "a <redacted>, <redacted>2"),
        ("a hunter2, hunter22", ["hunter2", "hunter22"], "a <redacted>, <redacted>"), ("hunter", ["hunter2"], "hunter"),
        ("short", ["short"], "short"),
        // Those that overlap leave nothing of each other.
        ("abcdefghijk", ["abcdefg", "defghijk"], "<redacted>"),
        ("abcdefghijkl", ["abcdefghij", "cdefghijkl", "efghij"], "<redacted>"),
        ("aaaaaaaaaa", ["aaaaaa"], "<redacted>"), ("abcdefabcdef", ["abcdef"], "<redacted><redacted>"),
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

    private func body(
        _ text: String,
        _ secrets: [String],
        isCut: Bool = false,
        _ replacement: SecretFinder.Replacement = .keepingTypes
    ) -> String {
        let finder = SecretFinder(secrets.map { Array($0.utf8) })
        return String(decoding: finder.hidden(in: Data(text.utf8), isCut: isCut, replacement), as: UTF8.self)
    }

    @Test func whatABodyCutsOffIsHidden() {
        let secrets = ["hunter2-and-more", "hunter2-or-less", "another-secret", "hunter2"]
        for (text, shown) in [
            ("a hunter2-and-mor", "a <redacted>"), ("a hunter2-", "a <redacted>"), ("a hunter2", "a <redacted>"),
            ("a hunter", "a <redacted>"), ("a hunte", "a hunte"), ("hunter2 another-", "<redacted> <redacted>"),
            ("a hunter2-x", "a <redacted>-x"), ("hunter", "<redacted>"), ("", ""), ("hunter2-or-les", "<redacted>"),
        ] {
            #expect(body(text, secrets, isCut: true) == shown, "\(text)")
        }
        #expect(body("a hunter", secrets) == "a hunter")
        // A whole one that goes on as another begins.
        #expect(body("abcdefghijk", ["abcdefgh", "fghijklmnop"], isCut: true) == "<redacted>")
    }

    @Test func itFindsEveryBeginningAtTheEnd() {
        var random = SeededRandom(seed: 2)
        func text(_ length: Int) -> String {
            String(decoding: (0..<length).map { _ in UInt8(0x61 + random.below(2)) }, as: UTF8.self)
        }
        for _ in 0..<rounds(2000) {
            let secrets = (0..<random.below(8)).map { _ in text(6 + random.below(12)) }
            let whole = text(random.below(40))
            let start = whole.indices.first { start in
                let rest = whole[start...]
                return rest.count >= 6 && secrets.contains { $0.hasPrefix(rest) && $0 != rest }
            }
            let shown = body(whole, secrets, isCut: true)
            let other = body(whole, secrets)
            #expect(start == nil ? shown == other : shown.hasSuffix("<redacted>"), "\(whole) \(secrets) \(shown)")
        }
    }

    @Test func aNumberStaysOne() {
        let secrets = ["123456789012", "1700000000.123"]
        #expect(
            body(#"{"a":123456789012,"b":"x123456789012"}"#, ["x123456789012"] + secrets)
                == #"{"a":0,"b":"<redacted>"}"#
        )
        #expect(body("[1700000000.123, -123456789012e3]", secrets) == "[0, -0e3]")
        // Another number.
        #expect(body("[1234567890123, 91700000000.123]", secrets) == "[1234567890123, 91700000000.123]")
        #expect(body("[123456789012]", secrets, .placeholder) == "[<redacted>]")
        #expect(body("(hunter2-hunter2)", ["hunter2-hunter2"], .keepingLengths) == "(***************)")
    }

    @Test func textOfTwoBytesACharacterIsHiddenAsAWhole() throws {
        let finder = SecretFinder([Array("hunter2-hunter2".utf8)])
        for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32] {
            let data = try #require("I know hunter2-hunter2.".data(using: encoding))
            #expect(finder.hidden(in: data, isCut: false, .keepingTypes) == Data("<redacted>".utf8))
            let other = try #require("I know nothing.".data(using: encoding))
            #expect(finder.hidden(in: other, isCut: true, .keepingTypes) == other)
        }
    }

    /// Which is as long as the texts and their number need, and no text is hidden for it.
    @Test func theBeginningsOfManyTokensAreNotTooMuch() throws {
        var random = SeededRandom(seed: 3)
        func token(_ length: Int) -> String {
            let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/".utf8)
            return String(decoding: (0..<length).map { _ in letters[random.below(64)] }, as: UTF8.self)
        }
        var texts = SecretTexts()
        for _ in 0..<9 { texts.add("Bearer eyJhbGciOiJIUzI1NiJ9.\(token(80))", of: "Authorization") }
        let others = (0..<1000).map { _ in "eyJhbGciOiJIUzI1NiJ9.\(token(80))" }.joined(separator: ",")
        #expect(texts.finderInBodies.hidden(in: Data(others.utf8), isCut: true, .keepingTypes) == Data(others.utf8))
        var cookies = SecretTexts()
        cookies.add((0..<150).map { "c\($0)=\(token(100))" }.joined(separator: "; "), of: "Cookie")
        let body = Data(token(32 * 1024).utf8)
        #expect(cookies.finderInBodies.hidden(in: body, isCut: true, .keepingTypes) == body)
        var guids = SecretTexts()
        guids.add("id=00000000-0000-0000-0000-000000000000", of: "Cookie")
        let ids = (0..<1000).map { _ in #"{"id":"00000000-0000-0000-0000-000000000000"}"# }.joined(separator: ",")
        let shown = guids.finderInBodies.hidden(in: Data(ids.utf8), isCut: false, .keepingTypes)
        #expect(shown.count == 1000 * #"{"id":"<redacted>"},"#.utf8.count - 1)
    }

    @Test(arguments: [
        (
            "Authorization", "Bearer abcd+efgh/ijkl==",
            [
                "abcd+efgh/ijkl==", #"abcd+efgh\/ijkl=="#, "abcd%2Befgh%2Fijkl%3D%3D", "abcd%2befgh%2fijkl%3d%3d",
                "abcd%2Befgh/ijkl%3D%3D", #"abcd\u002Befgh/ijkl\u003D\u003D"#, #"abcd\u002befgh/ijkl\u003d\u003d"#,
            ]
        ),
        (
            "Authorization", "Basic YWRhOnNlY3JldC1zZWNyZXQ=",
            ["ada:secret-secret", "secret-secret", "ada%3Asecret-secret"]
        ),
        ("Authorization", #"Token token="0123456789ab", a="b""#, ["0123456789ab"]),
        ("Cookie", "theme=midnight; id=0123456789ab", ["0123456789ab", "theme=midnight; id=0123456789ab"]),
        ("Cookie", #"s="0123456789ab""#, ["0123456789ab"]),
        ("Cookie", "connect.sid=s%3A0123456789%2Bsig", ["s:0123456789+sig", "s%3A0123456789%2Bsig"]),
        ("Set-Cookie", "id=0123456789ab; Path=/a/long/path", ["0123456789ab"]),
        ("Set-Cookie", "a=1; Path=/, id=0123456789ab; Secure, b=ba9876543210", ["0123456789ab", "ba9876543210"]),
        ("Set-Cookie", "id=0123456789ab, b=2; Path=/", ["0123456789ab"]),
        ("Authorization", "Bearer correcthorse", ["correcthorse", "Bearer correcthorse"]),
        ("X-User-Token", "0123456789ab", ["0123456789ab"]), ("X-Mine", "0123456789ab", ["0123456789ab"]),
        ("X-Api-Key", #"a"quote\backslash1"#, [#"a\"quote\\backslash1"#, #"a\u0022quote\\backslash1"#]),
        ("X-Api-Key", "correct horse battery", ["correct+horse+battery", "correct%20horse%20battery"]),
        ("X-Api-Key", "0123456789&'ab", ["0123456789&amp;&#39;ab"]),
    ])
    func spellingsInBodiesAreFound(_ name: String, _ value: String, _ spellings: [String]) {
        var texts = SecretTexts()
        texts.add(value, of: name)
        texts.add(
            "tz=America/New_York; to=https://www.example.com/2; to=https%3A%2F%2Fwww.example.com%2F2",
            of: "Cookie"
        )
        let finder = texts.finderInBodies
        for spelling in spellings {
            let shown = finder.hidden(in: Data("(\(spelling))".utf8), isCut: false, .keepingTypes)
            #expect(String(decoding: shown, as: UTF8.self) == "(<redacted>)", "\(spelling)")
        }
        // Words that could be anything stay.
        let data = Data("midnight ada Bearer /a/long/path America/New_York https://www.example.com/2 ".utf8)
        #expect(finder.hidden(in: data, isCut: true, .keepingTypes) == data)
    }

    /// What only shows who someone is, and words, which a program may need from a body.
    @Test(arguments: [
        ("X-User-Id", "550e8400-e29b-41d4-a716-446655440000"), ("X-User-Timezone", "America/New_York"),
        ("X-Username", "ada.lovelace.1815"), ("X-Amzn-Oidc-Identity", "0123456789abcdef"),
        ("X-Login-Id", "0123456789abcdef"), ("X-Session", "America/New_York"), ("X-Mine", "a short word"),
    ])
    func whatProvesNothingStaysInBodies(_ name: String, _ value: String) {
        var texts = SecretTexts()
        texts.add(value, of: name)
        let body = Data(#"{"id":"\#(value)"}"#.utf8)
        #expect(texts.finderInBodies.hidden(in: body, isCut: false, .placeholder) == body)
        // In heads, it is hidden.
        var allowance = SecretFinder.allowance(for: value.utf8.count)
        #expect(texts.finder.hidden(in: value, &allowance) == "<redacted>")
    }
}
