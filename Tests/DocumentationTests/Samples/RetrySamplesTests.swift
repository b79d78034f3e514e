import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples in the `///` comments of the retry policy.
@Suite(.timeLimit(.generous)) struct RetrySamplesTests {
    @Test func retryPolicy() async throws {
        typealias URLRequestDispatcher = FailingOnce
        let request = Fixture.request
        let print = Printed()

        let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy()])
        let response = try await dispatcher.data(for: request)
        print(response.attempts.count)

        #expect(print.lines == ["2"])
    }

    @Test func decisions() async throws {
        typealias URLRequestDispatcher = FailingOnce

        let policy = RetryPolicy(retries: 4, attemptTimeout: .seconds(5)) { context in
            context.statusCode == .internalServerError ? .retry() : .default
        }
        let dispatcher = URLRequestDispatcher(interceptors: [policy])

        #expect(try await dispatcher.data(for: Fixture.request).attempts.count == 2)
    }

    @Test func sharedBudget() async throws {
        typealias URLRequestDispatcher = FailingOnce

        let budget = RetryBudget(ratio: 0.1, perSecond: 5)
        let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy(budget: budget), Hedging(budget: budget)])

        #expect(try await dispatcher.data(for: Fixture.request).attempts.count == 2)
    }

    /// Stands in for a dispatcher in the samples: the first answer is a failure.
    private struct FailingOnce {
        let dispatcher: URLRequestDispatcher

        init(interceptors: [any Interceptor]) {
            let transport = MockTransport(answers: [MockAnswer(.serviceUnavailable), MockAnswer(.ok)])
            dispatcher = URLRequestDispatcher(interceptors: interceptors, transport: transport)
        }

        func data(for request: URLRequest) async throws -> Response<Data?> {
            try await dispatcher.data(for: request)
        }
    }
}
