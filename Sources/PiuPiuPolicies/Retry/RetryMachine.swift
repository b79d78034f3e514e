/// The logic of a ``RetryPolicy`` for one call: the next step after each attempt.
///
///     attempting ── next ──▶ finished
///         ▲            │
///         └─ waiting ◀─┘ retry
///
/// The interceptor owns the machine, and calls ``next(after:_:body:now:fraction:)`` once for each attempt that ended. After
/// `finish`, the result of that attempt is the result of the call. Cancellation needs no event: it ends an attempt or a wait
/// with `CancellationError`, and the interceptor does not call the machine again.
struct RetryMachine {
    /// The rules, which are the same for all calls of a policy.
    struct Rules {
        var retries = 2
        var backoff = Backoff()
        var statusCodes = RetryPolicy.statusCodes
        var maximumRetryAfter = Duration.seconds(60)
    }

    /// How an attempt ended.
    enum Outcome {
        case response(StatusCode, retryAfter: Duration? = nil)
        /// `isSafe` is ``TransportError/isSafeToRetry``; `refusal` is the status code of a proxy that refused a tunnel.
        case failure(
            TransportError.Code,
            isSafe: Bool = false,
            retryAfter: Duration? = nil,
            refusal: StatusCode? = nil
        )
        /// An error that is not a ``TransportError``.
        case otherFailure
    }

    /// The state of the request's body after an attempt.
    enum Body {
        case repeatable
        case stream(isUntouched: Bool)
    }

    /// The next step.
    enum Action: Equatable {
        /// Send the request again at an instant.
        case retry(at: ContinuousClock.Instant, Attempt.Cause)
        /// The result of the attempt is the result of the call.
        case finish(Reason)
    }

    /// Why a request is not sent again.
    enum Reason: Equatable {
        /// A retry would not help: the response is not a failure, or the error is permanent.
        case final
        /// The caller's function decided to stop.
        case stopped
        case noRetryLeft
        /// The body is a stream that was, or may have been, read.
        case bodyIsUsed
        /// The server may have processed the request, and processing it twice may have another effect.
        case notIdempotent
        /// The server asks for a longer time than the policy allows.
        case retryAfterIsTooLong
        /// The next attempt would begin after the deadline.
        case deadline
    }

    /// The maximum number of retries of a call, because it keeps a list of them.
    private static let mostRetries = 1000

    private let rules: Rules
    private let isIdempotent: Bool
    private let deadline: ContinuousClock.Instant?
    private var retriesMade = 0
    /// Whether the server has certainly processed none of the attempts.
    private(set) var isSafe = true

    /// Creates the machine of a call.
    init(_ rules: Rules, isIdempotent: Bool, deadline: ContinuousClock.Instant?) {
        self.rules = rules
        self.isIdempotent = isIdempotent
        self.deadline = deadline
    }

    /// Decides the next step after an attempt, with a random number from 0 to 1 for the wait.
    mutating func next(
        after outcome: Outcome,
        _ decision: RetryDecision = .default,
        body: Body = .repeatable,
        now: ContinuousClock.Instant,
        fraction: Double
    ) -> Action {
        isSafe = isSafe && outcome.isSafe
        var delay: Duration?
        var ignoresIdempotency = false
        switch decision {
        case .stop: return .finish(.stopped)
        case .default:
            guard isTransient(outcome) else { return .finish(.final) }
        case .retry(let after, let ignoring):
            delay = after.map { Backoff.clamped($0) }
            ignoresIdempotency = ignoring
        }
        guard retriesMade < min(rules.retries, Self.mostRetries) else { return .finish(.noRetryLeft) }
        guard Self.isAvailable(body, after: outcome) else { return .finish(.bodyIsUsed) }
        guard isSafe || isIdempotent || ignoresIdempotency else { return .finish(.notIdempotent) }
        let retryAfter = outcome.retryAfter ?? .zero
        guard delay != nil || retryAfter <= rules.maximumRetryAfter else { return .finish(.retryAfterIsTooLong) }
        // Never wait less than the server asks, and never let all clients return at once because it asks for no time at all.
        let wait = delay ?? max(retryAfter, rules.backoff.delay(retry: retriesMade, fraction: fraction))
        let instant = now.advanced(by: wait)
        if let deadline, instant >= deadline { return .finish(.deadline) }
        retriesMade += 1
        return .retry(at: instant, outcome.cause)
    }

    private func isTransient(_ outcome: Outcome) -> Bool {
        switch outcome {
        case .response(let statusCode, _): rules.statusCodes.contains(statusCode)
        case .failure(let code, _, _, let refusal):
            code.isWorthRetrying && refusal.map { rules.statusCodes.contains($0) } ?? true
        case .otherFailure: false
        }
    }

    /// Whether a body can be sent (again).
    ///
    /// A stream can be sent once. After a refused HTTP/2 stream, it may have been read although no byte was sent yet, so only
    /// an attempt without a connection certainly leaves it unread.
    private static func isAvailable(_ body: Body, after outcome: Outcome) -> Bool {
        switch (body, outcome) {
        case (.repeatable, _): true
        case (.stream(let isUntouched), .failure(let code, let isSafe, _, _)):
            isUntouched && isSafe && code.meansNothingWasSent
        case (.stream, _): false
        }
    }
}

extension RetryMachine.Outcome {
    /// Whether the server has certainly not processed the request.
    fileprivate var isSafe: Bool {
        if case .failure(_, let isSafe, _, _) = self { isSafe } else { false }
    }

    /// The time that the server asks the client to wait.
    fileprivate var retryAfter: Duration? {
        switch self {
        case .response(_, let retryAfter), .failure(_, _, let retryAfter, _): retryAfter
        case .otherFailure: nil
        }
    }

    /// The cause of the next attempt.
    fileprivate var cause: Attempt.Cause {
        switch self {
        case .response(let statusCode, _): .status(statusCode)
        case .failure(let code, _, _, _): .failure(code)
        case .otherFailure: .otherFailure
        }
    }
}

extension TransportError.Code {
    /// Whether another attempt may end differently, by the table in the documentation of ``RetryPolicy``.
    var isWorthRetrying: Bool {
        switch self {
        case .cannotResolveHost, .cannotConnect, .proxy, .connectionLost, .truncatedBody, .http2: true
        case .timeout(.queue), .timeout(.connect), .timeout(.head), .timeout(.idle), .timeout(.attempt): true
        default: false
        }
    }
}
