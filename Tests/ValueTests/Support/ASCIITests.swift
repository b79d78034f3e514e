import PiuPiuAsync
import PiuPiuEngine
import SuiteSupport
import Testing

struct ASCIITests {
    @Test(arguments: [("Set-Cookie", "set-cookie"), ("", ""), ("ETAG", "etag"), ("x-é", "X-é")])
    func equalIgnoringCase(_ pair: (String, String)) {
        #expect(pair.0.isEqualIgnoringASCIICase(to: pair.1))
    }

    // The Kelvin sign and `K` fold to the same letter in Unicode; `@` and the grave accent differ by the case bit only.
    @Test(arguments: [("K", "\u{212A}"), ("@", "`"), ("[", "{"), ("a", "ab"), ("É", "é")])
    func notEqualIgnoringCase(_ pair: (String, String)) {
        #expect(!pair.0.isEqualIgnoringASCIICase(to: pair.1))
    }

    @Test func tokenCharactersAreThoseOfRFC9110() {
        let expected = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        #expect(Set((UInt8.min...UInt8.max).filter(\.isTokenCharacter)) == expected)
    }
}
