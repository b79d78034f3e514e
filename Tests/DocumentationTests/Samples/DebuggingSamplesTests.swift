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
}
