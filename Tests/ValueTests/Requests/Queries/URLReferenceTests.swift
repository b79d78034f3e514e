import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

/// References as servers write them, by RFC 3986.
struct URLReferenceTests {
    private static func resolve(_ reference: String, _ base: String = "http://a/b/c/d;p?q") -> String? {
        URLReference.resolve(reference.utf8, against: Fixture.url(base))?.absoluteString
    }

    /// The examples of §5.4.1 and §5.4.2, except the empty reference, of which Foundation makes no difference to the base.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
        ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ])
    func theExamplesOfTheStandardAreResolved(_ pair: (String, String)) {
        #expect(Self.resolve(pair.0) == pair.1)
    }

    @Test(arguments: [
        ("g", "http://a", "http://a/g"), ("?x", "http://a", "http://a?x"),
        ("#x", "http://u:p@a:1?q#f", "http://u:p@a:1?q#x"), ("g", "http://u@a/x/../y", "http://u@a/g"),
        ("", "http://a/b#f", "http://a/b"), ("..//x", "http://a/b//c", "http://a/b//x"),
        ("/.//x", "foo:/a", "foo:/.//x"), ("a/../b", "foo:x/y", "foo:x/a/../b"),
    ])
    func basesMayLackAnything(_ row: (String, String, String)) {
        #expect(Self.resolve(row.0, row.1) == row.2)
    }

    @Test func withoutABaseAReferenceStaysRelative() {
        #expect(URL(reference: "../a/./b?%26|")?.absoluteString == "../a/./b?%26%7C")
        #expect(URL(reference: "http://h/a/../b")?.absoluteString == "http://h/a/../b")
        #expect(URL(reference: "") == nil)
        #expect(URL(reference: "", relativeTo: Fixture.url("http://h/a#b"))?.absoluteString == "http://h/a")
        let base = URL(string: "b/c", relativeTo: Fixture.url("http://h/a/"))
        #expect(URL(reference: "d?[]=%5B", relativeTo: base)?.absoluteString == "http://h/a/b/d?%5B%5D=%5B")
    }

    @Test(arguments: [
        (" http://h/a\n", "http://h/a"), ("\r\n\t a b?c \u{0}\u{1F}", "http://b/a%20b?c"),
        ("\u{A0}a", "http://b/%C2%A0a"), (" ", "http://b/"),
    ])
    func spacesAndControlCharactersAtTheEndsAreLeftOut(_ pair: (String, String)) {
        #expect(URL(reference: pair.0, relativeTo: Fixture.url("http://b/"))?.absoluteString == pair.1)
        #expect(URL(reference: " \n") == nil)
    }

    @Test(arguments: [
        "//h:x", "//h:1:2", "//[::1", "//[::1]x", "//a b", "//a\\b", "//a%zz", "//é\u{FF0F}b", "//é\u{FF1A}1",
    ])
    func whatCannotBeAHostIsRefused(_ reference: String) {
        #expect(Self.resolve(reference) == nil)
    }

    /// Whatever the bytes are, the text is a URI, no escape is added to or lost, and no parser sees a reason to change it.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func textsAreNotChangedAgain(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let pieces: [[UInt8]] =
            [
                "http", "foo", ":", "/", "//", "?", "#", "%", "%2F", "%e9", "%zz", "[", "]", "@", "..", ".", "|", " ",
                "\t", "\\", "é", "a", "A:80", "&x=", "+", ";", "\"", "{", "^", "`", "<", "\0", "\u{FF0E}", "~!$'()*,",
            ].map { Array($0.utf8) } + [[0xE9], [0xFF], [0x80]]
        let base = Fixture.url("https://u:p@h.example:8443/a/b?c#d")
        for _ in 0..<rounds(4_000) {
            let bytes = (0..<random.below(9)).flatMap { _ in random.element(of: pieces) }
            guard let reference = URLReference(bytes) else { continue }
            let text = reference.text
            #expect(text.utf8.allSatisfy { $0.isQueryCharacter || "%#[]".utf8.contains($0) }, "\(text)")
            #expect(URLReference(text.utf8)?.text == text, "\(bytes)")
            guard let resolved = URLReference(base.absoluteString.utf8).map(reference.resolved(against:)) else {
                continue
            }
            guard let url = resolved.url else { continue }
            #expect(url.absoluteString == resolved.text, "\(bytes)")
            #expect(URL(string: url.absoluteString)?.absoluteString == resolved.text)
            // Outside of hosts, what the escapes mean is what was written.
            guard reference.hostAndPort == nil, reference.scheme == nil, !bytes.contains(UInt8(ascii: "#")) else {
                continue
            }
            #expect(PercentEncoding.decoded(Array(text.utf8)) == PercentEncoding.decoded(bytes), "\(bytes)")
        }
    }

    @Test(arguments: ["/a", "/..", "/.", "//", "%", "|", "?", "é", "[", "@", ":"])
    func timeIsLinear(_ piece: String) throws {
        try Growth.check(20_000) { count in
            let text = "/" + String(repeating: piece, count: count)
            _ = URLReference.resolve(text.utf8, against: Fixture.url)
        }
    }
}
