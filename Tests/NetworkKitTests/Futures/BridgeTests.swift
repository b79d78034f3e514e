import NetworkKit
import Testing

/// Values that also code of PiuPiuFutures can use; see BridgeTests+Futures.swift.
@Suite(.timeLimit(.minutes(5)))
struct BridgeTests {
    let journal = Journal()

    @Test func fetchingAFuture() async throws {
        let future = ResponseFuture<Int> { $0.succeed(with: 1) }
        #expect(try await future.fetchResult() == 1)
        #expect(try await future.fetchResult() == 1)
        await #expect(throws: Failure(number: 2)) {
            try await ResponseFuture<Int> { $0.fail(with: Failure(number: 2)) }.fetchResult()
        }
    }

    @Test func fetchingAPromise() async throws {
        #expect(try await Promise<Int, String> { $0.succeed(with: 1) }.fetchResult() == .success(1))
        #expect(try await Promise<Int, String> { $0.fail(with: "a") }.fetchResult() == .failure("a"))
        await #expect(throws: Failure(number: 2)) {
            try await Promise<Int, String> { $0.catch(Failure(number: 2)) }.fetchResult()
        }
    }

    @Test func cancellingTheTaskCancelsTheWork() async {
        let dispatcher = HangingDispatcher()
        let promise = dispatcher.network.make(BasicRequest(method: .get, path: "/"))
        let task = Task { _ = try await promise.fetchResult() }
        await dispatcher.gate.arrival()
        task.cancel()
        await dispatcher.cancels.reach(1)
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func callbacksRunBesideFetching() async throws {
        let promise = Promise<Int, String> { $0.succeed(with: 1) }.record(journal)
        #expect(try await promise.fetchResult() == .success(1))
        #expect(await journal.wait() == ["success 1", "completion"])
    }
}
