import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

/// How a text becomes the URL of a request.
struct RequestURLTests {
    private static let base = Fixture.url("https://api.example.com:8443/v1")

    @Test(arguments: [
        ("/posts", "/posts"), ("posts", "/posts"), ("/posts/", "/posts/"), ("", ""), ("/", "/"), (".", "/"),
        ("/posts/1?page=2&x=%2B+", "/posts/1?page=2&x=%2B+"), ("?page=2", "?page=2"), ("/posts?", "/posts?"),
        ("/a b/ü/🎉", "/a%20b/%C3%BC/%F0%9F%8E%89"), ("/a%20b%2Fc", "/a%20b%2Fc"),
        ("/a?b c=\"ü\\[]", "/a?b%20c=%22%C3%BC%5C%5B%5D"), ("/a?b=http://x//../y", "/a?b=http://x//../y"),
        ("/a/./b/../c", "/a/c"), ("/a/..", "/"), ("/a/b/..", "/a/"), ("/a/.", "/a/"),
        ("/a:b@c!$&'()*+,;=d~", "/a:b@c!$&'()*+,;=d~"), ("sub:path", "/sub:path"), ("mailto:a", "/mailto:a"),
        ("/{a}|<b>^`[c]", "/%7Ba%7D%7C%3Cb%3E%5E%60%5Bc%5D"), ("...", "/..."), ("/a..b/.c", "/a..b/.c"),
        ("/1.0;v=2", "/1.0;v=2"), ("/100%2525", "/100%2525"), ("/:8080", "/:8080"), ("@evil.com/x", "/@evil.com/x"),
        (".evil.com", "/.evil.com"), ("/%00", "/%00"),
    ])
    func pathsAreAppended(text: String, expected: String) throws {
        for base in ["https://api.example.com:8443/v1", "https://api.example.com:8443/v1/"] {
            let url = try RequestDefaults(baseURL: Fixture.url(base)).url(text)
            let start =
                text.isEmpty || text.hasPrefix("?") ? Self.base.absoluteString : "https://api.example.com:8443/v1"
            #expect(url.absoluteString == start + expected)
        }
        let root = try RequestDefaults(baseURL: Fixture.url("http://[::1]")).url(text)
        #expect(root.absoluteString == "http://[::1]" + expected)
    }

    @Test(
        arguments: [
            ("https://evil.com", .absoluteURL), ("HTTP://evil.com/x", .absoluteURL), ("https:evil.com", .absoluteURL),
            ("http:/evil.com", .absoluteURL), ("ftp://evil.com", .absoluteURL), ("x+y-1.z://evil.com", .absoluteURL),
            ("https://api.example.com:8443/v1/posts", .absoluteURL), ("//evil.com", .hasHost),
            ("///evil.com", .hasHost), ("//", .hasHost), ("/\\evil.com", .backslash), ("\\\\evil.com", .backslash),
            ("/a\\..\\b", .backslash), ("https:\\\\evil.com", .backslash), ("/..", .leavesBasePath),
            ("..", .leavesBasePath), ("/a/../../b", .leavesBasePath), ("/../v1/x", .leavesBasePath),
            ("/%2e%2e/x", .disguisedDots), ("/.%2E", .disguisedDots), ("/%2e", .disguisedDots),
            ("/..%2fx", .disguisedDots), ("/a%2F..%2Fb", .disguisedDots), ("/..%5cx", .disguisedDots),
            ("/%252e%252e/x", .disguisedDots), ("/..%252fx", .disguisedDots), ("/..;/x", .disguisedDots),
            ("/..;a=1", .disguisedDots), ("/..%3b/x", .disguisedDots), ("/..%00/x", .disguisedDots),
            ("/.%20", .disguisedDots), ("/%2525252525252e", .disguisedDots), ("/a//b", .emptySegment),
            ("/a//", .emptySegment), ("a//../b", .emptySegment), (" https://evil.com", .emptySegment),
            ("/a#b", .fragment), ("#", .fragment), ("/a?b#c", .fragment), ("/50%", .invalidEscape),
            ("/%zz", .invalidEscape), ("/%4", .invalidEscape), ("/a?b=%", .invalidEscape),
            ("/a\u{0}", .controlCharacter), ("/a\r\nHost: evil.com", .controlCharacter), ("/a\tb", .controlCharacter),
            ("\u{7F}", .controlCharacter), ("\nhttps://evil.com", .controlCharacter),
        ] as [(String, RequestPathError.Code)]
    )
    func unsafeTextsAreRefused(text: String, code: RequestPathError.Code) {
        for base in [Self.base, Fixture.url("https://api.example.com/")] {
            let error = #expect(throws: RequestPathError.self) { try RequestDefaults(baseURL: base).url(text) }
            #expect(error?.code == code)
        }
    }

    @Test(arguments: [
        "ftp://h/", "https://user@h/", "https://user:p@h/", "https://h/?a", "https://h/?", "https://h/#",
        "https://h/a/../b", "https://h/a//b", "https://h//", "https://h/%2e%2e/", "https:///a", "/v1", "https:",
        "https://h:99999/", "mailto:a@b",
    ])
    func invalidBaseURLsAreRefused(text: String) throws {
        let defaults = RequestDefaults(baseURL: URL(string: text))
        let error = #expect(throws: RequestPathError.self) { try defaults.url("/posts") }
        #expect(error?.code == .invalidBaseURL)
        #expect(error?.path == "")
    }

    @Test(arguments: [
        ("https://other.com/a/../b?c", "https://other.com/a/../b?c&q=1"),
        ("//other.com:1/a", "https://other.com:1/a?q=1"),
        ("https://api.example.com:8443/v2?x", "https://api.example.com:8443/v2?x&key=k&q=1"),
        ("HTTPS://API.example.com:8443", "HTTPS://API.example.com:8443?key=k&q=1"),
        ("/posts", "https://api.example.com:8443/v1/posts?key=k&q=1"),
        ("http://api.example.com:8443/", "http://api.example.com:8443/?q=1"),
    ])
    func absoluteURLsMayBeAllowed(text: String, expected: String) throws {
        let defaults = RequestDefaults(baseURL: Self.base, allowsAbsoluteURLs: true, query: ["key": "k"])
        #expect(try defaults.url(text, query: ["q": 1]).absoluteString == expected)
    }

    @Test(arguments: [
        "https://user:p@other.com", "https://", "ftp://h/", "https:/h", "https://h:99999", "https://a b/", "//",
    ])
    func invalidAbsoluteURLsAreRefused(text: String) {
        let defaults = RequestDefaults(baseURL: Self.base, allowsAbsoluteURLs: true)
        #expect(throws: RequestPathError.self) { try defaults.url(text) }
    }

    @Test func escapesOfAbsoluteURLsStay() throws {
        let text = "http://h/a%2Fb|?a[]=1&b=%5B%5D&c=%zz"
        let expected = "http://h/a%2Fb%7C?a%5B%5D=1&b=%5B%5D&c=%25zz"
        #expect(try RequestDefaults().url(text).absoluteString == expected)
        let defaults = RequestDefaults(baseURL: Self.base, allowsAbsoluteURLs: true)
        #expect(try defaults.url(text).absoluteString == expected)
        #expect(
            try defaults.url(String(text.dropFirst("http:".count))).absoluteString == "https"
                + expected.dropFirst("http".count)
        )
    }

    @Test func absoluteURLsAreNeededWithoutABase() throws {
        let defaults = RequestDefaults(query: ["a": 1])
        #expect(try defaults.url("http://h/p?x", query: ["b": 2]).absoluteString == "http://h/p?x&a=1&b=2")
        for text in ["/posts", "", "//h/p", "posts"] {
            let error = #expect(throws: RequestPathError.self) { try defaults.url(text) }
            #expect(error?.code == .noBaseURL)
        }
    }

    @Test(
        arguments: [
            ("/p", [:], "?v=1&l=en"), ("/p", ["x": 2], "?v=1&l=en&x=2"), ("/p", ["v": 2], "?l=en&v=2"),
            ("/p", ["v": nil], "?l=en"), ("/p", ["v": nil, "l": nil], ""), ("/p", ["V": 2], "?v=1&l=en&V=2"),
            ("/p?v=2", [:], "?v=2&l=en"), ("/p?v", [:], "?v&l=en"), ("/p?%76=2", ["l": "de"], "?%76=2&l=de"),
            ("/p?x=v&y=v", [:], "?x=v&y=v&v=1&l=en"), ("/p?t=1", ["t": 2], "?t=1&v=1&l=en&t=2"),
        ] as [(String, QueryItems, String)]
    )
    func defaultQueryIsAddedAndReplaced(path: String, query: QueryItems, expected: String) throws {
        let defaults = RequestDefaults(baseURL: Self.base, query: ["v": 1, "l": "en"])
        #expect(try defaults.url(path, query: query).absoluteString == Self.base.absoluteString + "/p" + expected)
    }

    @Test func spacesInNamesOfTheTextArePluses() throws {
        let defaults = RequestDefaults(baseURL: Self.base, query: ["a b": 1])
        #expect(try defaults.url("?a+b=2").absoluteString == Self.base.absoluteString + "?a+b=2")
    }

    @Test(arguments: [
        "/a/..%2f?token=s3cret", "/..?s3cret#x", "/a#s3cret", "https://user:s3cret@evil.com", "https://user:s3?cret@h",
        "//u:s3cret@h", "/%?s3cret", "https://u:s3cret@h/#",
    ])
    func errorsShowNoSecrets(text: String) throws {
        let error = try #require(throws: RequestPathError.self) { try RequestDefaults(baseURL: Self.base).url(text) }
        let shown = Fixture.allTexts(of: error) + error.localizedDescription
        #expect(!shown.contains("s3"))
    }

    @Test func errorsAreOneLineWithThePath() throws {
        let error = try #require(throws: RequestPathError.self) {
            try RequestDefaults(baseURL: Self.base).url("/a\nb" + String(repeating: "x", count: 1000))
        }
        #expect(error.description.hasPrefix("The path contains a control character: \"/a\\nbxxx"))
        #expect(error.path.count == 200)
    }

    private static let pieces = [
        "/", "//", "\\", ".", "..", "%2e", "%2E", "%2f", "%5c", "%", "%25", "a", "v1", "v1x", "?", "#", "@", ":", ";",
        " ", "\t", "\r\n", "\u{0}", "http:", "https://", "evil.com", "user:pw@", "é", "🎉", "．", "／", "&", "=", "[", "]",
        "%00", "%2e%2e%2f", "api.example.com", "8443", "\u{200E}", "|",
    ]

    /// The path as the most lenient server reads it: decoded until nothing changes, with every slash, without parameters.
    private static func lenient(_ path: String) -> [String] {
        var text = path
        for _ in 0..<8 {
            text = String(decoding: PercentEncoding.decoded(Array(text.utf8)), as: UTF8.self)
        }
        var kept: [String] = []
        for segment in text.split(whereSeparator: { $0 == "/" || $0 == "\\" }) {
            let name = segment.unicodeScalars.prefix { $0.value > 0x20 && $0 != ";" }
            if String(name) == ".." { _ = kept.popLast() } else if String(name) != "." { kept.append(String(segment)) }
        }
        return kept
    }

    @Test(arguments: [
        "https://api.example.com:8443/v1", "https://api.example.com:8443/v1/", "http://127.0.0.1", "https://h/a/b%20c/",
    ])
    func resultIsBelowTheBaseForEveryText(text: String) throws {
        let base = Fixture.url(text)
        let defaults = RequestDefaults(baseURL: base)
        let basePath = base.path(percentEncoded: true).split(separator: "/").joined(separator: "/")
        var random = SeededRandom(seed: 27152)
        var accepted = 0
        for _ in 0..<8000 {
            let path = (0..<random.below(8)).map { _ in random.element(of: Self.pieces) }.joined()
            guard let url = try? defaults.url(path, query: random.picks(10) ? ["x": "#/../"] : [:]) else { continue }
            accepted += 1
            let comment = Comment(rawValue: "\(path.debugDescription) became \(url)")
            let parts = try #require(URLComponents(string: url.absoluteString), comment)
            try #require(parts.scheme == base.scheme && parts.host == base.host() && parts.port == base.port, comment)
            try #require(parts.user == nil && parts.password == nil && parts.fragment == nil, comment)
            let target = try RequestTarget(url)
            try #require(target.origin == (try RequestTarget(base)).origin && target.userInformation == nil, comment)
            let whole = parts.percentEncodedPath
            try #require(whole.isEmpty || ("/" + basePath == whole || (whole + "/").hasPrefix("/" + basePath)), comment)
            try #require(!whole.contains("//") && !whole.utf8.contains { $0 == UInt8(ascii: "\\") }, comment)
            let seen = Self.lenient(whole)
            try #require(seen.starts(with: Self.lenient(basePath)), comment)
            try #require(
                url.standardized.path(percentEncoded: true).hasPrefix(basePath.isEmpty ? "" : "/" + basePath),
                comment
            )
        }
        #expect(accepted > 500)
    }
}
