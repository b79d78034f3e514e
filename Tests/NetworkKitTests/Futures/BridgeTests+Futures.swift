import NetworkKit
import PiuPiuFutures
import Testing

/// A file that moves: it imports both modules, and says which of two names it means.
extension BridgeTests {
    @Test func fromAFutureOfPiuPiuFutures() async throws {
        let old = PiuPiuFutures.ResponseFuture<Int> { 1 }.completion { journal("own completion") }
        NetworkKit.ResponseFuture(old).record(journal).send()
        #expect(await journal.wait() == ["own completion", "response 1", "completion"])

        let outcome = PiuPiuFutures.ResponseFuture<PromiseOutcome<Int, String>> { .failure("a") }
        let failing = Journal()
        let promise = Promise(outcome).record(failing).send()
        #expect(await failing.wait() == ["failure a", "completion"])
        #expect(promise.status == .failure)
    }

    @Test func toAFutureOfPiuPiuFutures() async throws {
        let future = NetworkKit.ResponseFuture<Int> { $0.succeed(with: 1) }.record(journal)
        #expect(try await future.piuPiuFuture().then { $0 + 1 }.fetchResult() == 2)
        #expect(await journal.wait() == ["response 1", "completion"])

        let promise = Promise<Int, String> { $0.fail(with: "a") }
        #expect(try await promise.piuPiuFuture().fetchResult() == .failure("a"))
    }

    @Test func cancellingPassesTheBridge() async throws {
        let dispatcher = HangingDispatcher()
        let future = dispatcher.future().piuPiuFuture()
        future.cancellation { journal("cancellation") }.send()
        await dispatcher.gate.arrival()
        future.cancel()
        await dispatcher.cancels.reach(1)
        await journal.wait(for: "cancellation")
    }

    @Test func responsesAreOfUseInBothModules() async throws {
        let mock = MockDispatcher(baseUrl: ViewController().baseURL, mockStatusCode: .notFound)
        let response = try await mock.future(from: BasicRequest(method: .get, path: "/")).fetchResult()
        #expect(response.piuPiuResponse.httpError?.statusCode == .notFound)
    }
}
