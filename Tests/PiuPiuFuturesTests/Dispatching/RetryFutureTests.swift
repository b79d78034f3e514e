import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuFutures
@testable import PiuPiuPolicies

/// Retries through futures, of every form.
@MainActor
@Suite(.timeLimit(.generous))
struct RetryFutureTests {
    private let url = Fixture.url
    private let clock = ManualClock()

    private func mock(_ answers: [MockAnswer], _ policy: RetryPolicy) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher(transport: MockTransport(answers: answers, clock: clock), interceptors: [policy])
    }

    @Test(arguments: RequestForm.allCases)
    func everyFormIsSentAgain(form: RequestForm) async throws {
        let mock = mock(
            [
                MockAnswer(.serviceUnavailable, headers: ["Retry-After": "5"], body: "later"),
                MockAnswer(.ok, body: "1234"),
            ],
            RetryPolicy()
        )
        let ending = Ending(of: form.future(mock, url))
        await clock.sleeper(until: .seconds(5))
        clock.advance(by: .seconds(5))
        #expect(await ending.wait() == ["success", "completion"])
        #expect(mock.requests.count == 2)
        #expect(mock.requests.first?.body == mock.requests.last?.body)
        #expect(ending.updates.last?.state == .completed)
    }

    @Test(arguments: RequestForm.allCases)
    func cancellingEndsTheWait(form: RequestForm) async throws {
        let mock = mock([MockAnswer(.serviceUnavailable, headers: ["Retry-After": "5"])], RetryPolicy())
        let future = form.future(mock, url)
        let ending = Ending(of: future)
        await clock.sleeper(until: .seconds(5))
        future.cancel()
        #expect(await ending.wait() == ["cancellation", "completion"])
        #expect(mock.requests.count == 1)
        await mock.shutdown()
    }

    @Test func aFunctionMayDecideOnTheMainActor() async throws {
        let places = Locked<[Bool]>([])
        let policy = RetryPolicy(backoff: Backoff(base: .zero)) { @MainActor _ in
            places.withLock { $0.append(MainThread.isCurrent) }
            return .default
        }
        let mock = mock([MockAnswer(.badGateway), MockAnswer(.ok)], policy)
        #expect(await Ending.events(of: mock.dataFuture(from: URLRequest(url: url))) == ["success", "completion"])
        #expect(places.withLock { $0 } == [true, true])
    }
}
