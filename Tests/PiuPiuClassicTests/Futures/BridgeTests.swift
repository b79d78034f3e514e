import PiuPiuClassic
import PiuPiuFutures
import Testing

/// Both modules in one file, as it is while code moves.
@Suite(.timeLimit(.generous))
struct BridgeTests {
    @Test func aFutureOfPiuPiuFuturesBecomesOneOfThisModule() async throws {
        let journal = Journal()
        let new = PiuPiuFutures.ResponseFuture { () async throws -> Int in 7 }
        let old = PiuPiuClassic.ResponseFuture(new)
        #expect(await old.then({ $0 + 1 }).events(journal) == ["response 8 true", "completion true"])
        #expect(new.status == .success)
    }

    @Test func aFutureOfThisModuleBecomesOneOfPiuPiuFutures() async throws {
        let old = PiuPiuClassic.ResponseFuture<Int>(action: { $0.succeed(with: 7) })
        let both = old.underlying.safeResult()
        #expect(try await both.fetchResult().get() == 7)
        #expect(old.status == FutureStatus.success)
    }

    @Test func theDispatcherOfPiuPiuAsyncSendsItsRequests() async throws {
        let mock = PiuPiuClassic.MockDispatcher(
            baseUrl: try #require(URL(string: "https://example.com")),
            mockStatusCode: StatusCode.ok
        )
        let dispatcher = PiuPiuClassic.RequestDispatcher(
            serverProvider: mock,
            dataDispatcher: PiuPiuClassic.URLRequestDispatcher(PiuPiuAsync.URLRequestDispatcher(transport: mock))
        )
        let response = try await dispatcher.future(from: BasicRequest(method: .get, path: "/")).fetchResult()
        #expect(response.statusCode == .ok)
    }
}
