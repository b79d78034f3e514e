import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of README.md and of the articles that go on from it, run against a server.
@Suite(.enabled(if: Surroundings.reachLoopbackDirectly, "a proxy stands in between"), .timeLimit(.generous))
struct ReadmeSamplesTests {
    private let server: LoopbackServer

    init() throws {
        server = try Surroundings.server()
    }

    @Test func beginning() async throws {
        typealias URLRequestDispatcher = OfflineDispatcher
        let print = Printed()
        let (server, draft) = (Fixture.url("https://api.example.com/v1"), Post(id: 3, title: "Draft"))

        let api = URLRequestDispatcher(baseURL: server) { $0.timeouts.total = .seconds(30) }

        let posts: [Post] = try await api.get("/posts", query: ["tag": "swift"])
        let created: Post = try await api.post("/posts", json: draft)
        for try await post in api.pages(for: try api.request(.get, "/posts"), of: [Post].self).items {
            print(post.title)
        }

        #expect(posts.count == 1 && created.id == 1 && print.lines == ["Hello"])
    }

    @Test func firstRequest() async throws {
        #expect(try await post(at: server.url("/posts/1")).title == "Hello")
        let error = await #expect(throws: UnacceptableResponseError.self) { try await post(at: server.url("/missing")) }
        #expect(error?.httpError == .clientError(.notFound))
    }

    struct Problem: Decodable {
        let message: String
    }

    /// What the sample prints for a request.
    private func errors(_ request: URLRequest) async throws -> [String] {
        let print = Printed()
        let dispatcher = URLRequestDispatcher.forTests()

        do {
            let post = try await dispatcher.data(for: request).validated().decode(Post.self)
            print(post.title)
        } catch StatusCode.notFound {
            print("There is no such post.")
        } catch let error as UnacceptableResponseError {
            let problem = try? error.decode(Problem.self)
            print("The server said \(error.statusCode.rawValue):", problem?.message ?? "\(error)")
        } catch TransportError.Code.timeout {
            print("The server takes too long.")
        } catch let error as TransportError {
            print("There is no response: \(error)", error.isSafeToRetry ? "It may be sent again." : "")
        }

        return print.lines
    }

    @Test func errors() async throws {
        #expect(try await errors(URLRequest(url: server.url("/posts/1"))) == ["Hello"])
        let refusal = "A response with status code 500 is not acceptable (GET \(server.url("/broken"))"
        #expect(try await errors(URLRequest(url: server.url("/missing"))) == ["There is no such post."])
        let broken = try await errors(URLRequest(url: server.url("/broken")))
        #expect(broken.count == 1 && broken.first?.hasPrefix("The server said 500: \(refusal)") ?? false, "\(broken)")
        let gone = try RefusingPort()
        let refused = try await errors(URLRequest(url: gone.url))
        #expect(refused.first?.hasPrefix("There is no response: ") == true)
        #expect(refused.first?.hasSuffix("It may be sent again.") == true)
    }

    @Test func validations() async throws {
        let dispatcher = URLRequestDispatcher.forTests()
        let text = try await dispatcher.data(from: server.url("/text"))
        _ = try text.validated(.success)
        let error = #expect(throws: UnacceptableResponseError.self) { try text.validated(.json) }
        #expect(error?.code == .contentType)
        #expect(throws: UnacceptableResponseError.self) {
            try text.validated(.statusCodes(200..<300).mediaTypes(["image/*"]))
        }
    }

    @Test func timeoutsAndLimits() async throws {
        let request = URLRequest(url: server.url("/posts/1"))

        var configuration = URLRequestDispatcher.Configuration()
        configuration.timeouts = Timeouts(connect: .seconds(5), head: .seconds(20), total: .seconds(60))
        configuration.connections = ConnectionLimits(perHost: 8, total: 256)
        configuration.maximumBufferedBody = 16 * 1024 * 1024
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        var options = dispatcher.configuration.options
        options.timeouts.total = .seconds(30)
        let response = try await dispatcher.data(for: request, options: options)

        #expect(response.statusCode == .ok)
        #expect(options.timeouts.head == .seconds(20) && options.maximumBufferedBody == 16_777_216)
        let defaults = URLRequestDispatcher.Configuration()
        #expect(defaults.timeouts == Timeouts(queue: .seconds(60), connect: .seconds(10), idle: .seconds(60)))
        #expect(defaults.connections == ConnectionLimits(perHost: 8, total: 256))
        #expect(defaults.maximumBufferedBody == 64 << 20 && defaults.options.maximumHead == 256 << 10)
    }

    @Test func concurrency() async throws {
        let dispatcher = URLRequestDispatcher.forTests()
        let (postsURL, usersURL) = (server.url("/posts"), server.url("/users"))

        async let posts = dispatcher.data(from: postsURL).decode([Post].self)
        async let users = dispatcher.data(from: usersURL).decode([User].self)
        let (allPosts, allUsers) = try await (posts, users)

        #expect(allPosts.map(\.title) == ["Hello", "Bye"])
        #expect(allUsers.map(\.name) == ["Ada"])
    }

    @Test func cancellation() async throws {
        let print = Printed()
        let dispatcher = URLRequestDispatcher.forTests()
        let request = URLRequest(url: server.url("/silent"))

        let task = Task { try await dispatcher.data(for: request) }
        task.cancel()
        do {
            let response = try await task.value
            print("It was faster:", response)
        } catch is CancellationError {
            print("Cancelled.")
        }

        #expect(print.lines == ["Cancelled."])
    }

    @Test func redirects() async throws {
        let other = try Surroundings.server()
        server.route("GET", "/old", .redirect(to: other.url("/posts/1").absoluteString, status: 301))
        let print = Printed()
        let url = server.url("/old")

        var configuration = URLRequestDispatcher.Configuration()
        configuration.sensitiveHeaders = ["X-Api-Key"]
        configuration.redirects = RedirectPolicy(limit: 5)
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        let response = try await dispatcher.data(from: url)
        for redirect in response.history {
            print(redirect.statusCode.rawValue, redirect.source, "to", redirect.target)
        }

        #expect(print.lines == ["301 \(url) to \(other.url("/posts/1"))"])

        var request = URLRequest(url: url)
        let secrets = [
            "Authorization", "Cookie", "Proxy-Authorization", "Origin", "Referer", "X-Api-Key",
        ]
        for name in secrets { request.setValue("s3cret", forHTTPHeaderField: name) }
        _ = try await dispatcher.data(for: request)
        let (sent, arrived) = (server.requests.last, other.requests.last)
        for name in secrets {
            #expect(sent?.header(name) == "s3cret")
            #expect(arrived?.header(name) == nil)
        }

        configuration.redirects = nil
        let plain = URLRequestDispatcher(configuration: configuration)
        #expect(try await plain.data(from: url).statusCode == .movedPermanently)
    }

    @Test func linux() async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.certificateAuthorityFile = URL(filePath: "/etc/ssl/our-authority.pem")
        configuration.transport.proxy = .none
        configuration.transport.http2 = .never
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        await dispatcher.shutdown()

        let error = try await failure { try await dispatcher.data(from: server.url("/posts/1")) }
        #expect((error as? TransportError)?.code == .shutDown)
    }
}
