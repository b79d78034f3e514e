import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

struct URLRequestAdapterTests {
    private struct Custom: Error, Equatable {}

    private struct RequestAdapter: URLRequestAdapter {
        let body: @Sendable (inout URLRequest) async throws -> Void

        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            var request = urlRequest
            try await body(&request)
            return request
        }
    }

    private struct ResponseAdapter: URLResponseAdapter {
        let body: @Sendable (URLResponse, URLRequest) async throws -> URLResponse

        func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
            try await body(urlResponse, urlRequest)
        }
    }

    private static func ok() -> ScriptedTransport {
        ScriptedTransport { .scripted(200, for: $0, headers: ["Server": "scripted"], body: "body") }
    }

    private static func dispatcher(_ adapters: ResponseAdapter...) -> URLRequestDispatcher {
        URLRequestDispatcher(responseAdapters: adapters, transport: ok())
    }

    private static func adding(_ value: String) -> RequestAdapter {
        RequestAdapter { $0.addValue(value, forHTTPHeaderField: "X-Path") }
    }

    private static func http(_ statusCode: Int, _ headers: [String: String] = [:]) throws -> HTTPURLResponse {
        try #require(
            HTTPURLResponse(url: Fixture.url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: headers)
        )
    }

    private static let notHTTP = URLResponse(
        url: Fixture.url,
        mimeType: "text/plain",
        expectedContentLength: 0,
        textEncodingName: nil
    )

    @Test func severalRunInOrder() async throws {
        let transport = Self.ok()
        let dispatcher = URLRequestDispatcher(
            requestAdapters: ["a", "b", "c"].map(Self.adding),
            transport: transport
        )
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(transport.requests.first?.urlRequest.value(forHTTPHeaderField: "X-Path") == "a,b,c")
        #expect(response.urlRequest.value(forHTTPHeaderField: "X-Path") == "a,b,c")
    }

    @Test func adaptersRunInsideTheInterceptors() async throws {
        struct Retry: Interceptor {
            func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
                _ = try await next(request)
                return try await next(request)
            }
        }
        let count = Locked(0)
        let counting = RequestAdapter { _ in count.withLock { $0 += 1 } }
        let dispatcher = URLRequestDispatcher(
            interceptors: [Retry()],
            requestAdapters: [counting],
            transport: Self.ok()
        )
        _ = try await dispatcher.data(for: Fixture.request)
        #expect(count.withLock { $0 } == 2)
    }

    @Test func aRequestAdapterThatThrowsEndsTheCall() async {
        let transport = Self.ok()
        let ran = Locked(false)
        let dispatcher = URLRequestDispatcher(
            requestAdapters: [
                RequestAdapter { _ in throw Custom() },
                RequestAdapter { _ in ran.withLock { $0 = true } },
            ],
            transport: transport
        )
        await #expect(throws: Custom()) { try await dispatcher.data(for: Fixture.request) }
        #expect(transport.requests.isEmpty)
        #expect(!ran.withLock { $0 })
    }

    @Test func anAdapterThatWaitsIsCancelledWithTheDispatcher() async {
        let gate = Gate()
        let dispatcher = URLRequestDispatcher(
            requestAdapters: [RequestAdapter { _ in try await gate.wait() }],
            transport: Self.ok()
        )
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await gate.arrival()
        dispatcher.invalidateAndCancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func aResponseAdapterSeesTheRequestThatWasSent() async throws {
        let transport = ScriptedTransport { request in
            request.urlRequest.url?.path() == "/new"
                ? .scripted(200, for: request) : .scripted(302, for: request, headers: ["Location": "/new"])
        }
        let seen = Locked<[URLRequest]>([])
        let dispatcher = URLRequestDispatcher(
            requestAdapters: [Self.adding("a")],
            responseAdapters: [
                ResponseAdapter { response, request in
                    seen.withLock { $0.append(request) }
                    return response
                }
            ],
            transport: transport
        )
        let response = try await dispatcher.data(for: Fixture.request)
        let request = try #require(seen.withLock { $0 }.first)
        #expect(request.value(forHTTPHeaderField: "X-Path") == "a")
        #expect(request.url?.absoluteString == "https://example.com/new")
        #expect(response.history.count == 1)
        #expect(response.statusCode == .ok)
    }

    @Test func responseAdaptersRunInOrderEachWithWhatTheOneBeforeReturned() async throws {
        let first = try Self.http(201)
        let second = try Self.http(202, ["X-Second": "yes"])
        let dispatcher = Self.dispatcher(
            ResponseAdapter { response, _ in
                #expect((response as? HTTPURLResponse)?.statusCode == 200)
                return first
            },
            ResponseAdapter { response, _ in
                #expect(response === first)
                return second
            },
            ResponseAdapter { response, _ in
                #expect(response === second)
                return response
            }
        )
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.statusCode == .accepted)
        #expect(response.headers["x-second"] == "yes")
        #expect(response.headers["Server"] == nil)
        #expect(response.urlResponse === second)
        #expect(response.data == Data("body".utf8))
    }

    @Test func anAdapterThatReturnsTheSameResponseChangesNothing() async throws {
        let dispatcher = Self.dispatcher(ResponseAdapter { response, _ in response })
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.headers == ["Server": "scripted"])
        #expect(try response.makeHTTPResponse().statusCode == .ok)
    }

    @Test func anotherHTTPResponseKeepsTheMetrics() async throws {
        let replacement = try Self.http(201)
        let metrics = ExchangeMetrics(
            queued: .seconds(1),
            firstByte: .seconds(2),
            total: .seconds(3),
            isReusedConnection: true
        )
        let transport = ScriptedTransport { request in
            var response = TransportResponse.scripted(200, for: request)
            response.head = ResponseHead(url: Fixture.url, statusCode: .ok, metrics: metrics)
            return response
        }
        let dispatcher = URLRequestDispatcher(
            responseAdapters: [ResponseAdapter { _, _ in replacement }],
            transport: transport
        )
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.statusCode == .created)
        #expect(response.metrics?.total == .seconds(3))
    }

    @Test func aResponseThatIsNotHTTPHasNoHead() async throws {
        let notHTTP = Self.notHTTP
        let dispatcher = Self.dispatcher(ResponseAdapter { _, _ in notHTTP })
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.urlResponse === notHTTP)
        #expect(response.head == nil)
        #expect(response.statusCode == .other(0))
        #expect(response.headers.isEmpty)
        #expect(response.data == Data("body".utf8))
        #expect(throws: ResponseError.notHTTPResponse) { try response.makeHTTPResponse() }
        #expect(throws: ResponseError.notHTTPResponse) { try response.validated() }
    }

    @Test func aResponseCanBecomeHTTPAgain() async throws {
        let (notHTTP, http) = (Self.notHTTP, try Self.http(202))
        let dispatcher = Self.dispatcher(ResponseAdapter { _, _ in notHTTP }, ResponseAdapter { _, _ in http })
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.statusCode == .accepted)
        #expect(try response.makeHTTPResponse().statusCode == .accepted)
    }

    @Test func aResponseAdapterThatThrowsEndsTheCall() async {
        let dispatcher = Self.dispatcher(ResponseAdapter { _, _ in throw Custom() })
        await #expect(throws: Custom()) { try await dispatcher.data(for: Fixture.request) }
    }

    @Test func responseAdaptersDoNotSeeFailures() async {
        let ran = Locked(false)
        let dispatcher = URLRequestDispatcher(
            responseAdapters: [
                ResponseAdapter { response, _ in
                    ran.withLock { $0 = true }
                    return response
                }
            ],
            transport: ScriptedTransport { _ in throw Custom() }
        )
        await #expect(throws: Custom()) { try await dispatcher.data(for: Fixture.request) }
        #expect(!ran.withLock { $0 })
    }
}
