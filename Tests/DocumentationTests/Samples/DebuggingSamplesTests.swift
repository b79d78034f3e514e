import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of the article on debugging requests.
@Suite(.timeLimit(.generous)) struct DebuggingSamplesTests {
    private let url = Fixture.url("https://example.com/posts?draft=1")

    @Test func requests() throws {
        let print = Printed()
        var request = URLRequest(url: url, method: .post)
        try request.setJSONBody(["title": "It's here"])
        print(try request.curlCommand(showingSecrets: true))

        // The codings are those that the system's libraries know.
        let lines = print.lines.joined().split(separator: "\n").filter { !$0.contains("Accept-Encoding: ") }
        #expect(
            lines.joined(separator: "\n") == #"""
                curl -q --globoff --path-as-is \
                  --url 'https://example.com/posts?draft=1' \
                  --compressed \
                  --header 'Content-Type: application/json' \
                  --header 'Expect:' \
                  --header 'User-Agent: PiuPiu/2.0' \
                  --data-raw '{"title":"It'\''s here"}'
                """#
        )

        request.setValue("Bearer 42", forHTTPHeaderField: "Authorization")
        print(try request.curlCommand())
        #expect(print.lines.last?.contains("--url 'https://example.com/posts?<redacted>'") == true)
        #expect(print.lines.last?.contains("--header 'Authorization: <redacted>'") == true)
        #expect(print.lines.last?.contains("42") == false)
    }

    private static let log = Locked<[String]>([])

    private static func print(_ line: String) {
        log.withLock { $0.append(line) }
    }

    struct CurlLog: Interceptor {
        var interceptsEachHop: Bool { true }
        var distinguishesCallers: Bool { false }

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            print(try await request.curlCommand())
            return try await next(request)
        }
    }

    @Test func interceptors() async throws {
        let transport = MockTransport { _ in MockAnswer(.ok) }
        var configuration = URLRequestDispatcher.Configuration()
        configuration.additionalHeaders[.userAgent] = "Reader/1.0"
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [CurlLog()],
            transport: transport
        )
        _ = try await dispatcher.upload(for: URLRequest(url: url, method: .put), from: .data(Data("hello".utf8)))
            .response()
        let line = Self.log.withLock { $0.joined() }
        #expect(line.contains("--request 'PUT'") && line.contains("--data-raw '<redacted>'"))
    }

    /// Adds a header field, as adapters of an app do.
    private struct Language: URLRequestAdapter {
        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            var request = urlRequest
            request.setValue("fr", forHTTPHeaderField: "Accept-Language")
            return request
        }
    }

    /// The first credential is refused, so that the policy sends the request a second time.
    @Test func theLogShowsWhatIsReallySent() async throws {
        let url = Fixture.url("https://example.com/refused-once")
        let transport = MockTransport(answers: [MockAnswer(.unauthorized), MockAnswer(.ok)])
        let policy = try AuthenticationPolicy<String>(
            origins: [url],
            credential: "old",
            apply: { $1.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") },
            refresh: { _ in "new" }
        )
        let dispatcher = URLRequestDispatcher(
            interceptors: [policy, CurlLog()],
            requestAdapters: [Language()],
            transport: transport
        )
        #expect(try await dispatcher.data(from: url).statusCode == .ok)

        let lines = Self.log.withLock { $0.filter { $0.contains("/refused-once") } }
        #expect(transport.requests.map { $0["Authorization"] } == ["Bearer old", "Bearer new"])
        #expect(lines.count == 2)
        for line in lines {
            #expect(line.contains("--header 'Authorization: <redacted>'"))
            #expect(line.contains("--header 'Accept-Language: fr'"))
        }
    }
}
