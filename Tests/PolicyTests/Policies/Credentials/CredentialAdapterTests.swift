import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

@Suite(.timeLimit(.generous)) struct CredentialAdapterTests {
    private static let origin = Fixture.url("https://a.example/base")

    @Test func aListedOriginGetsTheToken() throws {
        let adapter = try BearerToken("abc", origins: [Self.origin])
        let request = adapter.adapt(urlRequest: URLRequest("POST", Fixture.url("https://a.example/x"), body: "hi"))
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer abc")
        #expect(request.httpBody == Data("hi".utf8))
    }

    @Test(arguments: ["https://b.example/x", "http://a.example/x", "https://a.example:8443/x", "https://a.example.b/x"])
    func aForeignOriginGetsNothing(_ url: String) throws {
        let request = URLRequest(url: Fixture.url(url))
        #expect(try BearerToken("abc", origins: [Self.origin]).adapt(urlRequest: request) == request)
        let basic = try BasicCredentials(user: "a", password: "b", origins: [Self.origin])
        #expect(basic.adapt(urlRequest: request) == request)
        #expect(try BearerToken("abc", origins: []).adapt(urlRequest: request) == request)
    }

    @Test func aRequestKeepsItsOwnAuthorization() throws {
        let adapter = try BearerToken("abc", origins: [Self.origin])
        let request = URLRequest("GET", Self.origin, headers: ["authorization": "Own x"])
        #expect(adapter.adapt(urlRequest: request) == request)
        let inURL = URLRequest(url: Fixture.url("https://user:pw@a.example/x"))
        #expect(adapter.adapt(urlRequest: inURL) == inURL)
    }

    @Test func aRequestWithoutAURLIsLeftAlone() throws {
        var request = URLRequest(url: Self.origin)
        request.url = nil
        #expect(try BearerToken("abc", origins: [Self.origin]).adapt(urlRequest: request).url == nil)
    }

    @Test(arguments: ["", " ", "a b", "a\r\nX: y", "a\u{0}", "tök", "a\t", "\u{7F}"])
    func aTokenThatIsNoneIsRefused(_ token: String) {
        #expect(throws: AuthenticationError(.invalidToken)) { try BearerToken(token, origins: []) }
    }

    @Test func tokensOutsideRFC6750AreAccepted() throws {
        #expect(try BearerToken.headerValue("1|abc~+/==") == "Bearer 1|abc~+/==")
    }

    @Test(arguments: [
        // RFC 7617 §2 and §2.1.
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("test", "123£", "Basic dGVzdDoxMjPCow=="),
        ("", "", "Basic Og=="), ("key", "", "Basic a2V5Og=="), ("u", "a:b", "Basic dTphOmI="),
        // A composed and a decomposed letter are the same.
        ("\u{E9}", "p", "Basic w6k6cA=="), ("e\u{301}", "p", "Basic w6k6cA=="),
    ])
    func userAndPasswordAreEncoded(_ user: String, _ password: String, _ value: String) throws {
        #expect(try BasicAuthentication.value(user: user, password: password) == value)
    }

    @Test(arguments: ["a:b", ":", "a\n", "a\u{0}", "\u{7F}", "\u{85}"])
    func aUserNameThatIsNoneIsRefused(_ user: String) {
        #expect(throws: AuthenticationError(.invalidUserName)) {
            try BasicCredentials(user: user, password: "p", origins: [])
        }
    }

    @Test(arguments: ["a\r\n", "\u{0}", "\u{7F}", "\u{9F}"])
    func aPasswordWithControlCharactersIsRefused(_ password: String) {
        #expect(throws: AuthenticationError(.invalidPassword)) {
            try BasicCredentials(user: "u", password: password, origins: [])
        }
    }

    @Test(arguments: [302, 307]) func noRedirectTakesTheTokenToAnotherOrigin(_ status: Int) async throws {
        let pages = [
            "https://a.example/same": "/next", "https://a.example/next": "https://b.example/away",
            "https://b.example/away": "https://a.example/back",
        ]
        let transport = MockTransport { request in
            guard let next = pages[request.url.absoluteString] else { return MockAnswer(.ok) }
            return MockAnswer(StatusCode(rawValue: status), headers: ["Location": next])
        }
        let dispatcher = MockURLRequestDispatcher(
            transport: transport,
            requestAdapters: [try BearerToken("abc", origins: [Self.origin, Fixture.url("https://c.example")])]
        )
        _ = try await dispatcher.data(from: Fixture.url("https://a.example/same"))
        let sent = transport.requests.map { "\($0.url.path) \($0["Authorization"] ?? "-")" }
        // Nor does a way back restore it.
        #expect(sent == ["/same Bearer abc", "/next Bearer abc", "/away -", "/back -"])
    }

    @Test func nothingShowsTheSecret() async throws {
        let secret = SecretSearch.secret
        let values: [Any] = [
            try BearerToken(secret, origins: [Self.origin]),
            try BasicCredentials(user: "u", password: secret, origins: [Self.origin]),
            try BasicCredentials(user: secret, password: "p", origins: [Self.origin]),
            try await failure { try BearerToken(secret + " ", origins: []) },
            try await failure { try BasicCredentials(user: secret + ":", password: secret, origins: []) },
            try await failure { try BasicCredentials(user: "u", password: secret + "\n", origins: []) },
            try await failure { try BearerToken("t", origins: [Fixture.url("ftp://u:\(secret)@example.com")]) },
        ]
        for value in values {
            for showing in SecretSearch.showings(of: value) {
                #expect(!showing.tells, "\(showing.way): \(showing.text)")
            }
        }
    }
}
