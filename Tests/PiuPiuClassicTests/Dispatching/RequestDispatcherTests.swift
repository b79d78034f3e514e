import PiuPiuClassic
import PiuPiuTesting
import Testing

@Suite(.timeLimit(.generous))
final class RequestDispatcherTests: PostsController {
    private final class Environment: ServerProvider {
        var baseURL: URL?

        init(_ baseURL: URL?) {
            self.baseURL = baseURL
        }
    }

    private func key<T>(ofErrorOf future: ResponseFuture<T>) async -> String? {
        do {
            _ = try await future.fetchResult()
            return nil
        } catch let error as RequestError {
            if case .invalidURL(let cause) = error {
                return "InvalidURL(\((cause as? RequestError)?.errorKey ?? "")" + ")"
            }
            return error.errorKey
        } catch {
            return "\(type(of: error))"
        }
    }

    @Test func theServerIsAskedForWithEachRequest() async throws {
        let other = try LoopbackServer()
        other.route("GET", "/posts/1", .json("{}"))
        let environment = Environment(server.url("/"))
        let dispatcher = RequestDispatcher(serverProvider: environment)
        let future = dispatcher.future(from: request)
        environment.baseURL = other.url("/")
        #expect(try await future.fetchResult().decodeString() == "{}")
        environment.baseURL = server.url("/")
        #expect(try await dispatcher.future(from: request).fetchResult().decode(Post.self) == .hello)
        environment.baseURL = nil
        #expect(await key(ofErrorOf: dispatcher.future(from: request)) == "InvalidURL(MissingURL)")
    }

    @Test func theProviderIsHeldWeakly() async throws {
        var environment: Environment? = Environment(server.url("/"))
        weak let released = environment
        let dispatcher = RequestDispatcher(serverProvider: try #require(environment))
        let future = dispatcher.future(from: request)
        #expect(dispatcher.serverProvider === environment)
        environment = nil
        #expect(released == nil)
        #expect(await key(ofErrorOf: future) == "MissingServerProvider")
        dispatcher.serverProvider = self
        #expect(await key(ofErrorOf: dispatcher.future(from: request)) == nil)
    }

    @Test func aPathThatIsNoneIsAnError() async {
        #expect(await key(ofErrorOf: dispatcher.future(from: get("posts"))) == "InvalidURL()")
        #expect(server.requests.isEmpty)
    }

    @Test func theRequestIsSentAsItIs() async throws {
        var request = BasicRequest(
            method: .post,
            path: "/posts",
            queryItems: [URLQueryItem(name: "draft", value: "a b")],
            headers: ["X-Test": "1"]
        )
        try request.setJSONBody(Post.hello)
        _ = try await dispatcher.future(from: request).fetchResult()
        let sent = try #require(server.requests.first)
        #expect(sent.method == "POST")
        #expect(sent.target == "/posts?draft=a%20b")
        #expect(sent.header("X-Test") == "1")
        #expect(sent.header("Content-Type") == "application/json")
        #expect(try JSONDecoder().decode(Post.self, from: Data(sent.body)) == .hello)
    }

    // As in PiuPiu 1.3, but for the question mark that it left at the end of an empty query.
    @Test func thePathAndTheQueryReplaceThoseOfTheServer() throws {
        let environment = Environment(URL(string: "https://example.com/api?key=1"))
        #expect(try environment.url(from: get("/posts")).absoluteString == "https://example.com/posts")
    }

    @Test(arguments: [404, 500])
    func aStatusCodeIsNoFailureOfTheFuture(_ status: Int) async throws {
        server.route("GET", "/status", .json("{}", status: status))
        let response = try await dispatcher.future(from: get("/status")).fetchResult()
        #expect(response.statusCode.rawValue == status)
        #expect(response.error?.errorKey == (status == 404 ? "NotFound" : "InternalServerError"))
        #expect(response.httpResponse.statusCode == status)
    }

    @Test func anExchangeThatFailsIsAnError() async throws {
        let refusing = try RefusingPort()
        let environment = Environment(refusing.url)
        let dispatcher = NetworkDispatcher(serverProvider: environment, configuration: .default)
        #expect(await key(ofErrorOf: dispatcher.future(from: request)) == "TransportError")
    }

    @Test func aRequestIsMadeWhenItsFutureIsSent() async {
        let future = dispatcher.future(from: {
            self.journal("made")
            return self.request
        })
        await MainThread.run {}
        #expect(journal.entries.isEmpty)
        future.completion({ self.journal("completion") }).send()
        await journal.wait(for: "completion")
        #expect(server.requests.count == 1)
        #expect(await key(ofErrorOf: dispatcher.future(from: { throw Failure() })) == "Failure")
    }

    @Test func cancellingClosesTheConnection() async {
        server.route("/held", .hold("gate"), .response())
        let future = dispatcher.future(from: get("/held")).then({ $0.statusCode }).recorded(in: journal)
        future.send()
        #expect(await server.waitUntilHeld("gate"))
        future.cancel()
        #expect(await journal.wait(for: "completion true") == ["cancellation true", "completion true"])
        #expect(await server.waitForOpenConnections(atMost: 0))
        server.release("gate")
    }

    @Test func aReleasedDispatcherFinishesItsRequests() async {
        server.route("/held", .hold("gate"), .response())
        var dispatcher: RequestDispatcher? = RequestDispatcher(serverProvider: self)
        weak let released = dispatcher
        dispatcher?.future(from: get("/held")).then({ $0.statusCode.rawValue }).recorded(in: journal).send()
        #expect(await server.waitUntilHeld("gate"))
        dispatcher = nil
        #expect(released == nil)
        server.release("gate")
        #expect(await journal.wait(for: "completion true") == ["response 200 true", "completion true"])
        // Nothing keeps the connections after the last future.
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    // Only handlers wait for the main thread.
    @Test func aChainThatIsNotSentFromTheMainThreadRunsWhileItIsBlocked() async {
        let ended = DispatchSemaphore(value: 0)
        let isBlocked = journal
        let request = self.request
        let dispatcher = self.dispatcher
        let main = Task {
            await MainThread.run {
                isBlocked("blocked")
                self.journal("ended", ended.wait(timeout: .now() + 300) == .success)
            }
        }
        await isBlocked.wait(for: "blocked")
        let post = try? await dispatcher.future(from: { request }).then({ try $0.decode(Post.self) }).fetchResult()
        ended.signal()
        await main.value
        #expect(post == .hello)
        #expect(journal.entries == ["ended true"])
    }

    @Test func aPlainClassMayBeUsedOnTheMainThreadOnly() async {
        for _ in 0..<20 {
            await MainThread.run { self.refresh() }
            #expect(await journal.wait(for: "completion") == ["*Hello* Ada", "completion"])
            #expect(loading == 0)
        }
    }

    private var loading = 0

    private func refresh() {
        loading += 1
        dispatcher.future(from: request)
            .then({ try $0.decode(Post.self) })
            .replace({ self.enrich(post: $0) })
            .join({ self.fetchUser(forId: $0.post.userId) })
            .response({ post, user in
                self.loading -= 1
                self.journal(post.markdown.text, user.name)
            })
            .error({ self.journal($0) })
            .completion({ self.journal("completion") })
            .send()
    }
}
