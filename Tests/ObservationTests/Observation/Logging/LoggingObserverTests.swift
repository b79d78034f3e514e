import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore
@testable import PiuPiuPolicies

/// Which events become lines, and at which levels.
@Suite(.timeLimit(.generous)) struct LoggingObserverTests {
    struct Odd: Error {}

    private let lines = LogLines()
    private let clock = ManualClock()

    private func dispatcher(
        _ answers: [MockAnswer],
        _ interceptors: [any Interceptor] = [],
        _ observer: LoggingObserver? = nil,
        redirects: RedirectPolicy = RedirectPolicy()
    ) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration(redirects: redirects)
        configuration.observers = [observer ?? lines.observer()]
        let transport = MockTransport(answers: answers, clock: clock)
        return URLRequestDispatcher(configuration: configuration, interceptors: interceptors, transport: transport)
    }

    private static let start = "method=GET url=https://example.com/posts/1"

    @Test(
        arguments: [
            (200, .info), (204, .info), (304, .info), (399, .info), (400, .notice), (404, .notice), (499, .notice),
            (500, .warning), (503, .warning), (599, .warning), (600, .warning), (999, .warning),
        ] as [(Int, LoggingObserver.Level)]
    )
    func theLevelFollowsFromTheStatusCode(_ statusCode: Int, _ level: LoggingObserver.Level) async throws {
        _ = try await dispatcher([MockAnswer(.other(statusCode))]).data(for: Fixture.request)
        #expect(lines.levels == [level])
        #expect(
            lines.texts.first?.hasPrefix("event=exchange call=1 exchange=1 \(Self.start) status=\(statusCode) ") == true
        )
    }

    @Test func failuresAreWarningsAndCancellationsAreNot() {
        #expect(LoggingObserver.Level.usual(for: .failure(Odd())) == .warning)
        #expect(LoggingObserver.Level.usual(for: .cancelled) == .info)
        #expect(LoggingObserver.Level.usual(for: .response(.other(-1))) == .warning)
        #expect("\(LoggingObserver.Level.allCases)" == "[debug, info, notice, warning, error]")
        #expect(LoggingObserver.Level.allCases == LoggingObserver.Level.allCases.sorted())
    }

    @Test func aFailureHasOneLine() async throws {
        _ = try? await dispatcher([.failure(TransportError(.connectionLost))]).data(for: Fixture.request)
        #expect(lines.texts.count == 1)
        #expect(lines.texts.first?.contains(" error=connectionLost message=\"The connection ended before") == true)
        #expect(lines.levels == [.warning])
    }

    @Test func aRedirectIsAnExchange() async throws {
        let answers = [MockAnswer(.found, headers: ["Location": "/2?token=1"]), MockAnswer(.ok)]
        _ = try await dispatcher(answers).data(for: Fixture.request)
        #expect(lines.texts.count == 2)
        #expect(lines.texts.first?.contains(" status=302 ") == true)
        #expect(lines.texts.last?.contains(" exchange=2 method=GET url=https://example.com/2 status=200 ") == true)
        #expect(lines.texts.last?.contains(" redirect=1") == true)
    }

    @Test func aRetryHasALineOfItsOwn() async throws {
        let answers = [MockAnswer(.serviceUnavailable), .failure(TransportError(.cannotConnect)), MockAnswer(.ok)]
        _ = try await dispatcher(answers, [RetryPolicy(backoff: Backoff(base: .zero))]).data(for: Fixture.request)
        #expect(lines.levels == [.warning, .notice, .warning, .notice, .info])
        #expect(lines.texts[1] == "event=retry call=1 \(Self.start) cause=503 delay_ms=0.000")
        #expect(lines.texts[3] == "event=retry call=1 \(Self.start) cause=cannotConnect delay_ms=0.000")
        #expect(lines.texts[4].hasSuffix(" attempt=3 cause=cannotConnect"))
    }

    @Test func aCallThatIsRefusedBeforeAnyExchangeHasALine() async throws {
        let limit = RateLimit(1, per: .seconds(60), maximumWait: .zero)
        let dispatcher = dispatcher([MockAnswer(.ok)], [limit])
        _ = try await dispatcher.data(for: Fixture.request)
        await #expect(throws: LimitError.self) { try await dispatcher.data(for: Fixture.request) }
        #expect(lines.levels == [.info, .warning])
        #expect(
            lines.texts.last?.hasPrefix("event=call call=2 \(Self.start) ms=0.000 error=LimitError message=\"The rate")
                == true
        )
    }

    @Test func aCallThatFailsAfterGoodExchangesHasALine() async throws {
        let answers = [MockAnswer(.found, headers: ["Location": "/posts/1"])]
        let redirects = RedirectPolicy(allowsCycles: false)
        await #expect(throws: TransportError.self) {
            try await dispatcher(answers, redirects: redirects).data(for: Fixture.request)
        }
        #expect(lines.texts.count == 2)
        #expect(lines.texts.last?.contains(" error=redirectLoop message=") == true)
    }

    @Test func aCallThatFailsInAnotherWayThanItsLastExchangeHasALine() async throws {
        let limit = RateLimit(1, per: .seconds(60), maximumWait: .zero)
        let answers = [MockAnswer.failure(TransportError(.connectionLost))]
        let dispatcher = dispatcher(answers, [RetryPolicy(backoff: Backoff(base: .zero)), limit])
        await #expect(throws: LimitError.self) { try await dispatcher.data(for: Fixture.request) }
        #expect(lines.levels == [.warning, .notice, .warning])
        #expect(lines.texts.last?.hasPrefix("event=call ") == true)
        #expect(lines.texts.last?.contains(" error=LimitError ") == true)
    }

    @Test func aCallThatIsCancelledBetweenAttemptsHasALine() async throws {
        let policy = RetryPolicy(backoff: Backoff(base: .seconds(1), jitter: .none))
        let dispatcher = dispatcher([.failure(TransportError(.cannotConnect))], [policy])
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        await clock.sleeper(until: .milliseconds(1000))
        call.cancel()
        _ = try? await call.value
        #expect(lines.levels == [.warning, .notice, .info])
        #expect(lines.texts.last?.hasPrefix("event=call ") == true)
        #expect(lines.texts.last?.hasSuffix(" error=cancelled") == true)
    }

    @Test func aStreamEndsWithItsBody() async throws {
        let answer = MockAnswer(.ok, pieces: ["a", "b"], ending: .failure(TransportError(.connectionLost)))
        let dispatcher = dispatcher([answer])
        let response = try await dispatcher.stream(for: Fixture.request)
        #expect(lines.texts.isEmpty)
        await #expect(throws: TransportError.self) { for try await _ in response.data {} }
        await dispatcher.shutdown()
        #expect(lines.texts.count == 1)
        #expect(lines.texts.first?.contains(" status=200 ") == true)
        #expect(lines.texts.first?.contains(" error=connectionLost ") == true)
    }

    @Test func slowExchangesAreMarked() async throws {
        let answers = [MockAnswer(.ok, after: .milliseconds(999)), MockAnswer(.ok, after: .seconds(1))]
        let dispatcher = dispatcher(answers, [], lines.observer(slowThreshold: .seconds(1)))
        for time in [Duration.milliseconds(999), .seconds(1)] {
            let start = clock.now
            async let response = dispatcher.data(for: Fixture.request)
            await clock.sleeper(until: start.offset + time)
            clock.advance(by: time)
            _ = try await response
        }
        #expect(lines.levels == [.info, .warning])
        #expect(lines.texts.map { $0.hasSuffix(" slow=true") } == [false, true])
        #expect(lines.texts.last?.contains(" ms=1000.000 ") == true)
    }

    @Test func whatIsBelowTheMinimumIsNotWritten() async throws {
        let answers = [MockAnswer(.ok), MockAnswer(.serviceUnavailable), MockAnswer(.ok), MockAnswer(.notFound)]
        let retry = RetryPolicy(backoff: Backoff(base: .zero))
        let dispatcher = dispatcher(answers, [retry], lines.observer(from: .warning))
        for _ in 0..<3 { _ = try await dispatcher.data(for: Fixture.request) }
        #expect(lines.texts.count == 1)
        #expect(lines.texts.first?.contains(" status=503 ") == true)
    }

    @Test func levelsCanBeChosen() async throws {
        var observer = lines.observer(from: .info)
        observer.level = { outcome in
            if case .response(.notFound) = outcome { .debug } else { .error }
        }
        let dispatcher = dispatcher([MockAnswer(.notFound), MockAnswer(.ok)], [], observer)
        for _ in 0..<2 { _ = try await dispatcher.data(for: Fixture.request) }
        #expect(lines.levels == [.error])
    }

    @Test func errorsOfOthersAreShownByTheirType() async throws {
        _ = try? await dispatcher([.failure(Odd())]).data(for: Fixture.request)
        #expect(lines.texts.first?.hasSuffix(" error=Odd") == true)
    }

    @Test func bodiesAreAtTheEndOfTheLine() async throws {
        var request = URLRequest(url: Fixture.url, method: .post)
        request.httpBody = Data("user=mona&password=secret".utf8)
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        let json = #"{"token":"abc","expires":3600}"#
        let answer = MockAnswer(.ok, headers: ["Content-Type": "application/json"], body: json)
        for observer in [lines.observer(), lines.observer(slowThreshold: .zero, bodies: .upTo(26))] {
            _ = try await dispatcher([answer], [], observer).data(for: request)
        }
        #expect(lines.texts.first?.contains("_body") == false)
        let shown = #"request_body="user=mona&password=%3Credacted%3E" "#
        // Of the answer, everything from the beginning to "expires":3.
        let end = #" slow=true \#(shown)response_body="{\"token\":\"<redacted>\",\"expires\":3…""#
        #expect(lines.texts.last?.hasSuffix(end) == true)
    }

    @Test func eventsWithoutAnExchangeAreIgnored() {
        let observer = lines.observer()
        let summary = ExchangeSummary(outcome: .cancelled)
        observer.observe(ExchangeEvent(observedCall(), .exchangeEnded(summary)))
        #expect(lines.texts.isEmpty)
    }
}
