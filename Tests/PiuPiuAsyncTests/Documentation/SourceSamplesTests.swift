import PiuPiuAsync
import PiuPiuTesting
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
        await #expect(throws: HTTPError.clientError(.notFound)) {
            try await validate(URLRequest(url: server.url("/missing")))
        }
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
