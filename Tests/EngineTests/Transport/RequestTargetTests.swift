import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct RequestTargetTests {
    private static func target(_ text: String) throws -> RequestTarget {
        try RequestTarget(#require(URL(string: text), "Foundation takes \(text) for no URL"))
    }

    /// How a URL is refused: `scheme`, `invalid`, or `nil` if it is not.
    private static func refusal(_ url: URL) -> String? {
        do throws(RequestTarget.Refusal) {
            _ = try RequestTarget(url)
            return nil
        } catch {
            switch error {
            case .scheme: return "scheme"
            case .invalid: return "invalid"
            }
        }
    }

    @Test(arguments: [
        ("http://example.com", "http://example.com:80"), ("https://example.com/", "https://example.com:443"),
        ("HTTPS://EXAMPLE.Com/A", "https://example.com:443"), ("http://example.com:/", "http://example.com:80"),
        ("http://example.com:80/", "http://example.com:80"), ("http://example.com:0080/", "http://example.com:80"),
        ("https://example.com:80/", "https://example.com:80"), ("http://example.com:443/", "http://example.com:443"),
        ("http://example.com:65535/", "http://example.com:65535"), ("http://example.com./", "http://example.com.:80"),
        ("http://user:pass@example.com:8080/", "http://example.com:8080"), ("http://127.0.0.1/", "http://127.0.0.1:80"),
        ("http://[::1]/", "http://[::1]:80"), ("https://[2001:DB8::1]:8443/x", "https://[2001:db8::1]:8443"),
        ("http://[::1]:/", "http://[::1]:80"), ("http://[fe80::1%25eth0]/", "http://[fe80::1%25eth0]:80"),
        ("http://a_b-c~d.example/", "http://a_b-c~d.example:80"),
        ("http://example.com?q=http://other/", "http://example.com:80"),
        ("http://example.com#@other", "http://example.com:80"),
        ("http://münchen.example/", "http://xn--mnchen-3ya.example:80"),
    ])
    func originIsSchemeHostAndPort(_ pair: (String, String)) throws {
        let target = try Self.target(pair.0)
        #expect(target.origin == pair.1)
        #expect(target.isSecure == pair.1.hasPrefix("https:"))
    }

    @Test(arguments: [
        ("http://a/b?c=d#e", "http://a/b?c=d"), ("http://a#e", "http://a"), ("http://a?#e", "http://a?"),
        ("http://u:p@a/b@c?d@e#f@g", "http://a/b@c?d@e"), ("http://u@a", "http://a"), ("http://@a/", "http://a/"),
        ("http://a/%0d%0aX:%20y", "http://a/%0d%0aX:%20y"), ("http://a/x|y", "http://a/x%7Cy"),
    ])
    func whatIsSentHasNoUserInformationAndNoFragment(_ pair: (String, String)) throws {
        #expect(try Self.target(pair.0).url == pair.1)
    }

    @Test(arguments: [
        ("http://a/", nil), ("http://@a/", ""), ("http://u@a/", "u"), ("http://u:p@a/", "u:p"), ("http://:p@a/", ":p"),
        ("http://u%40x:p%3A@a/", "u%40x:p%3A"),
    ])
    func userInformationStaysEncoded(_ pair: (String, String?)) throws {
        #expect(try Self.target(pair.0).userInformation.map(String.init) == pair.1)
    }

    @Test(arguments: [
        "ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "//example.com/", "example.com", "/path", "",
        "ws://example.com/", "httpx://example.com/", "unix:///tmp/socket", "data:text/plain,x", "http+unix://x/",
    ])
    func otherSchemesAreRefused(_ text: String) {
        #expect(URL(string: text).map { Self.refusal($0) == "scheme" } ?? true)
    }

    @Test(arguments: [
        "http:", "http:/", "http:x", "http:/x", "http://", "http:///x", "http://?q", "http://#f", "http://:80/",
        "http://u@/", "http://[]/", "http://[]:80/", "http://[::1/", "http://[::1]x/", "http://[::1]80/",
        "http://[a/b]/", "http://[v1.x]/", "http://[evil]/", "http://[%5b%3a]/", "http://[%25eth0]/",
        "http://[::1%25]/", "http://[::1%25a%2Fb]/", "http://[:]/", "http://[::1.]/", "http://[0:.0]/",
        "http://[1:2:3:4:5:6:7:8::]/", "http://[1:2:3:4:5:6:7]/", "http://[1::2::3]/", "http://[12345::]/",
        "http://[127.0.0.1]/", "http://[::256.0.0.1]/", "http://a:0/", "http://a:65536/",
        "http://a:99999999999999999999999/", "http://a:abc/", "http://a:-1/", "http://a:+80/", "http://a:80:90/",
        "http://a:8%30/", "http://a%2Fb/", "http://%2F/", "http://a%00b/", "http://a%40b/", "http://a%2eb/",
        "http://a%5Cb/", "http://a\\b/", "http://a b/", "http://a\u{0}b/", "http://a\u{7F}b/", "http://a\r\nb/",
        "http://a\tb/", "http://a!b/", "http://a$b/", "http://a&b/", "http://a'b/", "http://(a)/", "http://a*/",
        "http://a,b/", "http://a;b/", "http://a=b/", "http://a<b/", "http://a^b/", "http://a`b/", "http://a{b}/",
        "http://a|b/",
    ])
    func whatHasNoClearHostIsRefused(_ text: String) {
        // Foundation refuses some of these itself.
        #expect(URL(string: text).map { Self.refusal($0) == "invalid" } ?? true)
    }

    @Test(arguments: ["http://*", "https://*:8443/x", "http://[::1%25*]/", "http://user@*/"])
    func aHostThatNoResolverTakesIsRefused(_ text: String) {
        for (count, isRefused) in [(1000, false), (1025, true), (1_000_000, true)] {
            let url = URL(string: text.replacingOccurrences(of: "*", with: String(repeating: "a", count: count)))
            // Foundation refuses some of these itself.
            if let url { #expect(Self.refusal(url) == (isRefused ? "invalid" : nil)) }
        }
    }

    // The row says to which host the request may go; a parser that sees another one must not exist.
    @Test(arguments: [
        ("http://good@evil/", "http://evil:80"), ("http://good:80@evil:81/", "http://evil:81"),
        ("http://good\\@evil/", "http://evil:80"), ("http://good@evil@third/", "http://third:80"),
        ("http://good/@evil", "http://good:80"), ("http://good/\\@evil", "http://good:80"),
        ("http://good#@evil/", "http://good:80"), ("http://good?@evil/", "http://good:80"),
        ("http://good?\\@evil/", "http://good:80"), ("http://good:80#@evil:81/", "http://good:80"),
        ("http://good//evil/", "http://good:80"), ("http://good%23@evil/", "http://evil:80"),
    ])
    func parsersAgreeAboutTheHost(_ pair: (String, String)) throws {
        let target = try Self.target(pair.0)
        #expect(target.origin == pair.1)
        let reparsed = try #require(URL(string: target.url))
        #expect(try RequestTarget(reparsed).origin == pair.1)
        #expect(reparsed.host().map { pair.1.hasPrefix("http://\($0):") } == true)
    }

    // Bytes that `URL(string:)` would percent-encode can come in through other doors.
    @Test(arguments: [
        "http://a/\r\nX: y", "http://a/ b", "http://a/\u{0}", "http://a/\u{7F}", "http://a/é", "http://a\\b/",
    ])
    func rawBytesAreRefusedOrEncoded(_ text: String) {
        for url in [URL(dataRepresentation: Data(text.utf8), relativeTo: nil), NSURL(string: text) as URL?] {
            guard let url, Self.refusal(url) == nil, let target = try? RequestTarget(url) else { continue }
            #expect(target.url.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            #expect(target.origin == "http://a:80")
        }
    }

    @Test func aRelativeURLIsResolved() throws {
        let url = try #require(URL(string: "../x?y", relativeTo: URL(string: "https://a:8443/b/c/d")))
        let target = try RequestTarget(url)
        #expect(target.url == "https://a:8443/b/x?y")
        #expect(target.origin == "https://a:8443")
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func randomURLsNeverTrapAndNeverSmuggle(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "http", "https", "HTTP", ":", "/", "//", "\\", "@", "#", "?", "%", "%2F", "%00", "%0d%0a", "[", "]", "::1",
            "a", "b.c", "EVIL", "80", "0", "65536", ".", "-", "_", " ", "\r\n", "\u{0}", "\t", "é", "\u{202E}", "😀",
            "&",
            "=", "+", ";", ",", "'", "\"", "<", ">", "|", "^", "`", "{", "}", "~", "!", "$", "*", "(", ")", "1e1", "ⓐ",
        ]
        for _ in 0..<5_000 {
            var text = Bool.random(using: &random) ? "http://" : ""
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                text += pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }
            for url in [URL(string: text), URL(dataRepresentation: Data(text.utf8), relativeTo: nil)] {
                guard let url, let target = try? RequestTarget(url) else { continue }
                #expect(target.url.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(text.debugDescription)")
                #expect(!target.url.contains("#"), "\(text.debugDescription)")
                guard let reparsed = URL(string: target.url), let again = try? RequestTarget(reparsed) else {
                    Issue.record("\(text.debugDescription) became \(target.url)")
                    continue
                }
                #expect(again.origin == target.origin, "\(text.debugDescription)")
                #expect(again.url == target.url, "\(text.debugDescription)")
                #expect(again.userInformation == nil, "\(text.debugDescription)")
            }
        }
    }
}
