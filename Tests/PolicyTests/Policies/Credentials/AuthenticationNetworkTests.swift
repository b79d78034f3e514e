import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The policy over real connections, with two servers of which one is foreign.
@Suite(.timeLimit(.generous)) struct AuthenticationNetworkTests {
    private let home: LoopbackServer
    private let foreign: LoopbackServer
    private let service = TokenService()

    init() throws {
        home = try LoopbackServer()
        foreign = try LoopbackServer()
        let service = service
        home.route("/page") { request in
            request.header("Authorization") == "Bearer \(service.issued)"
                ? [.response(body: "welcome")] : [.response(status: 401, body: String(repeating: "x", count: 5000))]
        }
        home.route("/away", .redirect(to: foreign.url("/page").absoluteString, status: 307))
        foreign.route("/page", .response(status: 401, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""]))
        foreign.route("/home", .redirect(to: home.url("/page").absoluteString, status: 307))
    }

    @Test func theForeignServerNeverSeesAToken() async throws {
        let dispatcher = URLRequestDispatcher.forTests(interceptors: [try service.policy(origins: [home.baseURL])])
        let urls = [home.url("/page"), home.url("/away"), foreign.url("/page"), foreign.url("/home")]
        let ends = await withTaskGroup(of: String.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let url = urls[number % 4]
                    do {
                        guard number % 8 < 4 else {
                            let stream = try await dispatcher.stream(for: URLRequest(url: url))
                            _ = try await stream.data.collect(upTo: 10_000)
                            return "\(number % 4) \(stream.statusCode.rawValue)"
                        }
                        return "\(number % 4) \(try await dispatcher.data(from: url).statusCode.rawValue)"
                    } catch { return "\(error)" }
                }
            }
            return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(ends == ["0 200": 100, "1 401": 100, "2 401": 100, "3 200": 100])
        #expect(service.refreshes.count == 1)
        #expect(foreign.requests.count == 300)
        #expect(foreign.requests.allSatisfy { $0.header("Authorization") == nil })
        #expect(!foreign.requests.contains { String(decoding: $0.head, as: UTF8.self).contains("token") })
        #expect(home.requests.allSatisfy { $0.header("Authorization") != nil })
        await dispatcher.shutdown()
    }

    @Test func aBearerTokenStaysAtHome() async throws {
        let token = try BearerToken("token1", origins: [home.baseURL])
        let dispatcher = URLRequestDispatcher.forTests()
        await dispatcher.shutdown()
        let adapted = URLRequestDispatcher(requestAdapters: [token])
        #expect(try await adapted.data(from: home.url("/page")).statusCode == .ok)
        #expect(try await adapted.data(from: home.url("/away")).statusCode == .unauthorized)
        #expect(try await adapted.data(from: foreign.url("/page")).statusCode == .unauthorized)
        #expect(foreign.requests.count == 2)
        #expect(foreign.requests.allSatisfy { $0.header("Authorization") == nil })
        await adapted.shutdown()
    }

    @Test func tokensComeFromAnOAuth2Server() async throws {
        foreign.route("POST", "/token") { [service] request in
            let form = String(decoding: request.body, as: UTF8.self)
            guard form == "grant_type=client_credentials&scope=read+w%2Brite",
                request.header("Authorization") == "Basic \(Data("client%3A1:s%C3%A9cret".utf8).base64EncodedString())"
            else { return [.json(#"{"error": "invalid_client"}"#, status: 401)] }
            return [.json(#"{"access_token": "\#(service.issue(nil))", "token_type": "bearer", "expires_in": 86400}"#)]
        }
        let client = try OAuth2ClientCredentials(
            tokenURL: foreign.url("/token"),
            clientID: "client:1",
            clientSecret: "sécret",
            scope: "read w+rite",
            dispatcher: URLRequestDispatcher.forTests()
        )
        let policy = try client.authenticationPolicy(origins: [home.baseURL])
        let dispatcher = URLRequestDispatcher.forTests(interceptors: [policy])
        for _ in 0..<3 { #expect(try await dispatcher.data(from: home.url("/page")).statusCode == .ok) }
        #expect(foreign.requests.count == 1)
        service.revoke()
        #expect(try await dispatcher.data(from: home.url("/page")).attempts.map(\.cause) == [.call, .credentials])
        #expect(foreign.requests.count == 2)
        await dispatcher.shutdown()
    }
}
