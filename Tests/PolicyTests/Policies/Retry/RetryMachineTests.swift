import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuPolicies

struct RetryMachineTests {
    private typealias Outcome = RetryMachine.Outcome
    private typealias Reason = RetryMachine.Reason

    private static let start = ContinuousClock.now
    private static let fixed = Backoff(jitter: .none)

    private static func machine(
        retries: Int = 2,
        idempotent: Bool = true,
        maximumRetryAfter: Duration = .seconds(60),
        deadline: Duration? = nil
    ) -> RetryMachine {
        RetryMachine(
            RetryMachine.Rules(retries: retries, backoff: fixed, maximumRetryAfter: maximumRetryAfter),
            isIdempotent: idempotent,
            deadline: deadline.map { start.advanced(by: $0) }
        )
    }

    /// The time until the next attempt, or why there is none.
    private enum Answer: Equatable {
        case after(Duration)
        case none(Reason)
    }

    private static func next(
        _ machine: inout RetryMachine,
        _ outcome: Outcome,
        _ decision: RetryDecision = .default,
        body: RetryMachine.Body = .repeatable,
        now: Duration = .zero
    ) -> Answer {
        let now = start.advanced(by: now)
        switch machine.next(after: outcome, decision, body: body, now: now, fraction: 1) {
        case .retry(let instant, _): return .after(now.duration(to: instant))
        case .finish(let reason): return .none(reason)
        }
    }

    private static func first(
        _ outcome: Outcome,
        _ decision: RetryDecision = .default,
        body: RetryMachine.Body = .repeatable,
        idempotent: Bool = true
    ) -> Answer {
        var machine = machine(idempotent: idempotent)
        return next(&machine, outcome, decision, body: body)
    }

    // MARK: What is retried

    @Test(arguments: [400, 403, 407, 511])
    func aProxyThatRefusesATunnelForGoodIsNotAskedAgain(_ code: Int) {
        #expect(Self.first(.failure(.proxy, isSafe: true, refusal: StatusCode(rawValue: code))) == .none(.final))
    }

    @Test(arguments: [429, 502, 503, 504])
    func aProxyThatRefusesATunnelForNowIsAskedAgain(_ code: Int) {
        let answer = Self.first(.failure(.proxy, isSafe: true, refusal: StatusCode(rawValue: code)), idempotent: false)
        #expect(answer != .none(.final))
        guard case .after = answer else { return #expect(Bool(false), "\(answer)") }
    }

    @Test(arguments: [100, 200, 204, 301, 304, 400, 401, 403, 404, 409, 413, 422, 423, 431, 500, 501, 505, 599])
    func otherStatusCodesAreFinal(_ code: Int) {
        #expect(Self.first(.response(StatusCode(rawValue: code))) == .none(.final))
    }

    @Test(arguments: [408, 425, 429, 502, 503, 504])
    func theseStatusCodesAreRetriedIfIdempotent(_ code: Int) {
        let outcome = Outcome.response(StatusCode(rawValue: code))
        #expect(Self.first(outcome) == .after(.milliseconds(250)))
        #expect(Self.first(outcome, idempotent: false) == .none(.notIdempotent))
    }

    private static let transient: [TransportError.Code] = [
        .connectionLost, .truncatedBody, .http2, .timeout(.head), .timeout(.idle), .timeout(.attempt),
    ]

    @Test(arguments: transient)
    func aConnectionThatFailedIsRetriedIfIdempotentOrSafe(_ code: TransportError.Code) {
        #expect(Self.first(.failure(code)) == .after(.milliseconds(250)))
        #expect(Self.first(.failure(code), idempotent: false) == .none(.notIdempotent))
        #expect(Self.first(.failure(code, isSafe: true), idempotent: false) == .after(.milliseconds(250)))
    }

    private static let unsent: [TransportError.Code] = [
        .cannotResolveHost, .cannotConnect, .proxy, .timeout(.queue), .timeout(.connect),
    ]

    @Test(arguments: unsent)
    func whatWasNotSentIsRetriedWhateverTheMethod(_ code: TransportError.Code) {
        let isSafe = TransportError(code).isSafeToRetry
        #expect(isSafe)
        #expect(Self.first(.failure(code, isSafe: isSafe), idempotent: false) == .after(.milliseconds(250)))
    }

    private static let permanent: [TransportError.Code] = [
        .timeout(.total), .tls, .invalidRequest, .invalidURL, .unsupportedScheme, .unsupported, .malformedHead,
        .malformedBody, .headTooLarge, .bodyTooLarge, .decompressionLimit, .tooManyRedirects, .redirectLoop,
        .unsafeRedirect, .invalidRedirect, .shutDown, .adapterReleased, .libraryUnavailable, .outOfResources,
        .forbiddenAddress,
    ]

    @Test(arguments: permanent)
    func whatWouldFailAgainIsFinal(_ code: TransportError.Code) {
        #expect(Self.first(.failure(code)) == .none(.final))
        #expect(Self.first(.failure(code, isSafe: true)) == .none(.final))
    }

    @Test func everyCodeHasARow() {
        let phases = TimeoutPhase.allCases.map { TransportError.Code.timeout($0) }
        let rows = Set(Self.transient + Self.unsent + Self.permanent)
        #expect(rows.isSuperset(of: phases))
        #expect(rows.count == 31)
    }

    @Test func otherErrorsAreFinal() {
        #expect(Self.first(.otherFailure) == .none(.final))
    }

    // MARK: How often, and when

    @Test func theNumberOfRetriesIsLimited() {
        var machine = Self.machine()
        #expect(Self.next(&machine, .response(.badGateway)) == .after(.milliseconds(250)))
        #expect(Self.next(&machine, .failure(.connectionLost)) == .after(.milliseconds(500)))
        #expect(Self.next(&machine, .response(.badGateway)) == .none(.noRetryLeft))
    }

    @Test(arguments: [0, -1, Int.min])
    func withoutRetriesThereIsNone(_ retries: Int) {
        var machine = Self.machine(retries: retries)
        #expect(Self.next(&machine, .response(.badGateway)) == .none(.noRetryLeft))
    }

    @Test func thereAreAtMostAThousandRetries() {
        var machine = Self.machine(retries: .max)
        for _ in 0..<1000 { #expect(Self.next(&machine, .response(.ok), .retry(after: .zero)) == .after(.zero)) }
        #expect(Self.next(&machine, .response(.ok), .retry(after: .zero)) == .none(.noRetryLeft))
    }

    @Test func aSuccessEndsTheCall() {
        var machine = Self.machine()
        #expect(Self.next(&machine, .response(.badGateway)) == .after(.milliseconds(250)))
        #expect(Self.next(&machine, .response(.ok)) == .none(.final))
    }

    @Test("Retry-After is never cut short, and one of nothing leaves the backoff")
    func retryAfter() {
        for (asked, wait) in [(7000, 7000), (60_000, 60_000), (0, 250), (1, 250)] {
            let answer = Self.first(.response(.tooManyRequests, retryAfter: .milliseconds(asked)))
            #expect(answer == .after(.milliseconds(wait)), "\(asked) ms")
        }
        #expect(Self.first(.failure(.truncatedBody, retryAfter: .seconds(7))) == .after(.seconds(7)))
    }

    @Test func aLongRetryAfterEndsTheCallAtOnce() {
        let long = Outcome.response(.serviceUnavailable, retryAfter: .milliseconds(60_001))
        #expect(Self.first(long) == .none(.retryAfterIsTooLong))
        var patient = Self.machine(maximumRetryAfter: .seconds(100))
        #expect(Self.next(&patient, long) == .after(.milliseconds(60_001)))
        var impatient = Self.machine(maximumRetryAfter: .seconds(-1))
        #expect(
            Self.next(&impatient, .response(.serviceUnavailable, retryAfter: .seconds(1)))
                == .none(.retryAfterIsTooLong)
        )
    }

    @Test func aWaitHasToFitBeforeTheDeadline() {
        var tight = Self.machine(deadline: .milliseconds(250))
        #expect(Self.next(&tight, .response(.badGateway)) == .none(.deadline))
        var loose = Self.machine(deadline: .milliseconds(251))
        #expect(Self.next(&loose, .response(.badGateway)) == .after(.milliseconds(250)))
        #expect(Self.next(&loose, .response(.badGateway), now: .milliseconds(250)) == .none(.deadline))
        var asked = Self.machine(deadline: .seconds(5))
        #expect(Self.next(&asked, .response(.badGateway, retryAfter: .seconds(5))) == .none(.deadline))
    }

    // MARK: Bodies

    @Test func aStreamIsNotSentAgain() {
        for isUntouched in [false, true] {
            let body = RetryMachine.Body.stream(isUntouched: isUntouched)
            #expect(Self.first(.response(.serviceUnavailable), body: body) == .none(.bodyIsUsed))
            #expect(Self.first(.failure(.connectionLost), body: body) == .none(.bodyIsUsed))
            // A refused HTTP/2 stream: the body may have been read.
            #expect(Self.first(.failure(.http2, isSafe: true), body: body) == .none(.bodyIsUsed))
            #expect(Self.first(.otherFailure, .retry(ignoringIdempotency: true), body: body) == .none(.bodyIsUsed))
        }
    }

    @Test func aStreamThatWasNotTouchedIsSentAfterAFailureToConnect() {
        let outcome = Outcome.failure(.cannotConnect, isSafe: true)
        #expect(Self.first(outcome, body: .stream(isUntouched: true), idempotent: false) == .after(.milliseconds(250)))
        #expect(Self.first(outcome, body: .stream(isUntouched: false)) == .none(.bodyIsUsed))
        // After a redirect, for instance, the code alone says nothing about the call.
        #expect(Self.first(.failure(.cannotConnect), body: .stream(isUntouched: true)) == .none(.bodyIsUsed))
    }

    // MARK: Decisions

    @Test func aDecisionToStopEndsTheCall() {
        #expect(Self.first(.response(.serviceUnavailable), .stop) == .none(.stopped))
    }

    @Test func aDecisionToRetryCountsForAnyResult() {
        for outcome in [.response(.ok), .failure(.tls), .otherFailure] as [Outcome] {
            #expect(Self.first(outcome, .retry()) == .after(.milliseconds(250)), "\(outcome)")
        }
    }

    @Test func aDecisionKeepsTheRuleOfIdempotencyUnlessItSaysOtherwise() {
        let outcome = Outcome.response(.serviceUnavailable)
        #expect(Self.first(outcome, .retry(), idempotent: false) == .none(.notIdempotent))
        #expect(Self.first(outcome, .retry(after: .seconds(1)), idempotent: false) == .none(.notIdempotent))
        #expect(Self.first(outcome, .retry(ignoringIdempotency: true), idempotent: false) == .after(.milliseconds(250)))
    }

    @Test func aDecisionsTimeReplacesRetryAfter() {
        let outcome = Outcome.response(.serviceUnavailable, retryAfter: .seconds(100))
        #expect(Self.first(outcome, .retry()) == .none(.retryAfterIsTooLong))
        #expect(Self.first(outcome, .retry(after: .seconds(3))) == .after(.seconds(3)))
        #expect(Self.first(outcome, .retry(after: .seconds(-3))) == .after(.zero))
        #expect(Self.first(outcome, .retry(after: .seconds(Int64.max))) == .after(Backoff.longest))
    }

    @Test func aDecisionCannotExceedTheLimits() {
        var machine = Self.machine(retries: 1, deadline: .seconds(5))
        #expect(Self.next(&machine, .response(.ok), .retry(after: .seconds(5))) == .none(.deadline))
        #expect(Self.next(&machine, .response(.ok), .retry()) == .after(.milliseconds(250)))
        #expect(Self.next(&machine, .response(.ok), .retry()) == .none(.noRetryLeft))
    }

    // MARK: Several attempts

    @Test func anAttemptThatMayHaveBeenProcessedStaysSoForTheCall() {
        var machine = Self.machine(retries: 5, idempotent: false)
        #expect(Self.next(&machine, .failure(.cannotConnect, isSafe: true)) == .after(.milliseconds(250)))
        #expect(machine.isSafe)
        #expect(
            Self.next(&machine, .failure(.connectionLost), .retry(ignoringIdempotency: true))
                == .after(.milliseconds(500))
        )
        #expect(!machine.isSafe)
        #expect(Self.next(&machine, .failure(.cannotConnect, isSafe: true)) == .none(.notIdempotent))
    }

    @Test func theCauseOfAnAttemptIsTheEndOfTheOneBefore() {
        let rows: [(Outcome, RetryDecision, Attempt.Cause)] = [
            (.response(.badGateway), .default, .status(.badGateway)),
            (.failure(.connectionLost), .default, .failure(.connectionLost)), (.otherFailure, .retry(), .otherFailure),
        ]
        for (outcome, decision, cause) in rows {
            var machine = Self.machine()
            let now = Self.start
            let action = machine.next(after: outcome, decision, now: now, fraction: 0)
            #expect(action == .retry(at: now.advanced(by: .milliseconds(250)), cause))
        }
    }
}

struct BackoffTests {
    @Test func theTimeDoublesUpToTheMaximum() {
        let backoff = Backoff(jitter: .none)
        let expected = [0.25, 0.5, 1, 2, 4, 8, 16, 20, 20].map { Duration.seconds($0) }
        #expect(expected.indices.map { backoff.delay(retry: $0, fraction: 0) } == expected)
        #expect(backoff.delay(retry: .max, fraction: 0) == .seconds(20))
    }

    @Test func theTimeIsAnythingFromZeroToTheLimit() {
        let backoff = Backoff()
        for (fraction, delay) in [(0, 0), (0.5, 250), (1, 500), (7, 500), (-7, 0)] as [(Double, Int)] {
            #expect(backoff.delay(retry: 1, fraction: fraction) == .milliseconds(delay), "\(fraction)")
        }
    }

    @Test(arguments: [Duration.seconds(Int64.min), .seconds(-1), .zero, .nanoseconds(1), .seconds(Int64.max)])
    func anyDurationIsAllowed(_ duration: Duration) {
        for jitter in [Backoff.Jitter.full, .none] {
            for retry in [-1, 0, 1, 100] {
                for fraction in [0, 0.5, 1, .nan, .infinity] {
                    for backoff in [
                        Backoff(base: duration, jitter: jitter), Backoff(maximum: duration, jitter: jitter),
                        Backoff(base: duration, maximum: duration, jitter: jitter),
                    ] {
                        let delay = backoff.delay(retry: retry, fraction: fraction)
                        #expect(delay >= .zero && delay <= Backoff.longest)
                    }
                }
            }
        }
    }
}
