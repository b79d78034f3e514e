import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

@MainActor
@Suite(.timeLimit(.generous))
struct RequestSerializerTests {
    /// A provider as a view controller is one.
    @MainActor
    private final class Controller: ServerProvider {
        var baseURL: URL?
    }

    private struct Failing: Request {
        func urlRequest(withBaseURL baseURL: URL) throws -> URLRequest { throw URLError(.badURL) }
    }

    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()
    private let provider: Provider
    private let serializer: RequestSerializer
    private let request = BasicRequest(method: .get, path: "/posts")

    init() throws {
        server = try LoopbackServer()
        provider = Provider(server.url("/v1"))
        serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: provider)
        server.route("GET", "/v1/posts", .json("[1]"))
        server.route("/v1/silent", .hold("here"), .stall)
    }

    @Test func aRequestGoesToTheServerOfTheProvider() async throws {
        #expect(try await serializer.dataFuture(from: request).fetchResult().decode([Int].self) == [1])
        #expect(try await serializer.dataFuture { request }.fetchResult().decode([Int].self) == [1])
        #expect(server.requests.map(\.target) == ["/v1/posts", "/v1/posts"])
    }

    @Test func theProviderMayBelongToTheMainActor() async throws {
        let provider = Controller()
        let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: provider)
        let future = serializer.dataFuture(from: request)
        provider.baseURL = server.url("/v1")
        #expect(try await future.fetchResult().decode([Int].self) == [1])
    }

    @Test func withoutAServerThereIsAnError() async throws {
        var provider: Provider? = Provider(nil)
        let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: try #require(provider))
        await #expect(throws: RequestError.missingURL) { try await serializer.dataFuture(from: request).fetchResult() }
        provider = nil
        #expect(serializer.serverProvider == nil)
        await #expect(throws: RequestError.missingServerProvider) {
            try await serializer.dataFuture(from: request).fetchResult()
        }
        #expect(RequestError.missingURL.errorKey == "MissingURL")
        #expect(RequestError.missingServerProvider.errorKey == "MissingServerProvider")
        #expect("\(RequestError.missingServerProvider)" == "missingServerProvider")
        #expect(RequestError.missingURL.localizedDescription == "The server provider has no URL.")
    }

    @Test func whatMakingTheRequestThrowsIsTheError() async throws {
        let first = try await failure { try await serializer.dataFuture(from: Failing()).fetchResult() }
        #expect((first as? URLError)?.code == .badURL)
        let second = try await failure { try await serializer.dataFuture { throw URLError(.badURL) }.fetchResult() }
        #expect((second as? URLError)?.code == .badURL)
        #expect(await Ending.events(of: serializer.dataFuture { nil }) == ["cancellation", "completion"])
    }

    // K5, rule 2
    @Test func releasedBeforeSendFails() async throws {
        var serializer: RequestSerializer? = RequestSerializer(dispatcher: dispatcher, serverProvider: provider)
        let future = try #require(serializer).dataFuture(from: request)
        serializer = nil
        #expect(await Ending.events(of: future) == ["error", "completion"])
        #expect(server.requests.isEmpty)
    }

    @Test func replacingTheDispatcherEndsWhatItHadUnderWay() async throws {
        let serializer = RequestSerializer(dispatcher: URLRequestDispatcher.forTests(), serverProvider: provider)
        let ending = Ending(of: serializer.dataFuture(from: BasicRequest(method: .get, path: "/silent")))
        #expect(await server.waitUntilHeld("here"))
        serializer.dispatcher = dispatcher
        #expect(await ending.wait() == ["error", "completion"])
        server.release("here")
        #expect(await server.waitForOpenConnections(atMost: 0))
        #expect(serializer.dispatcher === dispatcher)
    }
}
