import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct RedactionOfErrorsTests {
    @Test(arguments: [
        "Could not connect to server", "Failed to connect to 127.0.0.1 port 1 after 0 ms: Connection refused",
        "Received HTTP code 407 from proxy after CONNECT", "Could not resolve proxy: proxy.example",
        "SSL: no alternative certificate subject name matches target host name 'a.example'", "http://a.example/b@c",
    ])
    func whatQuotesNoSecretIsShown(_ text: String) {
        #expect(Redaction.message(text) == text)
        #expect(TransportError(.cannotConnect, underlyingDescription: text).underlyingDescription == text)
    }

    @Test(arguments: [
        ("Unsupported proxy syntax in 'user:hunter2@proxy:99999'", "Unsupported proxy syntax in <redacted>"),
        ("Unsupported proxy 'https://u:hunter2@p', libcurl is built without", "Unsupported proxy '<redacted>"),
        ("name: [a], value: [hunter2]", "name: [a], value: [<redacted>]"),
        ("name: [a], value: [\u{301}hunter2]", "name: [a], value: [<redacted>]"),
        ("Could not resolve proxy: u:hunter2@\u{301}p", "Could not resolve proxy: ?p"),
        ("Unsupported proxy syntax in '\u{301}u:hunter2", "Unsupported proxy syntax in <redacted>"),
        ("connect to http://user:hunter2@a.example/", "connect to http://a.example/"),
    ])
    func whatALibraryQuotesIsCutOff(_ pair: (String, String)) {
        #expect(Redaction.message(pair.0) == pair.1)
    }

    @Test(arguments: [
        ("Location", "http://user:hunter2@a.example/b@c", "http://a.example/b@c"),
        ("location", "http:/user:hunter2@a.example/", "http:/a.example/"),
        ("Content-Location", "//user:hunter2@a.example", "//a.example"),
        (
            "Link", "<http://u:hunter2@a.example/>; rel=next, <http:/u:hunter2@b.example>",
            "<http://a.example/>; rel=next, <http:/b.example>"
        ),
        ("Refresh", "0; url=https://u:hunter2@a.example/", "0; url=https://a.example/"),
        ("Set-Cookie", "id=hunter2", "<redacted>"), ("X-Mine", "hunter2", "<redacted>"),
        ("X-Echo", "you sent Bearer hunter2 and hunter3", "you sent <redacted> and <redacted>"),
        ("X-Echo", "hunter2\u{301} and \u{200D}hunter3\u{FE0F}", "<redacted>\u{301} and \u{200D}<redacted>\u{FE0F}"),
        ("WWW-Authenticate", "Bearer realm=\"a\"", "Bearer realm=\"a\""),
        ("From", "somebody@example.com", "somebody@example.com"), ("X-Path", "/a//b@c", "/a//b@c"),
    ])
    func aHeadShowsNoSecret(_ row: (String, String, String)) {
        var request = URLRequest(url: Fixture.url("https://example.com"), method: .get)
        request.allHTTPHeaderFields = ["Authorization": "Bearer hunter2", "Cookie": "realm=a; id=hunter3"]
        let head = Fixture.head(.found, headers: HTTPHeaderFields([HTTPHeaderField(name: row.0, value: row.1)]))
        let error = TransportError(.unsafeRedirect, request: request, response: head, sensitiveHeaders: ["x-mine"])
        #expect(error.response?.firstValue(of: row.0) == row.2)
        #expect(error.response?.statusCode == .found)
    }
}
