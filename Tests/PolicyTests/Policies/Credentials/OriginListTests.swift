import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

struct OriginListTests {
    private static let listed = [
        "https://api.example.com/v1?x=1", "http://127.0.0.1:8080", "https://[::1]:8443",
        "https://user:pw@Other.Example/",
    ]

    @Test(arguments: [
        "https://api.example.com", "https://api.example.com/", "https://api.example.com?a", "https://api.example.com#a",
        "https://api.example.com:443/v2", "https://api.example.com:/v2", "HTTPS://API.example.COM/a",
        "http://127.0.0.1:8080/x", "https://[::1]:8443/", "https://other.example/a",
    ])
    func aURLOfAListedOriginMatches(_ url: String) throws {
        #expect(try OriginList(Self.listed.map(Fixture.url)).contains(Fixture.url(url)))
    }

    @Test(arguments: [
        // Another scheme, host or port.
        "http://api.example.com", "https://api.example.org", "https://example.com", "https://api.example.com:444/",
        "https://api.example.com:80/", "http://127.0.0.1/", "http://127.0.0.1:80801/", "http://127.0.0.1:18080/",
        "https://[::1]/", "https://[::2]:8443/", "wss://api.example.com", "file:///api.example.com",
        // The listed origin is only the beginning.
        "https://api.example.com.evil.example/", "https://api.example.com@evil.example/",
        "https://api.example.com:443@evil.example/", "https://api.example.com:pw@evil.example/",
        "https://api.example.community/", "https://api.example.com%2Eevil.example/",
        // Or stands somewhere else.
        "https://evil.example/https://api.example.com/", "https://evil.example#@api.example.com/",
        "https://evil.example?@api.example.com/",
        // A request with user information has credentials of its own.
        "https://user:pw@api.example.com/", "https://user@api.example.com/",
        // Numbers that overflow.
        "https://api.example.com:99999999999999999999999999/", "https://api.example.com:4430000000000000443/",
    ])
    func anyOtherURLDoesNot(_ url: String) throws {
        #expect(try !OriginList(Self.listed.map(Fixture.url)).contains(URL(string: url)))
    }

    @Test func noURLIsOfNoOrigin() throws {
        #expect(try !OriginList(Self.listed.map(Fixture.url)).contains(nil as URL?))
        #expect(try !OriginList([]).contains(Fixture.url))
    }

    @Test func aRelativeURLIsJudgedWithItsBase() throws {
        let list = try OriginList([URL(string: "/a", relativeTo: Fixture.url) ?? Fixture.url])
        #expect(list.contains(URL(string: "/b", relativeTo: Fixture.url)))
        #expect(!list.contains(URL(string: "//evil.example/b", relativeTo: Fixture.url)))
    }

    @Test(arguments: ["file:///a", "ftp://example.com", "https:///a", "https://exa%20mple.com", "mailto:a@example.com"])
    func whatHasNoOriginIsRefused(_ url: String) {
        #expect(
            throws: AuthenticationError(.invalidOrigin, reason: "An origin is not an http or https URL with a host")
        ) {
            try OriginList([Fixture.url(url)])
        }
    }

    // The transport and the redirect policy decide with RequestTarget; the two must never disagree in favor of a URL.
    @Test func aMatchIsAlwaysTheSameOriginForTheTransport() throws {
        let list = try OriginList([Fixture.url("https://a.b")])
        var random = SeededRandom(seed: 14)
        let parts = [
            "https://", "http://", "a.b", "a", ".", ":", "443", "80", "@", "/", "?", "#", "\\", "%2F", "[", "]", "A.B",
        ]
        var matches = 0
        for _ in 0..<20_000 {
            let text = "https://a.b" + (0..<random.below(5)).map { _ in random.element(of: parts) }.joined()
            let start = random.picks(80) ? text : random.element(of: parts) + text
            guard let url = URL(string: start), list.contains(url) else { continue }
            matches += 1
            // A URL that the transport refuses is not sent at all.
            if let target = try? RequestTarget(url) { #expect(target.origin == "https://a.b:443", "\(start)") }
        }
        #expect(matches > 1000)
    }
}
