import PiuPiuAsync
import TestSupport
import Testing
@testable import PiuPiuTesting

@Suite(.timeLimit(.generous))
struct MockTransportTests {
    private static func dispatcher(_ answers: MockAnswer...) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher(transport: MockTransport(answers: answers, clock: ManualClock()))
    }

    private struct Oops: Error, Equatable {}

    @Test("Twenty thousand requests are noted in a time that grows with their number")
    func manyRequests() async throws {
        // A clock that stands still: a busy machine must not run into the idle limit.
        let transport = MockTransport(clock: ManualClock()) { _ in MockAnswer(.ok) }
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2500 { _ = try await dispatcher.data(for: Fixture.request) }
                }
            }
            try await group.waitForAll()
        }
        #expect(transport.requests.count == 20_000)
    }

    // MARK: Answers

    @Test func anAnswerIsAResponse() async throws {
        let headers: HTTPHeaderFields = ["X-A": "1", "x-a": "2", "Content-Type": "text/plain"]
        let dispatcher = Self.dispatcher(MockAnswer(.created, headers: headers, body: "hello"))
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.statusCode == .created)
        #expect(response.headers == headers)
        #expect(response.data == Data("hello".utf8))
        #expect(response.urlRequest == Fixture.request)
        #expect(response.head?.url == Fixture.url)
        #expect(response.head?.httpVersion == "HTTP/1.1")
        #expect(response.metrics != nil)
    }

    @Test func anEmptyBodyIsNone() async throws {
        let dispatcher = Self.dispatcher(MockAnswer(.ok), MockAnswer(.ok, body: ""))
        #expect(try await dispatcher.data(for: Fixture.request).data == nil)
        #expect(try await dispatcher.data(for: Fixture.request).data == nil)
    }

    @Test func jsonBringsItsContentType() async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let dispatcher = Self.dispatcher(
            try .json(["b": 1, "a": 2], encoder: encoder),
            try .json([1], .created, headers: ["content-type": "application/problem+json"])
        )
        let first = try await dispatcher.data(for: Fixture.request).validated(.json)
        #expect(first.data == Data(#"{"a":2,"b":1}"#.utf8))
        let second = try await dispatcher.data(for: Fixture.request)
        #expect(second.statusCode == .created)
        #expect(second.headers == ["content-type": "application/problem+json"])
    }

    @Test func errorsReachTheCallerAsTheyAre() async throws {
        let dispatcher = Self.dispatcher(
            .failure(Oops()),
            MockAnswer(.ok, pieces: ["half"], ending: .failure(Oops()))
        )
        await #expect(throws: Oops()) { try await dispatcher.data(for: Fixture.request) }
        await #expect(throws: Oops()) { try await dispatcher.data(for: Fixture.request) }
        await #expect(throws: MockError.noAnswerLeft(count: 2)) { try await dispatcher.data(for: Fixture.request) }
        let throwing = MockTransport { _ in throw Oops() }
        await #expect(throws: Oops()) { try await throwing.send(TransportRequest(Fixture.request)) }
        #expect(throwing.requests.count == 1)
    }

    @Test func brokenMessagesAreErrorsOfTheTransport() async throws {
        let dispatcher = Self.dispatcher(
            MockAnswer(.ok, headers: ["Content-Length": "9"], body: "half"),
            MockAnswer(.other(42))
        )
        var request = Fixture.request
        request.setValue("secret", forHTTPHeaderField: "Authorization")
        let truncated = try await failure { [request] in try await dispatcher.data(for: request) } as? TransportError
        #expect(truncated?.code == .truncatedBody)
        #expect(truncated?.bytesReceived == 4)
        #expect(truncated?.response?.statusCode == .ok)
        #expect(truncated?.request?.value(forHTTPHeaderField: "Authorization") == Redaction.placeholder)
        let malformed = try await failure { try await dispatcher.data(for: Fixture.request) } as? TransportError
        #expect(malformed?.code == .malformedHead)
        #expect(malformed?.response == nil)
    }

    @Test func aBodyThatIsCollectedHasALimit() async throws {
        let dispatcher = Self.dispatcher(
            MockAnswer(.ok, pieces: ["1234", "56"]),
            MockAnswer(.ok, pieces: ["1234", "5"])
        )
        let options = RequestOptions(maximumBufferedBody: 5)
        let error = try await failure { try await dispatcher.data(for: Fixture.request, options: options) }
        #expect(TransportError.Code.bodyTooLarge ~= error)
        #expect((error as? TransportError)?.bytesReceived == 4)
        #expect(try await dispatcher.data(for: Fixture.request, options: options).data == Data("12345".utf8))
    }

    @Test func headHasNoBody() async throws {
        let dispatcher = Self.dispatcher(MockAnswer(.ok, headers: ["Content-Length": "5"], body: "hello"))
        let response = try await dispatcher.data(for: URLRequest(url: Fixture.url, method: .head))
        #expect(response.data == nil)
        #expect(response.headers["Content-Length"] == "5")
    }

    // MARK: Requests

    @Test(arguments: [
        ("ftp://example.com", "GET", nil, TransportError.Code.unsupportedScheme),
        ("http:///nowhere", "GET", nil, .invalidURL),
        ("http://example.com", "G T", nil, .invalidRequest),
        ("http://example.com", "GET", "body", .invalidRequest),
    ])
    func whatMayNotBeSentIsRefused(url: String, method: String, body: String?, code: TransportError.Code) async throws {
        let dispatcher = Self.dispatcher(MockAnswer(.ok))
        let request = URLRequest(method, Fixture.url(url), body: body)
        let error = try await failure { try await dispatcher.data(for: request) }
        #expect(code ~= error)
        #expect(dispatcher.requests.isEmpty)
    }

    @Test func requestsAreTakenDownInOrderWithTheirBodies() async throws {
        let transport = MockTransport { MockAnswer(.ok, body: $0.body) }
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        for index in 0..<3 {
            let url = Fixture.url("https://user:secret@example.com/%C3%A4/\(index)?q=1")
            let response = try await dispatcher.data(
                for: URLRequest("PUT", url, body: "body \(index)", headers: ["X-Index": "\(index)"])
            )
            #expect(response.data == Data("body \(index)".utf8))
        }
        let requests = dispatcher.requests
        #expect(requests.map(\.path) == ["/ä/0", "/ä/1", "/ä/2"])
        #expect(requests.map(\.method) == ["PUT", "PUT", "PUT"])
        #expect(requests.map { String(decoding: $0.body, as: UTF8.self) } == ["body 0", "body 1", "body 2"])
        #expect(requests.map { $0["x-index"] } == ["0", "1", "2"])
        #expect(requests.allSatisfy { $0.isBodyComplete })
        #expect(requests.allSatisfy { $0.delivery == .buffered })
        let texts = Fixture.allTexts(of: try #require(requests.first))
        #expect(texts.contains("PUT https://example.com/"))
        #expect(!texts.contains("secret") && !texts.contains("body 0"))
    }

    @Test func aURLWithoutAPathIsTheRoot() async throws {
        let dispatcher = Self.dispatcher(MockAnswer(.ok))
        _ = try await dispatcher.data(from: Fixture.url("https://example.com"))
        #expect(dispatcher.requests.first?.path == "/")
    }

    @Test func requestsCanBeAwaited() async throws {
        let gate = Gate()
        let transport = MockTransport { _ in
            try await gate.wait()
            return MockAnswer(.ok)
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        async let first = dispatcher.data(for: Fixture.request)
        async let second = dispatcher.data(for: Fixture.request)
        #expect(try await dispatcher.requests(atLeast: 1).count >= 1)
        #expect(try await dispatcher.requests(atLeast: 2).count == 2)
        gate.open()
        _ = try await (first, second)
        #expect(try await transport.requests(atLeast: 0).count == 2)
    }

    @Test func awaitingRequestsEndsWhereNoneCanCome() async throws {
        let dispatcher = Self.dispatcher(MockAnswer(.ok))
        let cancelled = Task { try await dispatcher.requests(atLeast: 1) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let waiting = Task { try await dispatcher.requests(atLeast: 2) }
        _ = try await dispatcher.data(for: Fixture.request)
        await dispatcher.shutdown()
        let error = try await failure { try await waiting.value }
        #expect(TransportError.Code.shutDown ~= error)
        let late = try await failure { try await dispatcher.requests(atLeast: 2) }
        #expect(TransportError.Code.shutDown ~= late)
        #expect(try await dispatcher.requests(atLeast: 1).count == 1)
    }

    // MARK: What stands above it

    @Test func redirectsAreFollowedAsEver() async throws {
        let transport = MockTransport { request in
            request.path == "/end"
                ? MockAnswer(.ok, body: "there")
                : MockAnswer(.found, headers: ["Location": "https://elsewhere.example/end"], body: "moved")
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        let request = URLRequest("POST", Fixture.url, body: "form", headers: ["Authorization": "secret"])
        let response = try await dispatcher.data(for: request)
        #expect(response.data == Data("there".utf8))
        #expect(response.history.map(\.statusCode) == [.found])
        #expect(transport.requests.map(\.method) == ["POST", "GET"])
        #expect(transport.requests.map { $0["Authorization"] } == ["secret", nil])
        #expect(transport.requests.map(\.body) == [Data("form".utf8), Data()])
    }

    private struct RetryOnce: Interceptor {
        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            do { return try await next(request) } catch is Oops { return try await next(request) }
        }
    }

    private struct Marker: URLRequestAdapter, URLResponseAdapter {
        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            var request = urlRequest
            request.setValue("yes", forHTTPHeaderField: "X-Adapted")
            return request
        }

        func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
            URLResponse(url: Fixture.url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        }
    }

    @Test func interceptorsAndAdaptersRun() async throws {
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport(answers: [.failure(Oops()), MockAnswer(.ok)]),
            configuration: .init(additionalHeaders: ["X-Additional": "yes"]),
            interceptors: [RetryOnce()],
            requestAdapters: [Marker()],
            responseAdapters: [Marker()]
        )
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(throws: ResponseError.notHTTPResponse) { try response.makeHTTPResponse() }
        #expect(dispatcher.requests.map { $0["X-Adapted"] } == ["yes", "yes"])
        #expect(dispatcher.requests.map { $0["X-Additional"] } == ["yes", "yes"])
    }

    @Test func theRealDispatcherTakesIt() async throws {
        let transport = MockTransport(answers: [MockAnswer(.ok, body: "hello")])
        let dispatcher = URLRequestDispatcher(transport: transport)
        #expect(try await dispatcher.data(for: Fixture.request).decodeString() == "hello")
        #expect(transport.requests.count == 1)
    }
}
