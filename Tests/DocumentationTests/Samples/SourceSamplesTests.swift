import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples in the `///` comments of Sources, some of them run against a server.
@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.generous))
struct SourceSamplesTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()

    init() throws {
        server = try Surroundings.server()
    }

    struct CachedResponse: ResponseInterface {
        let data: Data?
        let urlRequest: URLRequest
        let urlResponse: URLResponse
        let storedAt: Date
    }

    @Test func responseInterface() async throws {
        let response = try await dispatcher.data(from: server.url("/posts/1"))
        let cached = CachedResponse(
            data: response.data,
            urlRequest: response.urlRequest,
            urlResponse: response.urlResponse,
            storedAt: Date()
        )
        #expect(try cached.decode(Post.self).title == "Hello")
    }

    private func sharedDeadline(_ userRequest: URLRequest) async throws -> Response<Data?> {
        func postsRequest(of user: User) -> URLRequest { userRequest }
        var options = dispatcher.configuration.options
        options.deadline = .now + .seconds(5)
        let user = try await dispatcher.data(for: userRequest, options: options).decode(User.self)
        let posts = try await dispatcher.data(for: postsRequest(of: user), options: options)
        return posts
    }

    private func reference(on page: URL) -> URL? {
        URL(reference: "/list?filter=%22a%22&ids[]=1", relativeTo: page)  // …/list?filter=%22a%22&ids%5B%5D=1
    }

    @Test func references() {
        let url = reference(on: Fixture.url("https://example.com/a/b?c"))
        #expect(url?.absoluteString == "https://example.com/list?filter=%22a%22&ids%5B%5D=1")
    }

    @Test func transportError() async throws {
        let print = Printed()
        let request = URLRequest(url: server.url("/posts/1"))

        do {
            let response = try await dispatcher.data(for: request)
            print(response)
        } catch TransportError.Code.timeout(.connect) {
            // the server could not be reached in time
        } catch let error as TransportError where error.isSafeToRetry {
            // the server has not processed the request
        }

        #expect(print.lines.count == 1)
    }

    struct CannedTransport: HTTPTransport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let url = request.urlRequest.url ?? URL(filePath: "/")
            return TransportResponse(
                head: ResponseHead(url: url, statusCode: .ok),
                body: Data("hello".utf8),
                urlRequest: request.urlRequest
            )
        }
        func shutdown() async {}
        func invalidateAndCancel() {}
    }

    @Test func transport() async throws {
        let dispatcher = URLRequestDispatcher(transport: CannedTransport())
        #expect(try await dispatcher.data(from: Fixture.url).decodeString() == "hello")
    }

    @Test func dispatcher() async throws {
        let url = server.url("/posts/1")

        let dispatcher = URLRequestDispatcher()
        let response = try await dispatcher.data(for: URLRequest(url: url, method: .get))
        let post = try response.decode(Post.self)

        #expect(post.title == "Hello")
    }

    @Test func configuration() {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.timeouts = .init(connect: .seconds(5), idle: .seconds(30), total: .seconds(60))
        configuration.connections = .init(perHost: 8, total: 256)
        configuration.maximumBufferedBody = 16 * 1024 * 1024

        #expect(configuration.options.timeouts.idle == .seconds(30))
        #expect(configuration.transport.connections.perHost == 8)
    }

    protocol TokenStore: Sendable {
        func current() async throws -> String
    }

    struct FixedTokens: TokenStore {
        func current() async throws -> String { "a token" }
    }

    struct TokenAdapter: URLRequestAdapter {
        let tokens: any TokenStore

        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            var request = urlRequest
            request.setValue("Bearer \(try await tokens.current())", forHTTPHeaderField: "Authorization")
            return request
        }
    }

    @Test func adapter() async throws {
        let dispatcher = URLRequestDispatcher(requestAdapters: [TokenAdapter(tokens: FixedTokens())])
        _ = try await dispatcher.data(from: server.url("/posts/1"))
        #expect(server.requests.first?.header("Authorization") == "Bearer a token")
    }

    /// What the three validations make of a request.
    private func validate(_ request: URLRequest) async throws -> String {
        let post = try await dispatcher.data(for: request).validated().decode(Post.self)
        let list = try await dispatcher.data(for: request).validated(.json).decode([Post].self)
        let file = try await dispatcher.data(for: request).validated(.statusCodes(200..<300).mediaTypes(["image/*"]))

        return "\(post) \(list) \(file)"
    }

    @Test func validation() async throws {
        let error = await #expect(throws: UnacceptableResponseError.self) {
            try await validate(URLRequest(url: server.url("/missing")))
        }
        #expect(error?.httpError == .clientError(.notFound))
    }

    struct Problem: Decodable {
        let message: String
    }

    /// What the sample shows for a request.
    private func refusals(_ request: URLRequest) async throws -> [String] {
        let shown = Locked<[String]>([])
        func show(_ value: some Any) { shown.withLock { $0.append("\(value)") } }

        do {
            show(try await dispatcher.data(for: request).validated(.json).decode(Post.self))
        } catch StatusCode.notFound {
            show("There is no such post.")
        } catch let error as UnacceptableResponseError {
            let problem = try? error.decode(Problem.self)
            show(problem?.message ?? "\(error)")
        }

        return shown.withLock { $0 }
    }

    @Test func refusedResponses() async throws {
        server.route("/quota", .json(#"{"message":"pay"}"#, status: 402))
        #expect(try await refusals(URLRequest(url: server.url("/missing"))) == ["There is no such post."])
        #expect(try await refusals(URLRequest(url: server.url("/quota"))) == ["pay"])
    }

    /// What the sample shows for a client of an API.
    private func undecodable(_ dispatcher: URLRequestDispatcher) async throws -> [String] {
        let shown = Locked<[String]>([])
        func show(_ value: some Any) { shown.withLock { $0.append("\(value)") } }
        func print(_ text: String) { show(text) }

        do {
            let post: Post = try await dispatcher.get("posts/1")
            show(post)
        } catch let error as UndecodableResponseError {
            show("\(error)")
            print(String(decoding: error.body, as: UTF8.self))
        }

        return shown.withLock { $0 }
    }

    @Test func responsesThatAreSomethingElse() async throws {
        server.route("/html/posts/1", .response(headers: ["Content-Type": "text/html"], body: "<p>Log in</p>"))
        let dispatcher = URLRequestDispatcher.forTests { $0.baseURL = server.url("/html") }
        let shown = try await undecodable(dispatcher)
        #expect(shown.count == 2 && shown.last == "<p>Log in</p>")
    }

    @Test func textOfAPage() async throws {
        let url = server.url("/page")
        let type = "text/plain; charset=iso-8859-1"
        let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: 4\r\n\r\n"
        server.route("/page", .send(head), .send(Data([0x63, 0x61, 0x66, 0xE9])))

        let page = try await dispatcher.data(from: url).validated().decodeText()

        #expect(page == "café")
    }

    /// What the sample prints for a status code.
    private func words(for response: Response<Data?>) -> [String] {
        let print = Printed()

        switch response.statusCode {
        case .ok, .notModified: print("here it is")
        case .notFound: print("there is no such post")
        case .tooManyRequests, .other(529): print("later")
        case let code: print("unexpected:", code.rawValue)
        }

        return print.lines
    }

    @Test func statusCodes() async throws {
        let codes: [StatusCode] = [.ok, .other(404), .other(429), .other(529), .other(299)]
        let lines = codes.flatMap { words(for: Fixture.response(nil, $0)) }
        #expect(lines == ["here it is", "there is no such post", "later", "later", "unexpected: 299"])

        var shown: Post?
        func show(_ post: Post?) { shown = post }
        let request = URLRequest(url: server.url("/missing"))

        do {
            show(try await dispatcher.data(for: request).validated().decode(Post.self))
        } catch StatusCode.notFound {
            show(nil)
        }

        #expect(shown == nil)
    }

    @Test func customMethod() async throws {
        server.route("PROPFIND", "/dav", .response(status: 207))
        let url = server.url("/dav")

        let request = URLRequest(url: url, method: HTTPMethod("PROPFIND"))
        let response = try await dispatcher.data(for: request)

        #expect(response.statusCode == .multiStatus)
    }

    struct RetryOnce: Interceptor {
        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            do {
                return try await next(request)
            } catch let error as TransportError where error.isSafeToRetry {
                return try await next(request)
            }
        }
    }

    @Test func interceptor() async throws {
        let attempts = SampleCounter()
        let dispatcher = URLRequestDispatcher(interceptors: [RetryOnce(), attempts])
        let gone = try RefusingPort()
        _ = try await failure { try await dispatcher.data(from: gone.url) }
        #expect(await attempts.count.value == 2)
    }
}
