import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct RedactionTests {
    @Test(arguments: [
        "Authorization", "cookie", "SET-COOKIE", "Proxy-Authorization", "Cookie2", "set-cookie2", "aUtHoRiZaTiOn",
        "Authentication", "Authentication-Info", "PRIVATE-TOKEN", "Job-Token", "X-Vault-Token", "X-CSRFToken",
        "X_Token", "X-Session", "X-Session-Id", "X-Parse-Session-Token", "X-Api-Key", "apikey", "xi-api-key",
        "DD-APPLICATION-KEY", "X-RapidAPI-Key", "Ocp-Apim-Subscription-Key", "X-Functions-Key", "X-Auth-Key",
        "X-Auth-Email", "X-User", "X-User-Id", "X-Username", "Remote-User", "X-Forwarded-User", "X-WEBAUTH-USER",
        "X-Amzn-Oidc-Identity", "X-JWT", "X-Goog-Iap-Jwt-Assertion", "Cf-Access-Client-Secret", "X-Password",
        "X-Credentials", "X-Client-Cert", "DPoP", "X-Amz-Security-Token", "X-Login", "X-Pin", "X-OTP",
        // What identifies a credential may be one, and there may be several.
        "X-Auth-Id", "X-Login-Id", "X-Cookie-Id", "X-Credential-Id", "X-Auth-Header", "X-Authorization-Header",
        "Session-Ref", "X-Token-Ref", "X-Auth-Params", "X-Auth-Scopes", "X-User-Scope", "X-Access-Tokens", "X-Api-Keys",
    ])
    func standardSecretsAreSensitiveInAnyCase(_ name: String) {
        #expect(Redaction.standard.isSensitive(name))
        #expect(Redaction.standard.value("hunter2", of: name) == "<redacted>")
    }

    @Test(arguments: [
        "Accept", "User-Agent", "X-User-Agent", "WWW-Authenticate", "Proxy-Authenticate", "Idempotency-Key",
        "Sec-WebSocket-Key", "Surrogate-Key", "X-Cache-Key", "Public-Key-Pins", "Access-Control-Allow-Credentials",
        "Sec-Fetch-User", "X-Token-Type", "X-RateLimit-Remaining", "X-Keyboard", "X-Spin", "Authority", "X-Author",
        "Keep-Alive", "X-Request-Id", "X-Users", "X-Tokens", "Origin", "Host", "Referer", "ETag",
    ])
    func otherFieldsAreShown(_ name: String) {
        #expect(Redaction.standard.value("text/html", of: name) == "text/html")
    }

    @Test func markedNamesAreSensitive() {
        let redaction = Redaction(additionalNames: ["X-Mine"])
        #expect(redaction.isSensitive("x-mine"))
        #expect(redaction.isSensitive("Cookie"))
        #expect(!redaction.isSensitive("X-Mine-Too") && !Redaction.standard.isSensitive("X-Mine"))
    }

    @Test(arguments: [
        ("https://user:hunter2@example.com/a?b=c#d", "https://example.com/a?b=c#d"),
        ("https://hunter2@example.com", "https://example.com"),
        ("https://:hunter2@example.com:8443/", "https://example.com:8443/"),
        ("https://u%40x:hunter2@[::1]:80/a@b", "https://[::1]:80/a@b"),
        ("https://example.com/a@b?c=d@e", "https://example.com/a@b?c=d@e"),
        ("https://example.com", "https://example.com"), ("http:/user:hunter2@example.com/a", "http:/example.com/a"),
        ("http:///user:hunter2@example.com/a", "http:///example.com/a"),
        ("http:user:hunter2@example.com", "http:example.com"),
        ("HTTPS:/user:hunter2@example.com", "HTTPS:/example.com"),
        ("user:hunter2@example.com:80/a", "example.com:80/a"), ("hunter2@example.com", "example.com"),
        ("//user:hunter2@example.com/a", "//example.com/a"), ("http://a@hunter2@example.com/", "http://example.com/"),
        ("http:x@/user:hunter2@example.com/a", "http:/example.com/a"),
        ("http:@/@/@/@/@/user:hunter2@example.com/a", "http://///example.com/a"),
        ("http://x@:80/user:hunter2@example.com", "http://:80/example.com"),
        ("file://x@/user:hunter2@example.com", "file:///example.com"), ("x@/user:hunter2@example.com", "/example.com"),
        ("/a@b", "/a@b"), ("a/b@c", "a/b@c"), ("file:///a@b", "file:///a@b"),
    ])
    func userInformationIsCutOut(_ pair: (String, String)) {
        let url = Fixture.url(pair.0)
        #expect(Redaction.standard.url(url).absoluteString == pair.1)
        #expect(Redaction.standard.text(of: url) == pair.1)
    }

    @Test(arguments: [
        ("", ""), ("@", "@"), ("http:?@", "http:?@"), ("see http: a@b", "see http: a@b"), ("https:", "https:"),
        ("http:@", "http:"), ("http://@", "http://"), ("@http:/", "@http:/"), ("//a@b//c@d", "//b//c@d"),
        ("<//a:b@c> \"//d@e\"", "<//c> \"//e\""), ("http:////a@b http:\\\\c@d", "http:////b http:\\\\d"),
        ("http:x@/user:hunter2@b/c@d http:@/@", "http:/b/c@d http:/"), ("//@//a@b", "////b"),
    ])
    func userInformationIsCutOutOfTexts(_ pair: (String, String)) {
        #expect(Redaction.withoutUserInformation(inText: pair.0) == pair.1)
    }

    @Test func aLongTextTakesATimeThatGrowsWithIt() {
        for piece in ["/", ":", "http:", "http:/", "://", "a:", "@", "<//", "/@", "http:@"] {
            let text = String(repeating: piece, count: 20_000) + "@"
            let clock = ContinuousClock()
            #expect(clock.measure { _ = Redaction.withoutUserInformation(inText: text) } < .seconds(5), "\(piece)")
            #expect(clock.measure { _ = Redaction.withoutUserInformation(text) } < .seconds(5), "\(piece)")
        }
    }

    @Test func aRequestShowsNoSecret() throws {
        var request = URLRequest(url: Fixture.url("https://user:hunter2@example.com/a"), method: .post)
        request.setValue("Bearer hunter2", forHTTPHeaderField: "authorization")
        request.setValue("id=hunter2", forHTTPHeaderField: "Cookie")
        request.setValue("text/html", forHTTPHeaderField: "Accept")
        request.mainDocumentURL = request.url
        request.httpBody = Data("hunter2".utf8)
        let redacted = try #require(Redaction.standard.request(request))
        #expect(!Fixture.allTexts(of: redacted).contains("hunter2"))
        #expect(redacted.url?.absoluteString == "https://example.com/a")
        #expect(redacted.mainDocumentURL?.absoluteString == "https://example.com/a")
        #expect(redacted.httpBody == nil)
        #expect(redacted.httpMethod == "POST")
        #expect(redacted.value(forHTTPHeaderField: "Authorization") == "<redacted>")
        #expect(redacted.value(forHTTPHeaderField: "Accept") == "text/html")
    }

    @Test func responsesAndHeadsShowNoSecret() throws {
        var request = URLRequest(url: Fixture.url("https://user:hunter2@example.com/a"), method: .get)
        request.setValue("Bearer hunter2", forHTTPHeaderField: "Authorization")
        let headers: HTTPHeaderFields = ["Set-Cookie": "id=hunter2", "Server": "test"]
        let head = ResponseHead(url: Fixture.url, statusCode: .ok, headers: headers)
        let raw = RawHead(bytes: Array("HTTP/1.1 200 OK\r\nSet-Cookie: id=hunter2\r\nServer: test\r\n".utf8))
        let rawHead = ResponseHead(record: ResponseRecord(.raw(raw), to: Fixture.request, statusCode: 200))
        let response = Response(data: Data("hunter2".utf8) as Data?, urlRequest: request, head: head)
        let values: [Any] = [
            head, rawHead, headers, Array(headers), headers[0], response, try response.makeHTTPResponse(),
        ]
        for value in values {
            #expect(!Fixture.allTexts(of: value).contains("hunter2"))
        }
        #expect("\(head)".contains("Server: test"))
        #expect("\(response)" == "HTTP/1.1 200 https://example.com/a")
    }
}
