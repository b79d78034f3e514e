import PiuPiuClassic
import PiuPiuFutures
import PiuPiuTesting
import Testing

/// The samples of `MovingFromPiuPiu13.md`; that of the Swift 6 mode is in `PiuPiuClassicSwift6Tests`.
@Suite(.timeLimit(.generous))
struct MigrationSamplesTests {
    private let dispatcher: PiuPiuClassic.MockDispatcher

    init() throws {
        dispatcher = MockDispatcher(baseUrl: try #require(URL(string: "https://example.com")), mockStatusCode: .ok)
        try dispatcher.setMockData(Post.hello)
    }

    func fetchPost(_ id: Int) async throws -> Post {
        let request = BasicRequest(method: .get, path: "/posts/\(id)")
        return try await dispatcher.future(from: request).fetchResult().decode(Post.self)
    }

    func postFuture(_ id: Int) -> PiuPiuClassic.ResponseFuture<Post> {
        PiuPiuClassic.ResponseFuture(PiuPiuFutures.ResponseFuture { try await self.fetchPost(id) })
    }

    @Test func fromFuturesToAsyncFunctionsAndBack() async throws {
        #expect(try await fetchPost(1) == .hello)
        #expect(try await postFuture(1).fetchResult() == .hello)
    }

    private func mockedFuture(_ provider: MockDispatcher, _ post: Post) -> PiuPiuClassic.ResponseFuture<Post> {
        let transport = MockTransport { request in
            request.path == "/posts/1" ? try .json(post, after: .milliseconds(10)) : MockAnswer(.notFound)
        }
        let mock = PiuPiuClassic.URLRequestDispatcher(PiuPiuAsync.URLRequestDispatcher(transport: transport))
        let dispatcher = PiuPiuClassic.RequestDispatcher(serverProvider: provider, dataDispatcher: mock)

        let request = BasicRequest(method: .get, path: "/posts/1")
        return dispatcher.future(from: request).then({ response in try response.decode(Post.self) })
    }

    @Test func aMockThatNobodyKeepsAnswers() async throws {
        let future = mockedFuture(dispatcher, .hello)
        #expect(try await future.fetchResult() == .hello)
    }

    @Test func oneDispatcherForBoth() async throws {
        let provider = dispatcher
        let modern = PiuPiuAsync.URLRequestDispatcher()
        let classic = PiuPiuClassic.RequestDispatcher(
            serverProvider: provider,
            dataDispatcher: PiuPiuClassic.URLRequestDispatcher(modern)
        )
        // Nothing is sent to the server of the mock: the future fails before.
        provider.baseURL = nil
        await #expect(throws: PiuPiuClassic.RequestError.self) {
            try await classic.future(from: BasicRequest(method: .get, path: "/posts/1")).fetchResult()
        }
    }
}
