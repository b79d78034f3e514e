import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

/// Texts in place of secrets.
struct SecretStandInsTests {
    private let standIns = SecretStandIns()

    private func text(_ secret: String) -> String {
        standIns.text(for: secret.utf8).map { String(decoding: $0, as: UTF8.self) } ?? "-"
    }

    @Test(arguments: [
        ("8f3c09d1b7a64e52", "[0-9a-f]{16}"), ("8F3C09D1", "[0-9A-F]{8}"), ("0123456789", "[0-9]{10}"),
        ("facade", "[a-z]{6}"), ("hunter2", "[0-9a-z]{7}"), ("aB3_-x", "[0-9A-Za-z]{3}_-[0-9A-Za-z]"),
        ("550e8400-e29b-41d4-a716-446655440000", "[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}"),
        ("eyJh.eyJz.c2ln==", "[0-9A-Za-z]{4}[.][0-9A-Za-z]{4}[.][0-9A-Za-z]{4}=="),
        ("Bearer abc", "[A-Za-z]{6} [A-Za-z]{3}"), ("p@ss!", "[a-z]{5}"), ("pä", "[a-z]{3}"), ("!!!!", "[a-z]{4}"),
        (#"a\/b\"c\u0026d"#, #"[a-z]\\/[a-z]{2}[a-z]{2}[a-z]"#), ("a%2Fb%26c", "[a-z]%2F[a-z]{3}"), ("----", "-"),
        ("", ""),
    ])
    func aTextHasTheSameLengthAndAlphabet(secret: String, pattern: String) throws {
        let text = text(secret)
        #expect(try Regex(pattern).wholeMatch(in: text) != nil, "\(text)")
        #expect(text == self.text(secret))
        guard secret.utf8.count > 4, text != "-" else { return }
        #expect(
            text != secret && text != self.text(secret + "0")
                && text != SecretStandIns().text(for: secret.utf8).map { String(decoding: $0, as: UTF8.self) }
        )
    }

    @Test(arguments: [
        [
            "ab/cd+ef=", #"ab\/cd+ef="#, "ab%2Fcd%2Bef%3D", "ab%2fcd%2bef%3d", "ab&#x2F;cd&#43;ef&#x3D;",
            #"ab\u002Fcd\u002bef\u003d"#,
        ],
        [#"a"b"#, #"a\"b"#, "a%22b", "a&quot;b"],
    ])
    func eachSpellingHasTheSameLetters(spellings: [String]) {
        let letters = spellings.map { spelling in
            // Without the punctuation, as it is or escaped.
            text(spelling).replacing(/%..|\\u....|&#?x?[0-9A-Za-z]+;|[^A-Za-z]/, with: "")
        }
        #expect(Set(letters).count == 1, "\(letters)")
    }

    @Test(arguments: [
        ("3600", "[12][0-9]{3}"), ("12", "0|1[0-9]"), ("-42", "-[123][0-9]"), ("7", "0"), ("1.5", "0"), ("1e9", "0"),
        ("0", "0"), ("9223372036854775807", "[1-8][0-9]{18}"), ("18446744073709551615", "0"), ("-", "0"), ("007", "0"),
    ])
    func aNumberStaysOne(secret: String, pattern: String) throws {
        let text = String(decoding: standIns.number(for: secret.utf8), as: UTF8.self)
        #expect(try Regex(pattern).wholeMatch(in: text) != nil, "\(text)")
    }

    /// The text of one secret may be another secret.
    @Test(arguments: ["abc", "hunter2", "3600", "123"]) func aShortTextThatWasMadeIsASecret(secret: String) {
        let made = text(secret)
        #expect(text(made) != made)
        let number = String(decoding: standIns.number(for: "3600".utf8), as: UTF8.self)
        #expect(standIns.number(for: number.utf8) != Array(number.utf8))
        // In what is redacted already, it is known.
        let others = standIns.knowing([made, number])
        #expect(others.text(for: made.utf8) == Array(made.utf8))
        #expect(others.number(for: number.utf8) == Array(number.utf8))
        let long = text("hunter2-hunter2")
        #expect(text(long) == long)
    }

    @Test func aNumberIsNeverItsOwn() {
        for _ in 0..<200 {
            let standIns = SecretStandIns()
            for secret in ["11", "12", "-19", "100"] {
                #expect(standIns.number(for: secret.utf8) != Array(secret.utf8))
            }
        }
    }

    @Test func nothingShowsTheSalt() {
        #expect("\(standIns)" == "SecretStandIns()" && Mirror(reflecting: standIns).children.isEmpty)
    }
}
