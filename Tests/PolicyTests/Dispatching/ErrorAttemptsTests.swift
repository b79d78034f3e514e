import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// How often and how long it was tried, in the errors for a response.
@Suite(.timeLimit(.generous)) struct ErrorAttemptsTests {
    private let clock = ManualClock()
    private static let url = Fixture.url("https://a.example/page")

    /// A dispatcher whose server always fails, and whose policy waits for a second before each of two retries.
    private func dispatcher(_ inner: [any Interceptor] = [], retries: Int = 2) -> URLRequestDispatcher {
        let answer = MockAnswer(.serviceUnavailable, headers: ["Content-Type": "text/html"], body: "down")
        let policy = RetryPolicy(
            retries: retries,
            backoff: Backoff(base: .seconds(1), maximum: .seconds(1), jitter: .none)
        )
        return URLRequestDispatcher(
            interceptors: [policy] + inner,
            transport: MockTransport(clock: clock) { _ in answer }
        )
    }

    /// The error of a call that waits for the clock as often as it may.
    private func error(retries: Int = 2, of call: @escaping @Sendable () async throws -> Void) async throws -> any Error
    {
        let task = Task { try await call() }
        for retry in 0..<retries {
            await clock.sleeper(until: .seconds(retry + 1))
            clock.advance(by: .seconds(1))
        }
        return try await failure { try await task.value }
    }

    private static let text = "A response with status code 503 is not acceptable (GET https://a.example/page"

    @Test func aValidatedResponseSaysIt() async throws {
        let dispatcher = dispatcher()
        let error = try await error { _ = try await dispatcher.data(from: Self.url).validated() }
        #expect("\(error)" == Self.text + ", after 3 attempts in 2 seconds)")
        let refusal = try #require(error as? UnacceptableResponseError)
        #expect(refusal.attempts.map(\.cause) == [.call, .status(.serviceUnavailable), .status(.serviceUnavailable)])
        #expect(refusal.elapsed == .seconds(2))
    }

    @Test func aStreamSaysIt() async throws {
        let dispatcher = dispatcher()
        let error = try await error {
            _ = try await dispatcher.stream(for: URLRequest(url: Self.url)).validated()
        }
        #expect("\(error)" == Self.text + ", after 3 attempts in 2 seconds)")
    }

    @Test func theShortFormsSayIt() async throws {
        let dispatcher = dispatcher()
        let error = try await error { try await dispatcher.get(Self.url.absoluteString) }
        #expect("\(error)" == Self.text + ", after 3 attempts in 2 seconds)")
    }

    @Test func aValidationInsideSaysIt() async throws {
        let dispatcher = dispatcher([Validation.json])
        let error = try await error { _ = try await dispatcher.data(from: Self.url) }
        #expect("\(error)" == Self.text + ", after 3 attempts in 2 seconds)")
        // Another dispatcher does not change it.
        let outer = URLRequestDispatcher(
            interceptors: [
                Intercepting { request, _ in
                    request.beginAttempt(.credentials)
                    throw error
                }
            ],
            transport: MockTransport(answers: [])
        )
        let same = try await failure { try await outer.data(from: Self.url) }
        #expect("\(same)" == "\(error)")
    }

    @Test func aDownloadSaysIt() async throws {
        let dispatcher = dispatcher()
        let file = FileManager.default.temporaryDirectory.appending(path: "piupiu-\(UUID())")
        let error = try await error {
            _ = try await dispatcher.download(for: URLRequest(url: Self.url), to: file).response()
        }
        #expect(
            "\(error)"
                == "The server answered with a failure (503, GET https://a.example/page, after 3 attempts in 2 seconds)"
        )
        #expect((error as? TransferError)?.attempts.count == 3)
    }

    @Test func oneAttemptIsNotCounted() async throws {
        let dispatcher = dispatcher(retries: 0)
        let error = try await error(retries: 0) { _ = try await dispatcher.data(from: Self.url).validated() }
        #expect("\(error)" == Self.text + ")")
        #expect((error as? UnacceptableResponseError)?.attempts == [.first])
        #expect((error as? UnacceptableResponseError)?.elapsed == .zero)
    }

    @Test func aHeadAloneKnowsNoCall() {
        let error = UnacceptableResponseError(.statusCode, response: Fixture.head())
        #expect(error.attempts == [.first] && error.elapsed == nil)
    }
}
