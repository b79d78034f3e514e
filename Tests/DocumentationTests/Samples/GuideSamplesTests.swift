import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of the articles in PiuPiuAsync.docc, run against a server.
@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.generous))
struct GuideSamplesTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()

    init() throws {
        server = try Surroundings.server()
    }

    @Test func landingPage() async throws {
        let url = server.url("/posts/1")

        let dispatcher = URLRequestDispatcher()
        let response = try await dispatcher.data(from: url)
        let post = try response.validated().decode(Post.self)

        #expect(post.title == "Hello")
    }

    // MARK: Getting started

    @Test func lookingAtTheResponse() async throws {
        let print = Printed()
        let url = server.url("/text")

        let response = try await dispatcher.data(for: URLRequest(url: url, method: .get))
        switch response.statusCode {
        case .ok:
            print(try response.decodeText())
        case .noContent, .notModified:
            print("There is nothing new.")
        default:
            print("It is \(response.statusCode.rawValue).")
        }
        print(response.headers["Content-Type"] ?? "no type", response.headers.values(for: "Set-Cookie").count)

        #expect(print.lines == ["text", "text/plain 0"])
    }

    @Test func sendingJSON() async throws {
        server.route("PUT", "/posts/7", .response(status: 204))
        let url = server.url("/posts/7")

        var request = URLRequest(url: url, method: .put)
        try request.setJSONBody(Post(id: 7, title: "Hello"))
        let response = try await dispatcher.data(for: request).validated(.success)
        let saved = try response.decodeIfPresent(Post.self)

        #expect(saved == nil)
        #expect(server.requests.last?.header("Content-Type") == "application/json")
    }

    @Test func severalAtOnce() async throws {
        let urls = [server.url("/posts/1"), server.url("/posts/2")]

        let titles = try await withThrowingTaskGroup(of: String.self) { group in
            for url in urls {
                group.addTask { try await dispatcher.data(from: url).validated().decode(Post.self).title }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(Set(titles) == ["Hello", "Bye"])
    }

    struct CannedTransport: HTTPTransport {
        let json: String

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let url = request.urlRequest.url ?? URL(filePath: "/")
            let head = ResponseHead(url: url, statusCode: .ok, headers: ["Content-Type": "application/json"])
            return TransportResponse(head: head, body: Data(json.utf8), urlRequest: request.urlRequest)
        }

        func shutdown() async {}
        func invalidateAndCancel() {}
    }

    @Test func testing() async throws {
        let url = Fixture.url

        let dispatcher = URLRequestDispatcher(transport: CannedTransport(json: #"{"id":1,"title":"Hello"}"#))
        let post = try await dispatcher.data(from: url).validated(.json).decode(Post.self)

        #expect(post.title == "Hello")
    }

    @Test func end() async throws {
        await dispatcher.shutdown()

        let error = try await failure { try await dispatcher.data(from: server.url("/posts/1")) }
        #expect((error as? TransportError)?.code == .shutDown)
    }

    // MARK: Errors

    struct Problem: Decodable {
        let message: String
    }

    @Test func answersThatSayNo() async throws {
        let print = Printed()
        let request = URLRequest(url: server.url("/missing"))

        let response = try await dispatcher.data(for: request)
        if let error = response.httpError {
            let problem = try response.decodeIfPresent(Problem.self)
            print(error.statusCode.rawValue, problem?.message ?? "")
        }

        #expect(print.lines == ["404 no such post"])
    }

    @Test func validation() async throws {
        let request = URLRequest(url: server.url("/posts"))

        let accepted = try await dispatcher.data(for: request).validated(.statusCodes([.ok, .accepted]))
        let list = try await dispatcher.data(for: request).validated(.json).decode([Post].self)

        #expect(accepted.statusCode == .ok && list.count == 2)
    }

    @Test func refusedResponses() async throws {
        let print = Printed()
        let request = URLRequest(url: server.url("/missing"))

        do {
            let post = try await dispatcher.data(for: request).validated(.json).decode(Post.self)
            print(post.title)
        } catch StatusCode.notFound {
            print("There is no such post.")
        } catch UnacceptableResponseError.Code.contentType {
            print("It is no JSON.")
        } catch let error as UnacceptableResponseError {
            let problem = try? error.decode(Problem.self)
            print(error.statusCode.rawValue, problem?.message ?? "")
        }

        #expect(print.lines == ["There is no such post."])
    }

    /// What the sample prints for a request.
    private func failures(_ request: URLRequest) async throws -> [String] {
        let print = Printed()

        do {
            let response = try await dispatcher.data(for: request)
            print(response)
        } catch TransportError.Code.tls {
            print("The server's certificate is not trusted.")
        } catch TransportError.Code.noConnection {
            print("The server cannot be reached.")
        } catch TransportError.Code.timeout {
            print("The server takes too long.")
        } catch let error as TransportError {
            print(error.code, error.bytesReceived, error.response?.statusCode.rawValue ?? 0)
        }

        return print.lines
    }

    @Test func exchangesThatFail() async throws {
        server.route("GET", "/short", .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close)
        let url = server.url("/posts/1")
        #expect(try await failures(URLRequest(url: url)) == ["HTTP/1.1 200 \(url)"])
        #expect(try await failures(URLRequest(url: server.url("/short"))) == ["truncatedBody 3 200"])
        #expect(try await failures(URLRequest(url: Fixture.url("ftp://example.com"))) == ["unsupportedScheme 0 0"])
    }

    // MARK: Timeouts and limits

    @Test func configuring() async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.timeouts = Timeouts(connect: .seconds(5), head: .seconds(20), total: .seconds(60))
        configuration.connections = ConnectionLimits(perHost: 8, total: 256)
        configuration.maximumBufferedBody = 16 * 1024 * 1024
        configuration.options.decompression = .automatic(maximumRatio: 100)
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        #expect(dispatcher.configuration.timeouts.head == .seconds(20))
    }

    @Test func oneRequestWithLimitsOfItsOwn() async throws {
        func send() async throws {
            let request = URLRequest(url: server.url("/silent"))

            var options = dispatcher.configuration.options
            options.timeouts.total = .milliseconds(500)
            options.maximumBufferedBody = 1024
            let response = try await dispatcher.data(for: request, options: options)

            Issue.record("\(response)")
        }
        #expect((try await failure { try await send() } as? TransportError)?.code == .timeout(.total))
    }

    @Test func namingThePhase() async throws {
        let print = Printed()
        let request = URLRequest(url: server.url("/silent"))
        var options = RequestOptions()
        options.timeouts.head = .milliseconds(50)

        do {
            _ = try await dispatcher.data(for: request, options: options)
        } catch let error as TransportError {
            switch error.code.timeoutPhase {
            case .queue: print("More connections are needed.")
            case .connect: print("The server cannot be reached.")
            case nil: throw error
            default: print("The server is slow.")
            }
        }

        #expect(print.lines == ["The server is slow."])
    }

    // MARK: Interceptors

    /// Adds a token, which may have to be fetched first.
    struct CredentialsAdapter: URLRequestAdapter {
        let token: @Sendable () async throws -> String

        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            var request = urlRequest
            request.setValue("Bearer \(try await token())", forHTTPHeaderField: "Authorization")
            return request
        }
    }

    /// Prints how long each request took, and what came of it.
    struct TimingInterceptor: Interceptor {
        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            let start = ContinuousClock.now
            do {
                let response = try await next(request)
                print(response.head.statusCode.rawValue, start.duration(to: .now))
                return response
            } catch {
                print(error, start.duration(to: .now))
                throw error
            }
        }
    }

    /// Tries up to three times where it is certain that nothing was sent.
    struct RetryUnsent: Interceptor {
        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            for attempt in 1..<3 {
                do {
                    return try await next(request)
                } catch let error as TransportError where error.isSafeToRetry {
                    try await Task.sleep(for: .milliseconds(50 * attempt))
                }
            }
            return try await next(request)
        }
    }

    /// Answers requests for one host without asking it.
    struct Maintenance: Interceptor {
        let host: String

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            guard let url = request.urlRequest.url, url.host() == host else { return try await next(request) }
            let head = ResponseHead(url: url, statusCode: .serviceUnavailable, headers: ["Retry-After": "60"])
            return TransportResponse(head: head, body: nil, urlRequest: request.urlRequest)
        }
    }

    @Test func interceptors() async throws {
        let dispatcher = URLRequestDispatcher(
            interceptors: [TimingInterceptor(), RetryUnsent(), Maintenance(host: "old.example.com")],
            requestAdapters: [CredentialsAdapter { "a token" }]
        )

        let old = try await dispatcher.data(from: Fixture.url("https://old.example.com/"))
        #expect(old.statusCode == .serviceUnavailable && old.headers["Retry-After"] == "60")
        #expect(try await dispatcher.data(from: server.url("/posts/1")).statusCode == .ok)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer a token"])
    }

    @Test func retryEndsAfterThreeAttempts() async throws {
        let attempts = SampleCounter()
        let dispatcher = URLRequestDispatcher(interceptors: [RetryUnsent(), attempts])
        let gone = try RefusingPort()
        let error = try await failure { try await dispatcher.data(from: gone.url) }
        #expect((error as? TransportError)?.code == .cannotConnect)
        #expect(await attempts.count.value == 3)
    }

    @Test func redirects() async throws {
        var strict = URLRequestDispatcher.Configuration()
        strict.redirects = RedirectPolicy(limit: 3)
        var none = URLRequestDispatcher.Configuration()
        none.redirects = nil

        server.route("GET", "/old", .redirect(to: "/posts/1"))
        let url = server.url("/old")
        #expect(try await URLRequestDispatcher(configuration: strict).data(from: url).statusCode == .ok)
        #expect(try await URLRequestDispatcher(configuration: none).data(from: url).statusCode == .found)
    }

    // MARK: Linux

    @Test func threads() async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.eventLoops = 2
        configuration.connections = ConnectionLimits(perHost: 64, total: 512)

        let dispatcher = URLRequestDispatcher(configuration: configuration)
        #expect(try await dispatcher.data(from: server.url("/posts/1")).statusCode == .ok)
    }

    @Test func overURLSession() async throws {
        let overFoundation = URLRequestDispatcher(transport: URLSessionTransport())
        #expect(try await overFoundation.data(from: server.url("/posts/1")).statusCode == .ok)
    }

    @Test func metrics() async throws {
        let print = Printed()
        let url = server.url("/posts/1")

        let response = try await dispatcher.data(from: url)
        if let metrics = response.metrics {
            print("queued", metrics.queued, "first byte", metrics.firstByte, "total", metrics.total)
            print(metrics.isReusedConnection ? "on an open connection" : "on a new one")
        }

        #if os(Linux)
        #expect(print.lines.last == "on a new one")
        #endif
    }
}

/// Counts how often it is asked to send.
struct SampleCounter: Interceptor {
    actor Count {
        private(set) var value = 0
        func increase() { value += 1 }
    }

    let count = Count()

    func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        await count.increase()
        return try await next(request)
    }
}
