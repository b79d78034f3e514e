import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// The samples in the comments of PiuPiuFutures, run against a server.
@MainActor
@Suite(.timeLimit(.generous))
final class FutureSamplesTests {
    private struct Post: Codable, Sendable, Equatable {
        var id: Int
        var title: String
    }

    private var posts: [Post] = []
    private var errors: [any Error] = []
    private var isLoading = true

    private func show(_ post: Post) {
        posts.append(post)
    }

    private func show(_ error: any Error) {
        errors.append(error)
    }

    @Test func aChain() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/posts/1", .json(#"{"id":1,"title":"Hello"}"#))
        let dispatcher = URLRequestDispatcher()
        let request = URLRequest(url: server.url("/posts/1"), method: .get)

        dispatcher.dataFuture(from: request)
            .then { response in try response.validated().decode(Post.self) }
            .success { post in self.show(post) }
            .error { error in self.show(error) }
            .completion { self.isLoading = false }
            .send()

        while isLoading { await Task.yield() }
        #expect(posts == [Post(id: 1, title: "Hello")])
        #expect(errors.isEmpty)
        let value = try await dispatcher.dataFuture(from: request).decoded(Post.self).fetchResult()
        let future = ResponseFuture { try await dispatcher.data(for: request) }
        #expect(value.data.id == 1)
        #expect(try await future.fetchResult().decode(Post.self).id == 1)
    }

    @Test func aCallSite() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/posts/1", .json(#"{"id":1,"title":"Hello"}"#))
        server.route("GET", "/posts/2", .json(#"{"message":"no such post"}"#, status: 404))
        let model = ArticleModel()

        model.load(server.url("/posts/1"))
        while model.isLoading { await Task.yield() }
        #expect(model.title == "Hello")
        model.load(server.url("/posts/2"))
        while model.isLoading { await Task.yield() }
        #expect(model.title.contains("404"))
        await model.reload(server.url("/posts/1"))
        #expect(model.title == "Hello" && !model.isLoading)
    }

    private var fraction: Float = 0

    @Test func aSetOfTasks() async throws {
        let server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
        let dispatcher = URLRequestDispatcher.forTests()
        let request = URLRequest(url: server.url("/"), method: .get)

        var tasks: Set<TransferTask> = []
        let future = dispatcher.dataFuture(from: request)
            .updated { task in
                tasks.insert(task)
                self.fraction = tasks.averagePercentTransferred ?? 0
            }

        let ending = Ending()
        ending.start(future.then { $0 })
        #expect(await ending.wait() == ["success", "completion"])
        #expect(tasks.count == 1 && fraction == 1)
    }

    @Test func aPatternOfAPath() {
        let pattern: [PathComponent] = ["posts", .wildcard(type: .integer)]
        #expect(pattern == [.constant("posts"), .wildcard(type: .integer)])
    }

    private final class Provider: ServerProvider {
        let baseURL: URL?

        init(_ baseURL: URL?) {
            self.baseURL = baseURL
        }
    }

    @Test func aRequestWithoutItsServer() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/v1/posts", .json(#"[{"id":1,"title":"Hello"}]"#))
        server.route("POST", "/v1/posts", .echo)
        let dispatcher = URLRequestDispatcher.forTests()
        let provider = Provider(server.url("/v1"))
        let post = Post(id: 7, title: "New")

        var request = BasicRequest(method: .post, path: "/posts", queryItems: [URLQueryItem(name: "draft", value: "1")])
        try request.setJSONBody(post)

        let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: provider)
        let posts = try await serializer.dataFuture(from: BasicRequest(method: .get, path: "/posts"))
            .decoded([Post].self)
            .fetchResult()

        #expect(posts.data == [Post(id: 1, title: "Hello")])
        let created = try await serializer.dataFuture(from: request).decoded(Post.self).fetchResult()
        #expect(created.data == post)
        #expect(server.requests.last?.target == "/v1/posts?draft=1")
    }
}
