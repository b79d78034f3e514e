import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

struct QueryItemsTests {
    private enum Order: String, QueryValue { case newest }
    private enum Level: Int, QueryValue, CustomStringConvertible {
        case high = 3
        var description: String { "high" }
    }

    private struct Point: QueryValue, CustomStringConvertible {
        var description: String { "1,2" }
    }

    @Test(
        arguments: [
            ([:], ""), (["tag": ["a", "b"], "page": 2, "empty": nil], "tag=a&tag=b&page=2"),
            (["a": 1, "a": 2], "a=1&a=2"),
            (["a": true, "b": false, "c": 2.5, "d": -1, "e": 1e20], "a=true&b=false&c=2.5&d=-1&e=1e%2B20"),
            (["a": "", "": "b", " ": "c d"], "a=&=b&%20=c%20d"),
            (["a": [] as [String], "b": [[1, 2], [3]]], "b=1&b=2&b=3"),
            (
                ["a": "1+1&b=2#c%20?/:@!$'()*,;\"<>[]\\^`{|}~-._"],
                "a=1%2B1%26b%3D2%23c%2520%3F%2F%3A%40%21%24%27%28%29%2A%2C%3B%22%3C%3E%5B%5D%5C%5E%60%7B%7C%7D~-._"
            ),
            (["ä": "é🎉\u{0}\r\n\u{7F}"], "%C3%A4=%C3%A9%F0%9F%8E%89%00%0D%0A%7F"),
            (["o": Order.newest, "l": Level.high, "p": Point()], "o=newest&l=3&p=1%2C2"),
            (
                ["d": Date(timeIntervalSince1970: 0), "u": Fixture.url],
                "d=1970-01-01T00%3A00%3A00Z&u=https%3A%2F%2Fexample.com%2Fposts%2F1"
            ),
            (["d": Date(timeIntervalSince1970: 1e15)], "d=1000000000000000.0"),
            (["n": Double.nan, "i": -Double.infinity], "n=nan&i=-inf"),
        ] as [(QueryItems, String)]
    )
    func itemsAreEncoded(items: QueryItems, expected: String) {
        #expect(items.percentEncoded == expected)
        #expect(items.isEmpty == expected.isEmpty)
    }

    @Test func valuesMayBeVariables() {
        let page = 2
        let text: String? = nil
        let order: Order? = .newest
        let tags = ["a", "b"]
        let part = "abc".prefix(2)
        let id = UUID()
        let items: QueryItems = ["page": page, "text": text, "order": order, "tags": tags, "part": part, "id": id]
        #expect(items.percentEncoded == "page=2&order=newest&tags=a&tags=b&part=ab&id=\(id.uuidString)")
    }

    @Test func itemsComeFromCollections() {
        #expect(QueryItems(["b": 1, "a": 2]).percentEncoded == "a=2&b=1")
        #expect(QueryItems([("b", 1), ("a", nil), ("b", "2")]).percentEncoded == "b=1&b=2")
        let foundation = [URLQueryItem(name: "a", value: "+"), URLQueryItem(name: "b", value: nil)]
        #expect(QueryItems(foundation).percentEncoded == "a=%2B&b")
        #expect(QueryItems(foundation).formEncoded == "a=%2B&b=")
        #expect(QueryItems(foundation).values(for: "b") == [""])
    }

    @Test(arguments: [
        ("https://h/p", "https://h/p?a=1"), ("https://h", "https://h?a=1"), ("https://h/p?", "https://h/p?a=1"),
        ("https://h/p?x=%2B%20+&", "https://h/p?x=%2B%20+&a=1"),
        ("https://h/p?x=%41%2f;/", "https://h/p?x=%41%2f;/&a=1"), ("https://h/p?x[]=1", "https://h/p?x%5B%5D=1&a=1"),
        ("https://h/p?x=/?", "https://h/p?x=/?&a=1"), ("https://h/p??", "https://h/p??&a=1"),
        ("https://h/p#f?g", "https://h/p?a=1#f?g"), ("https://h/p?#", "https://h/p?a=1#"),
        ("https://h/p?x#%23", "https://h/p?x&a=1#%23"),
        ("https://user:p%40w@h:8080/ü", "https://user:p%40w@h:8080/%C3%BC?a=1"),
        ("https://[::1]:1/", "https://[::1]:1/?a=1"), ("mailto:ada@example.com", "mailto:ada@example.com?a=1"),
    ])
    func queryIsAppendedAndTheRestIsKept(text: String, expected: String) throws {
        let url = try #require(URL(string: text))
        #expect(url.appending(query: ["a": 1]).absoluteString == expected)
        #expect(url.appending(query: [:]) == url)
        #expect(url.appending(query: ["a": nil]) == url)
    }

    @Test func longQueriesAreNotLost() throws {
        let text = String(repeating: "ab+", count: 400_000)
        let url = Fixture.url.appending(query: ["a": text])
        #expect(url.query(percentEncoded: true)?.utf8.count == 2_000_002)
    }

    @Test func relativeURLsStayRelative() throws {
        let url = try #require(URL(string: "b?x#f", relativeTo: URL(string: "https://h/a/")))
        let result = url.appending(query: ["q": 1])
        #expect(result.relativeString == "b?x&q=1#f")
        #expect(result.absoluteString == "https://h/a/b?x&q=1#f")
    }

    /// Reads a query as servers do, byte by byte.
    private static func reference(_ query: String) -> [[String]] {
        guard !query.isEmpty else { return [] }
        return query.split(separator: "&", omittingEmptySubsequences: false).map { item in
            item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                var bytes: [UInt8] = []
                var characters = Array(part.utf8)
                while !characters.isEmpty {
                    let byte = characters.removeFirst()
                    if byte == UInt8(ascii: "+") {
                        bytes.append(0x20)
                    } else if byte == UInt8(ascii: "%") {
                        bytes.append(UInt8(String(decoding: characters.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                        characters.removeFirst(2)
                    } else {
                        bytes.append(byte)
                    }
                }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    private static let pieces = [
        "a", "+", "%", "&", "=", "#", "?", "/", " ", "%2B", "\u{0}", "🎉", "é", "e\u{301}", "\r\n", "\u{2028}", "\\",
        "..", ";", "\"", "[", "\u{FFFF}", "~",
    ]

    @Test func whatIsWrittenIsRead() throws {
        var random = SeededRandom(seed: 14)
        func text() -> String { (0..<random.below(6)).map { _ in random.element(of: Self.pieces) }.joined() }
        let urls = ["https://h/p", "https://h/p?x=%2B&y", "https://h?", "https://h/?a=1#f", "https://h/#"]
        for _ in 0..<rounds(5000) {
            let pairs = (0..<random.below(5)).map { _ in [text(), text()] }
            let items = QueryItems(pairs.map { ($0[0], $0[1]) })
            try #require(Self.reference(items.percentEncoded) == pairs)
            try #require(Self.reference(items.formEncoded) == pairs)
            try #require(items.percentEncoded.utf8.allSatisfy { $0.isUnreserved || "%&=".utf8.contains($0) })
            try #require(items.formEncoded.utf8.allSatisfy { $0.isKeptInForm || "%&=+".utf8.contains($0) })
            let old = try #require(URL(string: random.element(of: urls)))
            let url = old.appending(query: items)
            let oldQuery = old.query(percentEncoded: true) ?? ""
            let both = [oldQuery, items.percentEncoded].filter { !$0.isEmpty }.joined(separator: "&")
            try #require((url.query(percentEncoded: true) ?? "") == both)
            try #require(url.fragment == old.fragment)
            try #require(url.absoluteString.hasPrefix(old.absoluteString.prefix { $0 != "?" && $0 != "#" }))
        }
    }

    @Test(
        arguments: [
            (["b": 2], "a=1&b=2"), (["a": 2], "a=2"), (["a": nil], ""), (["A": 2], "a=1&A=2"), ([:], "a=1"),
            (["a": [] as [Int]], ""),
        ] as [(QueryItems, String)]
    )
    func itemsOfTheSameNameAreReplaced(items: QueryItems, expected: String) {
        let defaults: QueryItems = ["a": 1]
        #expect(defaults.overridden(by: items).percentEncoded == expected)
    }

    @Test func descriptionShowsNoValues() {
        let items: QueryItems = ["token": "s3cret"]
        #expect(Fixture.allTexts(of: items).contains("token"))
        #expect(!Fixture.allTexts(of: items).contains("s3cret"))
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("../x", "..%2Fx"), ("..", "%2E%2E"), (".", "%2E"), ("...", "..."), ("50%?#", "50%25%3F%23"),
        ("", ""),
    ])
    func segmentsAreEncoded(value: String, expected: String) {
        #expect("/posts/\(segment: value)/x" == "/posts/\(expected)/x")
        #expect("/posts/\(segment: 12)" == "/posts/12")
    }
}
