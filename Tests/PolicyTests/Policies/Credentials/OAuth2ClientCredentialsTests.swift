import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

@Suite(.timeLimit(.generous)) struct OAuth2ClientCredentialsTests {
    private static let tokenURL = Fixture.url("https://login.example/token")

    private func client(_ answers: [MockAnswer], secret: String = "s") throws -> OAuth2ClientCredentials {
        let dispatcher = MockURLRequestDispatcher(transport: MockTransport(answers: answers))
        return try OAuth2ClientCredentials(
            tokenURL: Self.tokenURL,
            clientID: "c",
            clientSecret: secret,
            dispatcher: dispatcher
        )
    }

    private static func token(_ json: String, _ status: Int = 200) throws -> OAuth2AccessToken {
        try OAuth2AccessToken(statusCode: StatusCode(rawValue: status), body: Data(json.utf8))
    }

    @Test(arguments: [
        "https://login.example/token", "http://localhost/token", "http://127.0.0.1:8080/", "http://127.9.9.9/",
        "http://[::1]:80/", "HTTP://LOCALHOST/",
    ])
    func aTokenEndpointIsSecureOrLocal(_ url: String) throws {
        _ = try OAuth2ClientCredentials(
            tokenURL: Fixture.url(url),
            clientID: "c",
            clientSecret: "s",
            dispatcher: MockURLRequestDispatcher(transport: MockTransport(answers: []))
        )
    }

    @Test(arguments: [
        "http://login.example/token", "http://localhost.example/", "http://127.0.0.1.example/", "http://127.1/",
        "http://127.0.0.256/", "http://10.0.0.1/", "http://[::2]/", "ftp://localhost/", "https://u:p@login.example/",
        "http://127.0.0.1@evil.example/",
    ])
    func anyOtherIsRefused(_ url: String) {
        #expect(throws: AuthenticationError(.insecureTokenURL)) {
            try OAuth2ClientCredentials(
                tokenURL: Fixture.url(url),
                clientID: "c",
                clientSecret: "s",
                dispatcher: MockURLRequestDispatcher(transport: MockTransport(answers: []))
            )
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308], [OAuth2ClientCredentials.ClientAuthentication.basic, .body])
    func noTokenComesFromAnotherOrigin(
        _ status: Int,
        _ place: OAuth2ClientCredentials.ClientAuthentication
    ) async throws {
        let location: HTTPHeaderFields = ["Location": "https://other.example/token"]
        let transport = MockTransport(answers: [
            MockAnswer(StatusCode(rawValue: status), headers: ["Location": "/moved"]),
            MockAnswer(StatusCode(rawValue: status), headers: location),
            MockAnswer(.ok, body: #"{"access_token":"a","token_type":"bearer"}"#),
        ])
        let client = try OAuth2ClientCredentials(
            tokenURL: Self.tokenURL,
            clientID: "c",
            clientSecret: SecretSearch.secret,
            clientAuthentication: place,
            dispatcher: MockURLRequestDispatcher(transport: transport)
        )
        let error = try await failure { try await client.token() }
        #expect(TransportError.Code.unsafeRedirect ~= error, "\(error)")
        #expect(!"\(error)".contains(SecretSearch.secret))
        #expect(transport.requests.map { $0.url.path } == ["/token", "/moved"])
    }

    @Test(arguments: [OAuth2ClientCredentials.ClientAuthentication.basic, .body])
    func theSecretIsInTheFieldOrInTheForm(_ place: OAuth2ClientCredentials.ClientAuthentication) async throws {
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport(answers: [MockAnswer(.ok, body: #"{"access_token":"a","token_type":"bearer"}"#)])
        )
        let secret = "a&b=c d+:\(SecretSearch.secret)"
        let client = try OAuth2ClientCredentials(
            tokenURL: Self.tokenURL,
            clientID: "c:d",
            clientSecret: secret,
            scope: "r",
            clientAuthentication: place,
            dispatcher: dispatcher
        )
        _ = try await client.token()
        let request = try #require(dispatcher.requests.first)
        let text = String(decoding: request.body, as: UTF8.self)
        let items = URLComponents(string: "?" + text.replacingOccurrences(of: "+", with: "%20"))?.queryItems ?? []
        let values = Dictionary(items.map { ($0.name, $0.value) }) { $1 }
        switch place {
        case .basic:
            #expect(values == ["grant_type": "client_credentials", "scope": "r"])
            #expect(request["Authorization"]?.hasPrefix("Basic ") ?? false)
        case .body:
            #expect(
                values == [
                    "grant_type": "client_credentials", "scope": "r", "client_id": "c:d", "client_secret": secret,
                ]
            )
            #expect(request["Authorization"] == nil)
        }
        for showing in SecretSearch.showings(of: client) { #expect(!showing.tells, "\(showing.way): \(showing.text)") }
    }

    @Test(arguments: [
        // RFC 6749 §5.1.
        (#"{"access_token":"a","token_type":"example","expires_in":3600}"#, nil as String?, nil as Duration?),
        (#"{"access_token":"a","token_type":"Bearer","expires_in":3600}"#, "a", .seconds(3600)),
        (#"{"access_token":"a","token_type":"bearer"}"#, "a", nil),
        (#"{"access_token":"a","token_type":"BEARER","expires_in":"60","scope":"r","x":[1]}"#, "a", .seconds(60)),
        (#"{"access_token":"a","token_type":"bearer","expires_in":-1}"#, "a", nil),
        (#"{"access_token":"a","token_type":"bearer","expires_in":0}"#, "a", nil),
        (#"{"access_token":"a","token_type":"bearer","expires_in":1e300}"#, "a", .seconds(1_000_000_000)),
        (#"{"access_token":"a","token_type":"bearer","expires_in":"nan"}"#, "a", nil),
        (#"{"access_token":"a","token_type":"bearer","expires_in":[],"scope":5}"#, "a", nil),
        (#"{"access_token":"","token_type":"bearer"}"#, nil, nil),
        (#"{"access_token":"a\r\nX: y","token_type":"bearer"}"#, nil, nil),
        (#"{"access_token":5,"token_type":"bearer"}"#, nil, nil),
        (#"{"access_token":"a"}"#, nil, nil), (#"{"token_type":"bearer"}"#, nil, nil),
        ("[]", nil, nil), ("", nil, nil), ("<html>", nil, nil), ("null", nil, nil),
        (String(repeating: "[", count: 600), nil, nil),
    ])
    func aResponseIsReadDefensively(_ json: String, _ value: String?, _ lifetime: Duration?) throws {
        guard let value else {
            #expect(throws: AuthenticationError(.invalidTokenResponse, statusCode: .ok)) { try Self.token(json) }
            return
        }
        let token = try Self.token(json)
        #expect(token.value == value)
        #expect(token.lifetime == lifetime)
        #expect(token.authorization == "Bearer \(value)")
    }

    @Test func aResponseThatIsTooLongIsRefused() {
        let json = #"{"access_token":"a","token_type":"bearer","x":"\#(String(repeating: "x", count: 65_536))"}"#
        #expect(throws: AuthenticationError(.invalidTokenResponse, statusCode: .ok)) { try Self.token(json) }
    }

    @Test(arguments: [
        (400, #"{"error":"invalid_scope","error_description":"pl4nted-S3cret"}"#, "invalid_scope" as String?),
        (401, #"{"error":"invalid_client"}"#, "invalid_client"), (400, #"{"error":"pl4nted-S3cret"}"#, nil),
        (400, #"{"error":5}"#, nil), (503, "pl4nted-S3cret", nil), (302, "", nil),
        (400, #"{"access_token":"pl4nted-S3cret","token_type":"bearer"}"#, nil),
    ])
    func aRefusalIsTypedAndShowsNoSecret(_ status: Int, _ json: String, _ serverError: String?) async throws {
        let client = try client([MockAnswer(StatusCode(rawValue: status), body: json)], secret: SecretSearch.secret)
        let error = try await failure { try await client.token() }
        let expected = AuthenticationError(
            .tokenRefused,
            statusCode: StatusCode(rawValue: status),
            serverError: serverError
        )
        #expect(error as? AuthenticationError == expected)
        for value in [client, error] as [Any] {
            for showing in SecretSearch.showings(of: value) {
                #expect(!showing.tells, "\(showing.way): \(showing.text)")
            }
        }
    }

    @Test func aTokenShowsNoSecret() throws {
        let token = try Self.token(#"{"access_token":"\#(SecretSearch.secret)","token_type":"bearer"}"#)
        for showing in SecretSearch.showings(of: token) { #expect(!showing.tells, "\(showing.way): \(showing.text)") }
    }
}
