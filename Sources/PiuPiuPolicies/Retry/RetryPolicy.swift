/// An interceptor that sends a request again after a failure that may be temporary.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy()])
/// let response = try await dispatcher.data(for: request)
/// print(response.attempts.count)
/// ```
///
/// **Retried results.** The policy retries these status codes and errors; everything else reaches the caller at once:
///
/// | Result of an attempt | Sent again |
/// |---|---|
/// | 408, 425, 429, 502, 503, 504 | if idempotent |
/// | `connectionLost`, `truncatedBody`, `http2` | if idempotent, or if ``TransportError/isSafeToRetry`` is `true` |
/// | `timeout` of `head`, `idle` or `attempt` | if idempotent |
/// | `cannotResolveHost`, `cannotConnect`, `proxy`, `timeout` of `queue` or `connect` | always: nothing was sent |
/// | `timeout(.total)` | never: no time is left |
/// | `tls`, `invalidRequest`, `invalidURL`, `unsupportedScheme`, `unsupported` | never: it would fail again |
/// | `forbiddenAddress` | never, although nothing was sent: the guard's decision is final |
/// | `malformedHead`, `malformedBody`, `headTooLarge`, `bodyTooLarge`, `decompressionLimit` | never |
/// | `tooManyRedirects`, `redirectLoop`, `unsafeRedirect`, `invalidRedirect` | never |
/// | `shutDown`, `adapterReleased`, `libraryUnavailable`, `outOfResources` | never |
/// | the error of an ``AuthenticationPolicy``'s refresh, if a retry policy inside the refresh has already retried it | never |
/// | any other error: of an adapter, of another interceptor, of a body; `CancellationError` | never |
///
/// If a proxy refused a tunnel with a status code that is not in the first row, such as 407, the policy does not retry
/// (``ProxyFailure/statusCode``).
///
/// An ``UnacceptableResponseError`` of a ``Validation`` inside the policy counts like its response. An error inside a body that
/// is delivered as a stream comes after the policy is finished, and is not retried.
///
/// **Idempotent** means that the method is one of ``idempotentMethods`` (RFC 9110 §9.2.2), or that the request has an
/// `Idempotency-Key` field when it reaches the policy. A `POST` without one is sent again only if the server has certainly not
/// processed it: no connection could be opened, or an HTTP/2 server refused the stream (RFC 9113 §8.7). A body that is a stream
/// is never sent again, unless no connection could be opened and the stream was not read.
///
/// **Wait.** The policy waits for a random time that doubles with each retry (see ``Backoff``), and at least as long as the
/// response's `Retry-After` asks, which may be a number of seconds or a date. It also accepts other forms that servers send,
/// and rounds them up: fractions and units of time, and dates with another zone or without seconds. If the server asks for more
/// than ``maximumRetryAfter``, or the wait does not fit into the remaining time of ``Timeouts/total``, the response or the
/// error reaches the caller at once. Each retry takes a token of ``budget``.
///
/// If the policy does not return a response, it reads a body of at most 64 KiB that arrives within a second to its end, and
/// keeps the connection; otherwise it closes the connection. ``Response/attempts`` and ``TransportError/attempts`` list the
/// attempts. Cancelling the call ends an attempt or a wait at once, with `CancellationError`.
///
/// **Other retries.** The transport also sends a request again: once per attempt if the server has closed a kept connection and
/// the method is idempotent, and once or twice per call if an HTTP/2 server has not processed the request (see
/// <doc:LinuxTransport>). With `retries: 1`, a server may therefore see three requests. ``Statistics`` and
/// ``Response/attempts`` count two, because the exchange is the same; other observers get an event
/// (``ExchangeEvent/Kind/restarted``). An ``AuthenticationPolicy`` sends a request again after a 401: that is a separate
/// attempt and exchange, but ``Statistics/Exchanges/retries`` counts only the retries of this policy.
///
/// **Nested retries.** The policy repeats a call whose refresh of credentials failed, and with it the refresh. If a retry
/// policy inside the refresh gave up after retries, the error is final here, so that retries are not multiplied. A ``decide``
/// function may still decide otherwise.
///
/// Place the policy outside interceptors that each attempt needs, such as credentials and rate limits, and inside those that a
/// call needs once, such as coalescing. A call passes through the redirect policy again with each attempt.
public struct RetryPolicy: Interceptor {
    /// A function that decides whether a request is sent again.
    ///
    /// The policy calls it after each attempt, even a successful one, unless the attempt was cancelled. It runs in the
    /// background unless it is isolated to an actor, and its time counts toward that of the call.
    public typealias Decision = @Sendable (_ context: RetryContext) async -> RetryDecision

    /// The default of ``statusCodes``: 408, 425, 429, 502, 503 and 504.
    public static let statusCodes: Set<StatusCode> = [
        .requestTimeout, .tooEarly, .tooManyRequests, .badGateway, .serviceUnavailable, .gatewayTimeout,
    ]

    /// The maximum number of times a request is sent again; 2 by default, which means up to three attempts.
    ///
    /// A negative number counts as zero, and one above 1,000 as 1,000.
    public var retries: Int
    /// The time to wait before a request is sent again.
    public var backoff: Backoff
    /// The status codes after which a request is sent again.
    public var statusCodes: Set<StatusCode> = RetryPolicy.statusCodes
    /// The methods that a server may process twice (RFC 9110 §9.2.2): `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT`, `DELETE`.
    public var idempotentMethods: Set<HTTPMethod> = [.get, .head, .options, .trace, .put, .delete]
    /// The longest `Retry-After` for which the policy waits; 60 seconds by default.
    public var maximumRetryAfter: Duration
    /// The time limit of one attempt; `nil`, the default, for no limit.
    ///
    /// For a response that is delivered as a stream, it is the time until its head arrives. The policy cancels an attempt that
    /// takes longer; it ends with the error code ``TransportError/Code/timeout(_:)`` and the phase ``TimeoutPhase/attempt``. A
    /// duration that is not positive counts as no limit.
    public var attemptTimeout: Duration?
    /// The limit on the retries of all calls together; `nil` for none.
    public var budget: RetryBudget?
    /// The function that overrides the policy's rules; `nil`, the default, for none.
    public var decide: Decision?
    /// The wall clock, for a date in `Retry-After` if the response has no `Date` field.
    var currentDate: @Sendable () -> Date = { Date() }

    /// `false`: the policy treats all callers alike.
    public var distinguishesCallers: Bool { false }

    /// Creates a policy.
    ///
    /// ```swift
    /// let policy = RetryPolicy(retries: 4, attemptTimeout: .seconds(5)) { context in
    ///     context.statusCode == .internalServerError ? .retry() : .default
    /// }
    /// let dispatcher = URLRequestDispatcher(interceptors: [policy])
    /// ```
    ///
    /// - Parameters:
    ///   - retries: The maximum number of times a request is sent again: 2 means up to three attempts.
    ///   - backoff: The time to wait before a request is sent again.
    ///   - maximumRetryAfter: The longest `Retry-After` for which the policy waits.
    ///   - attemptTimeout: The time limit of one attempt; `nil` for no limit.
    ///   - budget: The limit on the retries of all calls together; by default, each policy has its own. `nil` for none.
    ///   - decide: The function that overrides the policy's rules; `nil` for none.
    public init(
        retries: Int = 2,
        backoff: Backoff = Backoff(),
        maximumRetryAfter: Duration = .seconds(60),
        attemptTimeout: Duration? = nil,
        budget: RetryBudget? = RetryBudget(),
        decide: Decision? = nil
    ) {
        self.retries = retries
        self.backoff = backoff
        self.maximumRetryAfter = maximumRetryAfter
        self.attemptTimeout = attemptTimeout
        self.budget = budget
        self.decide = decide
    }
}

extension RetryPolicy: Redacted {
    /// The limits.
    package var shown: KeyValuePairs<String, Any> {
        [
            "retries": retries, "backoff": backoff, "maximumRetryAfter": maximumRetryAfter,
            "attemptTimeout": attemptTimeout.map { "\($0)" } ?? "none",
        ]
    }
}
