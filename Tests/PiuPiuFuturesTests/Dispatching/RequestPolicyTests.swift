import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// What PiuPiu 1 left to the defaults of `URLSession`, seen through futures.
@MainActor
@Suite(.timeLimit(.generous))
struct RequestPolicyTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()

    init() throws {
        server = try LoopbackServer()
    }

    // K24
    @Test func aRedirectToAnotherServerLeavesSecretsBehind() async throws {
        let other = try LoopbackServer()
        other.route("/new", .response(body: "ok"))
        server.route("/same", .redirect(to: "/old"))
        server.route("/old", .redirect(to: other.url("/new").absoluteString))
        var request = URLRequest(url: server.url("/same"))
        request.setValue("Bearer 1", forHTTPHeaderField: "Authorization")
        request.setValue("fr", forHTTPHeaderField: "Accept-Language")
        let response = try await dispatcher.dataFuture(from: request).fetchResult()
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer 1", "Bearer 1"])
        #expect(other.requests.map { $0.header("Authorization") } == [nil])
        #expect(other.requests.map { $0.header("Accept-Language") } == ["fr"])
        #expect(response.history.count == 2)
        #expect(response.urlRequest.url == other.url("/new"))
    }

    // K24
    @Test func whetherRedirectsAreFollowedCanBeChosen() async throws {
        server.route("/", .redirect(to: "/"))
        let none = URLRequestDispatcher.forTests { $0.redirects = nil }
        let response = try await none.dataFuture(from: URLRequest(url: server.url("/"))).fetchResult()
        #expect(response.statusCode == .found)
        #expect(server.requests.count == 1)
        // If they are followed, redirects without end are an error.
        let error = try await failure {
            try await dispatcher.dataFuture(from: URLRequest(url: server.url("/"))).fetchResult()
        }
        #expect(error is TransportError)
    }

    // K24, rule 15: Foundation's session for Linux waits forever here.
    @Test(
        arguments: [RequestForm.data, .dataClosure, .upload, .uploadBody, .uploadClosure],
        ["Basic realm=\"here\"", "Bearer", "Unknown x=1"]
    )
    func aChallengeIsAResponse(form: RequestForm, challenge: String) async throws {
        server.route("/", .response(status: 401, headers: ["WWW-Authenticate": challenge], body: "who?"))
        let response = try await form.future(dispatcher, server.url("/")).fetchResult()
        #expect(response.httpError == .clientError(.unauthorized))
        #expect(response.data == "who?")
        #expect(server.requests.count == 1)
    }

    // K24
    @Test func nothingIsCached() async throws {
        server.sequence(
            "/",
            ["1", "2", "3"].map { body in
                [.response(headers: ["Cache-Control": "public, max-age=3600", "ETag": "\"a\""], body: body)]
            }
        )
        for body in ["1", "2", "3"] {
            let future = dispatcher.dataFuture(from: URLRequest(url: server.url("/"))).decodedString()
            #expect(try await future.fetchResult().data == body)
        }
        #expect(server.requests.allSatisfy { $0.header("If-None-Match") == nil })
    }

    // K24
    @Test func responsesSayWhatTheyTook() async throws {
        server.route("/", .response(body: "ok"))
        for isReused in [false, true] {
            let response = try await RequestForm.data.future(dispatcher, server.url("/")).fetchResult()
            let metrics = try #require(response.metrics)
            #expect(metrics.isReusedConnection == isReused)
            #expect(metrics.total > .zero && metrics.total >= metrics.firstByte)
        }
    }
}
