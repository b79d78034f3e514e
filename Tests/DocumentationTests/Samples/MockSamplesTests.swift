import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of "Testing with mocks", and those in the comments of the mocks.
@Suite(.timeLimit(.generous))
struct MockSamplesTests {
    private let post = Post(id: 1, title: "Hello")
    private let request = Fixture.request

    @Test func callback() async throws {
        let dispatcher = MockURLRequestDispatcher { request in
            try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
        }
        let response = try await dispatcher.data(for: request)

        #expect(try response.decode(Post.self).title == "Hello")
    }

    @Test func answers() async throws {
        let transport = MockTransport { request in
            switch request.path {
            case "/posts/1": try .json(post)
            case "/slow": MockAnswer(.ok, pieces: ["one", .init("two", after: .seconds(1))], after: .seconds(2))
            case "/broken": MockAnswer(.ok, pieces: ["half"], ending: .failure(TransportError(.connectionLost)))
            case "/offline": .failure(TransportError(.cannotConnect))
            case "/silent": .hang
            default: MockAnswer(.notFound)
            }
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport)

        #expect(try await dispatcher.data(for: request).validated(.json).decode(Post.self).title == "Hello")
        for (path, code) in [("/broken", TransportError.Code.connectionLost), ("/offline", .cannotConnect)] {
            let error = try await failure { try await dispatcher.data(from: Fixture.url("https://example.com" + path)) }
            #expect(code ~= error)
        }
        let missing = try await dispatcher.data(from: Fixture.url("https://example.com/elsewhere"))
        #expect(missing.statusCode == .notFound)
    }

    @Test func answersOfAllKinds() {
        let plain = MockAnswer(.notFound)
        let text = MockAnswer(.ok, headers: ["Content-Type": "text/plain"], body: "hello")
        let slow = MockAnswer(.ok, pieces: ["one", .init("two", after: .seconds(1))], after: .seconds(2))
        let broken = MockAnswer(.ok, pieces: ["half"], ending: .failure(TransportError(.connectionLost)))
        let refused = MockAnswer.failure(TransportError(.cannotConnect))
        let silent = MockAnswer.hang

        let codes = [plain, text, slow, broken, refused, silent].map(\.statusCode)
        #expect(codes == [.notFound, .ok, .ok, .ok, nil, nil])
    }

    private struct RetryUnavailable: Interceptor {
        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            let response = try await next(request)
            return response.head.statusCode == .serviceUnavailable ? try await next(request) : response
        }
    }

    @Test func answersInARow() async throws {
        let transport = MockTransport(answers: [MockAnswer(.serviceUnavailable), MockAnswer(.ok, body: "[]")])
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [RetryUnavailable()])
        let response = try await dispatcher.data(for: request)

        #expect(try response.decodeString() == "[]")
        #expect(transport.requests.count == 2)
    }

    @Test func sequences() async throws {
        let posts = MockSequence([MockAnswer(.serviceUnavailable), MockAnswer(.ok, body: "[]")])
        let transport = MockTransport { request in
            request.path == "/posts" ? try posts.next() : MockAnswer(.notFound)
        }

        let dispatcher = MockURLRequestDispatcher(transport: transport)
        for (path, code) in [("/posts", StatusCode.serviceUnavailable), ("/other", .notFound), ("/posts", .ok)] {
            #expect(try await dispatcher.data(from: Fixture.url("https://example.com" + path)).statusCode == code)
        }
    }

    @Test func transports() async throws {
        let transport = MockTransport { request in
            request.path == "/posts/1" ? try .json(post) : MockAnswer(.notFound)
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport)

        #expect(try await dispatcher.data(for: request).statusCode == .ok)
    }

    @Test func requests() async throws {
        let request = URLRequest(url: Fixture.url("https://example.com/posts"), method: .post)
        let dispatcher = MockURLRequestDispatcher(transport: MockTransport(answers: [MockAnswer(.created)]))

        let created = try await dispatcher.upload(for: request, from: .data(Data("new".utf8))).response()
        let sent = try #require(dispatcher.requests.last)
        #expect(sent.method == "POST" && sent.path == "/posts")
        #expect(sent.body == Data("new".utf8))

        #expect(created.statusCode == .created)
    }

    @Test func time() async throws {
        let clock = ManualClock()
        let transport = MockTransport(answers: [MockAnswer(.ok, after: .seconds(90))], clock: clock)
        let dispatcher = MockURLRequestDispatcher(transport: transport)

        let task = Task { try await dispatcher.data(for: request) }
        _ = try await transport.requests(atLeast: 1)
        clock.advance(by: .seconds(90))
        await #expect(throws: TransportError.self) { try await task.value }
    }

    @Test func theSafeOrder() async throws {
        let clock = ManualClock()
        let dispatcher = MockURLRequestDispatcher(transport: MockTransport(answers: [.hang], clock: clock))

        let task = Task { try await dispatcher.data(for: request) }
        let waits = try await clock.sleepers(within: .seconds(60))
        clock.advance(by: try #require(waits.last))
        await #expect(throws: TransportError.self) { try await task.value }
    }

    @Test func deadlines() async throws {
        let clock = ManualClock()
        let dispatcher = URLRequestDispatcher(transport: MockTransport(answers: [.hang], clock: clock))
        let other = URLRequestDispatcher(transport: MockTransport(answers: [.hang], clock: clock))

        let options = dispatcher.configuration.options.with {
            $0.deadline = TransferClock(clock).instant + .milliseconds(400)
        }
        let prices = Task { try await dispatcher.data(for: request, options: options) }
        let stock = Task { try await other.data(for: request, options: options) }
        try await clock.sleepers(2, within: .milliseconds(400))
        clock.advance(by: .milliseconds(400))
        await #expect(throws: TransportError.self) { try await prices.value }
        await #expect(throws: TransportError.self) { try await stock.value }
    }

    @Test func repeatedAnswers() async throws {
        let transport = MockTransport(answers: [MockAnswer(.serviceUnavailable)], afterLast: .repeatLast)

        let dispatcher = MockURLRequestDispatcher(transport: transport)
        for _ in 1...3 { #expect(try await dispatcher.data(for: request).statusCode == .serviceUnavailable) }
    }

    @Test func retries() async throws {
        let clock = ManualClock()
        let transport = MockTransport(answers: [MockAnswer(.serviceUnavailable), MockAnswer(.ok)], clock: clock)
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [RetryPolicy()])

        async let response = dispatcher.data(for: request)
        try await clock.sleepers(within: .seconds(20))
        clock.advance(by: .seconds(20))
        #expect(try await response.statusCode == .ok)
    }

    @Test func timesOfRetries() async throws {
        let clock = ManualClock()
        let transport = MockTransport(answers: [MockAnswer(.serviceUnavailable)], clock: clock)

        let policy = RetryPolicy(retries: 1, backoff: Backoff(base: .seconds(2), jitter: .none))
        let patient = MockURLRequestDispatcher(transport: transport, interceptors: [policy])
        let task = Task { try await patient.data(for: request) }
        #expect(try await clock.sleepers(within: .seconds(20)) == [.seconds(2)])
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func queries() async throws {
        let transport = MockTransport(answers: [MockAnswer(.ok)])
        let dispatcher = MockURLRequestDispatcher(transport: transport)
        let url = Fixture.url("https://example.com/posts").appending(query: ["page": 2, "tag": ["a b", "c+d"]])
        _ = try await dispatcher.data(from: url)
        let request = try #require(transport.requests.first)

        let page = request.query["page"]
        let tags = request.query.values(for: "tag")

        #expect(page == "2" && tags == ["a b", "c+d"] && request.query["absent"] == nil)
    }

    @Test func theRealDispatcher() async throws {
        let transport = MockTransport(answers: [MockAnswer(.ok, pieces: ["one\n", "two\n"])])
        let dispatcher = URLRequestDispatcher(transport: transport)
        let lines = try await dispatcher.stream(for: request).data.lines

        #expect(try await lines.reduce(into: []) { $0.append($1) } == ["one", "two"])
    }
}
