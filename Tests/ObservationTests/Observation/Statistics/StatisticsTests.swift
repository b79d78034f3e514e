import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// Statistics of a dispatcher above a mock.
@Suite(.timeLimit(.generous)) struct StatisticsTests {
    private static let origin = "https://example.com:443"

    private let clock = ManualClock()
    private let statistics = Statistics()

    private func dispatcher(
        _ answers: [MockAnswer],
        _ interceptors: [any Interceptor] = []
    ) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [statistics]
        let transport = MockTransport(answers: answers, clock: clock)
        return URLRequestDispatcher(configuration: configuration, interceptors: interceptors, transport: transport)
    }

    @Test func aCallIsCountedWhileItRuns() async throws {
        let dispatcher = dispatcher([MockAnswer(.ok, after: .milliseconds(300))])
        async let response = dispatcher.data(for: Fixture.request)
        await clock.sleeper(until: .milliseconds(300))
        let during = statistics.snapshot()
        #expect(during.calls.inProgress == 1)
        #expect(during.origins[Self.origin]?.inFlight == 1)
        clock.advance(by: .milliseconds(300))
        _ = try await response
        let after = statistics.snapshot()
        #expect(after.calls.inProgress == 0)
        #expect(after.calls.responses == 1)
        let exchanges = after.origins[Self.origin]
        #expect(exchanges?.inFlight == 0)
        #expect(exchanges?.responses == [.success: 1])
        #expect(exchanges?.duration.sum == .milliseconds(300))
        #expect(exchanges?.firstByte.sum == .milliseconds(300))
        // A snapshot does not change.
        #expect(during.calls.inProgress == 1)
        #expect(during != after)
    }

    @Test func retriesAndRedirectsAreCountedAtTheirOrigin() async throws {
        let answers = [
            MockAnswer(.serviceUnavailable), MockAnswer(.found, headers: ["Location": "https://other.example:8080/"]),
            .failure(TransportError(.connectionLost)), MockAnswer(.notFound),
        ]
        let retry = RetryPolicy(retries: 1, backoff: Backoff(base: .zero))
        await #expect(throws: TransportError.self) {
            try await dispatcher(answers, [retry]).data(for: Fixture.request)
        }
        let snapshot = statistics.snapshot()
        let first = try #require(snapshot.origins[Self.origin])
        let second = try #require(snapshot.origins["https://other.example:8080"])
        #expect(first.responses == [.serverError: 1, .redirect: 1])
        #expect([first.retries, first.redirects] as [Int] == [1, 1])
        #expect(second.failures == ["connectionLost": 1])
        #expect([second.retries, second.redirects] as [Int] == [0, 0])
        #expect(snapshot.calls.failures == 1)
    }

    @Test func spellingsOfAnOriginAreOne() async throws {
        let dispatcher = dispatcher([MockAnswer](repeating: MockAnswer(.ok), count: 4))
        let urls = [
            "https://example.com/", "HTTPS://EXAMPLE.com:443/a?b", "https://user:password@example.com/#c",
            "http://example.com/",
        ]
        for url in urls { _ = try await dispatcher.data(from: Fixture.url(url)) }
        let origins = statistics.snapshot().origins
        #expect(origins.mapValues(\.started) == [Self.origin: 3, "http://example.com:80": 1])
    }

    @Test func whatCannotBeSentHasNoOrigin() async throws {
        let dispatcher = dispatcher([])
        for url in ["ftp://example.com/", "https://", "https://a%20b/"] {
            _ = try? await dispatcher.data(from: Fixture.url(url))
        }
        let snapshot = statistics.snapshot()
        #expect(snapshot.origins == [:])
        #expect(snapshot.other.failures.values.reduce(0, +) == 3)
        #expect(snapshot.calls.failures == 3)
    }

    @Test func aStreamThatIsDroppedIsCancelled() async throws {
        let dispatcher = dispatcher([MockAnswer(.ok, pieces: ["a"], ending: .hang)])
        do {
            let response = try await dispatcher.stream(for: Fixture.request)
            #expect(response.statusCode == .ok)
            #expect(statistics.snapshot().calls.inProgress == 1)
        }
        await dispatcher.shutdown()
        let snapshot = statistics.snapshot()
        #expect(snapshot.calls.cancelled == 1)
        #expect(snapshot.origins[Self.origin]?.cancelled == 1)
        #expect(snapshot.origins[Self.origin]?.inFlight == 0)
    }

    @Test func aDownloadIsOneCall() async throws {
        let folder = try DownloadFolder()
        let dispatcher = dispatcher([MockAnswer(.ok, body: "hello")])
        _ = try await dispatcher.download(for: Fixture.request, to: folder["saved"]).response()
        let snapshot = statistics.snapshot()
        #expect(snapshot.calls.responses == 1)
        #expect(snapshot.calls.inProgress == 0)
        #expect(snapshot.origins[Self.origin]?.ended == 1)
    }

    @Test func dispatchersCanShareStatistics() async throws {
        let dispatchers = (0..<3).map { _ in dispatcher([MockAnswer(.ok)]) }
        // Their calls have the same numbers.
        await withTaskGroup(of: Void.self) { group in
            for dispatcher in dispatchers {
                group.addTask { _ = try? await dispatcher.data(for: Fixture.request) }
            }
        }
        let snapshot = statistics.snapshot()
        #expect(snapshot.calls.started == 3)
        #expect(snapshot.calls.responses == 3)
        #expect(snapshot.origins[Self.origin]?.ended == 3)
    }

    @Test func aNegativeLimitIsZero() {
        #expect(Statistics(maximumOrigins: -5).maximumOrigins == 0)
        #expect(Statistics().maximumOrigins == 100)
    }
}
