import LoopbackServer
import PiuPiuAsync
import Testing

/// The samples that the design promises for PiuPiuAsync, as they are written there, up to structured concurrency.
@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.minutes(2)))
struct DesignSamplesTests {
    /// Stands in for the policy that comes later.
    private struct RetryPolicy: Interceptor {
        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            let response = try await next(request)
            return response.head.statusCode == .serviceUnavailable ? try await next(request) : response
        }
    }

    private struct MarkingAdapter: URLRequestAdapter {
        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            var request = urlRequest
            request.setValue("yes", forHTTPHeaderField: "X-Marked")
            return request
        }
    }

    // swift-format-ignore
    @Test func dispatcherAndConfiguration() async throws {
        let server = try Surroundings.server()
        server.sequence("/busy", [[.response(status: 503)], [.response(body: "done")]])
        let url = server.url("/posts/1")
        let request = URLRequest(url: server.url("/posts/2"))
        let logger = SampleCounter()
        let adapter = MarkingAdapter()

        let dispatcher = URLRequestDispatcher()                                // actor, sensible defaults
        let response = try await dispatcher.data(for: URLRequest(url: url, method: .get))   // Response<Data?>
        let post = try response.decode(Post.self)
        let http = try response.makeHTTPResponse()                             // HTTPResponse<Data?>
        if let error = http.httpError { throw error }                          // 4xx/5xx are not thrown by themselves
        let post2 = try await dispatcher.data(for: request).validated().decode(Post.self)   // validated() throws HTTPError

        // configuration is a value
        var configuration = URLRequestDispatcher.Configuration()
        configuration.timeouts = .init(connect: .seconds(5), idle: .seconds(30), total: .seconds(60))
        configuration.connections = .init(perHost: 8, total: 256)
        configuration.maximumBufferedBody = 16 * 1024 * 1024
        let tuned = URLRequestDispatcher(configuration: configuration, interceptors: [RetryPolicy(), logger])
        // the documented initialiser keeps working and maps what applies
        let classic = URLRequestDispatcher(configuration: .default, requestAdapter: adapter, responseAdapter: nil)

        let types: (Response<Data?>, HTTPResponse<Data?>) = (response, http)
        #expect(types.0.statusCode == .ok)
        #expect(post.title == "Hello")
        #expect(post2.title == "Bye")
        #expect(try await tuned.data(from: server.url("/busy")).decodeString() == "done")
        #expect(await logger.count.value == 2)
        #expect(tuned.configuration.maximumBufferedBody == 16_777_216)
        _ = try await classic.data(from: url)
        #expect(server.requests.last?.header("X-Marked") == "yes")
    }

    @Test func structuredConcurrency() async throws {
        let server = try Surroundings.server()
        let dispatcher = URLRequestDispatcher()
        let postsRequest = URLRequest(url: server.url("/posts"))
        let usersRequest = URLRequest(url: server.url("/users"))

        async let posts = dispatcher.data(for: postsRequest).decode([Post].self)
        async let users = dispatcher.data(for: usersRequest).decode([User].self)
        let (p, u) = try await (posts, users)

        #expect(p.count == 2)
        #expect(u.map(\.name) == ["Ada"])
    }
}
