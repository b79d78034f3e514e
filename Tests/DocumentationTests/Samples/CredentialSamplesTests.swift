import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples in the comments of the credentials.
@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.generous))
struct CredentialSamplesTests {
    private let server: LoopbackServer
    private var url: URL { server.url("/posts") }
    private var loginURL: URL { server.url("/login") }
    private var tokenURL: URL { server.url("/login") }

    init() throws {
        server = try LoopbackServer()
        server.route("/posts") { request in
            let isKnown = request.header("Authorization")?.hasSuffix("42") ?? false
            return [.response(status: isKnown ? 200 : 401)]
        }
        let tokens =
            #"{"access": "42", "refresh": "43", "expiresIn": 60, "access_token": "42", "token_type": "Bearer"}"#
        server.route("POST", "/login", .json(tokens))
    }

    @Test func bearerToken() async throws {
        let token = try BearerToken("mF_9.B5f-4.1JqM", origins: [url])
        let dispatcher = URLRequestDispatcher(requestAdapters: [token])
        _ = try await dispatcher.data(from: url)
        #expect(server.requests.first?.header("Authorization") == "Bearer mF_9.B5f-4.1JqM")
    }

    @Test func basicCredentials() async throws {
        let credentials = try BasicCredentials(user: "Aladdin", password: "open sesame", origins: [url])
        let dispatcher = URLRequestDispatcher(requestAdapters: [credentials])
        _ = try await dispatcher.data(from: url)
        #expect(server.requests.first?.header("Authorization") == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    }

    @Test func authenticationPolicy() async throws {
        let (url, loginURL) = (url, loginURL)

        struct Tokens: Sendable, Decodable {
            var access: String
            var refresh: String
            var expiresIn: Int
        }

        let login = URLRequestDispatcher()
        let authentication = try AuthenticationPolicy<Tokens>(
            origins: [url],
            lifetime: { .seconds($0.expiresIn) },
            apply: { tokens, request in
                request.setValue("Bearer \(tokens.access)", forHTTPHeaderField: "Authorization")
            },
            refresh: { old in
                var request = URLRequest(url: loginURL, method: .post)
                request.httpBody = try JSONEncoder().encode(["refresh": old?.refresh])
                return try await login.data(for: request).validated().decode(Tokens.self)
            }
        )
        let dispatcher = URLRequestDispatcher(interceptors: [authentication])

        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        #expect(server.requests.map(\.path) == ["/login", "/posts"])
    }

    private func requestToken() async throws -> String { "42" }

    @Test func invalidToken() async throws {
        let authentication = try AuthenticationPolicy<String>(
            origins: [url],
            isRefusal: { AuthenticationPolicy<String>.isInvalidToken($0) },
            apply: { $1.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") },
            refresh: { _ in try await requestToken() }
        )
        let dispatcher = URLRequestDispatcher(interceptors: [authentication])
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
    }

    @Test func clientCredentials() async throws {
        let secret = "secret"

        let client = try OAuth2ClientCredentials(
            tokenURL: tokenURL,
            clientID: "reports",
            clientSecret: secret,
            scope: "reports:read",
            dispatcher: URLRequestDispatcher()
        )
        let authentication = try client.authenticationPolicy(origins: [url])
        let dispatcher = URLRequestDispatcher(interceptors: [authentication])

        #expect(try await dispatcher.data(from: url).statusCode == .ok)
    }
}
