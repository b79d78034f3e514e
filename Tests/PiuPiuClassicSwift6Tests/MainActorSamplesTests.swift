import PiuPiuClassic
import PiuPiuTesting
import Testing

struct Post: Codable, Equatable {
    var id: Int
    var title: String
}

// The sample of the section on PiuPiu 1.3 in `MIGRATION.md`, in the Swift 6 language mode.
@MainActor
final class PostViewController {
    private lazy var dispatcher = RequestDispatcher(serverProvider: self)
    private var isLoading = false
    private var title = ""

    func load(_ id: Int) -> ResponseFuture<Post> {
        isLoading = true
        let request = BasicRequest(method: .get, path: "/posts/\(id)")
        return dispatcher.future(from: request).then({ response -> Post in
            try response.decode(Post.self)
        }).response({ post in
            self.title = post.title
        }).completion({
            self.isLoading = false
        }).send()
    }
}

extension PostViewController: ServerProvider {
    nonisolated var baseURL: URL? { URL(string: "https://example.com") }
}

extension PostViewController {
    /// What the sample has shown.
    var shown: (title: String, isLoading: Bool) { (title, isLoading) }
}

/// A class of the main actor, with all closures of the document.
@MainActor
final class PostsController {
    private let dispatcher: RequestDispatcher
    private let request = BasicRequest(method: .get, path: "/posts/1")
    private var log: [String] = []
    private var isEnded = false

    init(_ provider: some ServerProvider) {
        dispatcher = RequestDispatcher(serverProvider: provider)
    }

    func enrich(_ post: Post) -> ResponseFuture<String> {
        ResponseFuture<String>(action: { future in
            DispatchQueue.global().async { future.succeed(with: "*\(post.title)*") }
        })
    }

    func events() async -> [String] {
        var request = request
        request.headers["X-Test"] = "1"
        dispatcher.future(from: { [request] in request })
            .then({ response -> Post in try response.decode(Post.self) })
            .join({ post in self.enrich(post) })
            .replace({ post, markdown in self.enrich(Post(id: post.id, title: markdown)) })
            .join({ self.enrich(Post(id: 2, title: "Other")) })
            .progress({ self.log.append("progress \($0 <= 1)") })
            .response({ text, other in self.log.append("response \(text) \(other)") })
            .error({ error in self.log.append("error \(error)") })
            .cancellation({ self.log.append("cancellation") })
            .completion({ self.isEnded = true })
            .send()
        while !isEnded { await Task.yield() }
        return log.filter { $0 != "progress true" }
    }
}

final class Server: ServerProvider {
    let baseURL: URL?

    init(_ baseURL: URL) {
        self.baseURL = baseURL
    }
}

@MainActor
@Suite(.timeLimit(.minutes(10)))
struct MainActorSamplesTests {
    @Test func aViewControllerNeedsOneAnnotation() {
        let controller = PostViewController()
        let future = controller.load(1)
        #expect(controller.shown.isLoading)
        #expect(controller.baseURL?.host() == "example.com")
        // Nothing has to arrive there.
        future.cancel()
    }

    @Test func theClosuresOfAClassOfTheMainActorNeedNone() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/posts/1", .json(#"{"id":1,"title":"Hello"}"#))
        let provider = Server(server.url("/"))
        #expect(await PostsController(provider).events() == ["response **Hello** *Other*"])
        #expect(server.requests.first?.header("X-Test") == "1")
    }
}
