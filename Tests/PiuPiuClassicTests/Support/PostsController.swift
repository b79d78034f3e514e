import PiuPiuClassic
import PiuPiuTesting

/// What the samples find around them: a class of PiuPiu 1.3's time, without a word of concurrency, and its server.
class PostsController: ServerProvider {
    let server: LoopbackServer
    let journal = Journal()
    let request = BasicRequest(method: .get, path: "/posts/1")
    lazy var dispatcher = RequestDispatcher(serverProvider: self)

    required init() throws {
        server = try LoopbackServer()
        server.route("GET", "/posts", .json(#"[{"id":1,"userId":7,"title":"Hello"}]"#))
        server.route("GET", "/posts/1", .json(#"{"id":1,"userId":7,"title":"Hello"}"#))
        server.route("POST", "/posts", .echo)
        server.route("POST", "/users", .echo)
        server.route("GET", "/users/7", .json(#"{"id":7,"name":"Ada"}"#))
        server.route("GET", "/missing", .json("{}", status: 404))
        server.route("GET", "/empty", .response())
    }

    var baseURL: URL? { server.url("/") }

    func get(_ path: String) -> BasicRequest {
        BasicRequest(method: .get, path: path)
    }

    func show(_ post: Post) {
        journal("show", post.title, MainThread.isCurrent)
    }

    func show(_ posts: [Post]) {
        journal("show", posts.map { $0.title }, MainThread.isCurrent)
    }

    func show(_ data: Data?) {
        journal("show", data?.count ?? 0, MainThread.isCurrent)
    }

    func enrich(post: Post) -> ResponseFuture<EnrichedPost> {
        return ResponseFuture<EnrichedPost>() { future in
            future.succeed(with: (post, Markdown("*\(post.title)*")))
        }
    }

    func fetchUser(forId id: Int) -> ResponseFuture<User> {
        return dispatcher.future(from: get("/users/\(id)")).then({ response -> User in
            return try response.decode(User.self)
        })
    }
}
