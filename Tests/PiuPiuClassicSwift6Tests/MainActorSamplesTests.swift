import PiuPiuClassic
import PiuPiuTesting
import Testing

struct Post: Codable, Equatable {
    var id: Int
    var title: String
}

// The sample of `MovingFromPiuPiu13.md`, in the Swift 6 language mode.
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

    private var tests = 0

    func events() async -> [String] {
        dispatcher.future(from: {
            // A variable of the main actor, in the closure that makes the request.
            self.tests += 1
            var request = self.request
            request.headers["X-Test"] = "\(self.tests)"
            return request
        })
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

extension PostsController {
    /// Futures and promises whose closures use variables of the main actor.
    func titles() -> [ResponseFuture<String>] {
        [
            dispatcher.future(from: { self.next() }).then({ try $0.decode(Post.self).title }),
            dispatcher.promise(from: { self.next() }).then({ try $0.decode(Post.self).title }).future({ $0.error }),
            dispatcher.dataDispatcher.dataFuture(from: { try self.provider?.urlRequest(from: self.next()) })
                .then({ try $0.decode(Post.self).title }),
            ResponseFuture<String>(action: { future in
                self.tests += 1
                future.succeed(with: "Hello")
            }),
            Promise<String, Int>(action: { promise in
                self.tests += 1
                promise.succeed(with: "Hello")
            }).future({ "\($0)" }),
        ]
    }

    private var provider: (any ServerProvider)? { dispatcher.serverProvider }

    private func next() -> BasicRequest {
        tests += 1
        return request
    }

    /// How many of these closures ran.
    var count: Int { tests }
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

    @Test func closuresThatMakeRequestsRunOnTheActorOfTheirCode() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/posts/1", .json(#"{"id":1,"title":"Hello"}"#))
        let provider = Server(server.url("/"))
        let controller = PostsController(provider)
        for future in controller.titles() {
            // Not from the main thread.
            let title = try await Task.detached { try await future.fetchResult() }.value
            #expect(title == "Hello")
        }
        #expect(controller.count == 5)
    }

    @Test func theClosuresOfAClassOfTheMainActorNeedNone() async throws {
        let server = try LoopbackServer()
        server.route("GET", "/posts/1", .json(#"{"id":1,"title":"Hello"}"#))
        let provider = Server(server.url("/"))
        #expect(await PostsController(provider).events() == ["response **Hello** *Other*"])
        #expect(server.requests.first?.header("X-Test") == "1")
    }
}
