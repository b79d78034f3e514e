import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

// Other policies.
extension RetryPolicyTests {
    @Test func attemptsOfPoliciesInsideAreCounted() async throws {
        struct Inner: Interceptor {
            func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
                _ = try await next(request)
                request.beginAttempt(.credentials)
                return try await next(request)
            }
        }
        let answers = [
            MockAnswer(.unauthorized), MockAnswer(.badGateway), MockAnswer(.unauthorized),
            .failure(TransportError(.connectionLost)), MockAnswer(.unauthorized), MockAnswer(.ok),
        ]
        let transport = MockTransport(answers: answers, clock: clock)
        let dispatcher = URLRequestDispatcher(
            interceptors: [RetryPolicy(backoff: Backoff(base: .zero)), Inner()],
            transport: transport
        )
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(
            response.attempts.map(\.cause) == [
                .call, .credentials, .status(.badGateway), .credentials, .failure(.connectionLost), .credentials,
            ]
        )
        #expect(response.attempts.map(\.number) == [1, 2, 3, 4, 5, 6])
    }

    @Test func eachAttemptSeesTheTaskLocalsAndThePriorityOfTheCall() async throws {
        enum Local { @TaskLocal static var value = 0 }
        let seen = Locked<[(Int, TaskPriority)]>([])
        let transport = MockTransport(clock: clock) { _ in
            seen.withLock { $0.append((Local.value, Task.currentPriority)) }
            return MockAnswer(.badGateway)
        }
        let policy = RetryPolicy(backoff: Backoff(base: .zero), attemptTimeout: .seconds(3))
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let call = Task(priority: .utility) {
            try await Local.$value.withValue(7) { try await dispatcher.data(for: Fixture.request) }
        }
        // Waiting for the task would raise its priority.
        _ = try await transport.requests(atLeast: 3)
        _ = try await call.value
        #expect(seen.withLock { $0.map(\.0) } == [7, 7, 7])
        #expect(seen.withLock { $0.first?.1 } == .utility)
    }
}
