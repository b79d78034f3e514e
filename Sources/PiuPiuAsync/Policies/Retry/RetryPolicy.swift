/// An interceptor that sends a request again if it failed in a way that may pass.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy()])
/// let response = try await dispatcher.data(for: request)
/// print(response.attempts.count)
/// ```
///
/// **What is retried.** These status codes and these errors; everything else reaches the caller at once:
///
/// | Result of an attempt | Sent again |
/// |---|---|
/// | 408, 425, 429, 502, 503, 504 | if idempotent |
/// | `connectionLost`, `truncatedBody`, `http2` | if idempotent, or if ``TransportError/isSafeToRetry`` is `true` |
/// | `timeout` of `head`, `idle` or `attempt` | if idempotent |
/// | `cannotResolveHost`, `cannotConnect`, `proxy`, `timeout` of `queue` or `connect` | always: nothing was sent |
/// | `timeout(.total)` | never: no time is left |
/// | `tls`, `invalidRequest`, `invalidURL`, `unsupportedScheme`, `unsupported` | never: it would fail again |
/// | `forbiddenAddress` | never, although nothing was sent: the guard's word is final |
/// | `malformedHead`, `malformedBody`, `headTooLarge`, `bodyTooLarge`, `decompressionLimit` | never |
/// | `tooManyRedirects`, `redirectLoop`, `unsafeRedirect`, `invalidRedirect` | never |
/// | `shutDown`, `adapterReleased`, `libraryUnavailable`, `outOfResources` | never |
/// | the error of an ``AuthenticationPolicy``'s refresh, after a retry policy of its own has sent it again | never |
/// | any other error: of an adapter, of another interceptor, of a body; `CancellationError` | never |
///
/// A proxy that refused a tunnel with a status code that is not in the first row, such as 407, is not asked again
/// (``ProxyFailure/statusCode``).
///
/// An ``UnacceptableResponseError`` of a ``Validation`` inside the policy counts as the response it is about. An error
/// inside a body that is delivered as a stream comes after the policy has done its work, and is not retried.
///
/// **Idempotent** means that the method is one of ``idempotentMethods`` (RFC 9110 §9.2.2), or that the request has an
/// `Idempotency-Key` field when it reaches the policy. A `POST` without one is sent again only if the server has
/// certainly not processed it: no connection could be opened, or an HTTP/2 server refused the stream (RFC 9113 §8.7).
/// A body that is a stream is never sent again, unless no connection could be opened and the stream was not touched.
///
/// **When.** After a random time that doubles with each retry (see ``Backoff``), and never earlier than the response's
/// `Retry-After` asks, which may be a number of seconds or a date. Other forms that servers send are read, too, and rounded
/// up: fractions and units of time, dates with another zone, or without seconds. If the server asks for more than
/// ``maximumRetryAfter``, or the wait does not fit into the time left of ``Timeouts/total``, the response or the error
/// reaches the caller at once. Each retry takes a token of ``budget``.
///
/// The body of a response that is not passed on is read to its end and its connection kept if it has at most 64 KiB and
/// arrives within a second; otherwise the connection is closed. ``Response/attempts`` and ``TransportError/attempts``
/// list the attempts. Cancelling the call ends an attempt or a wait at once, with `CancellationError`.
///
/// **What else sends a request again.** The transport does, once for each attempt if a connection that was kept open turns
/// out to be closed and the method is idempotent, and once or twice for each call if an HTTP/2 server has not processed the
/// request (see <doc:LinuxTransport>). So with `retries: 1` a server may see three requests. For ``Statistics`` and ``Response/attempts`` they are
/// two, because the exchange is the same; other observers hear of it (``ExchangeEvent/Kind/restarted``). An
/// ``AuthenticationPolicy`` sends a request again after a 401: that is an attempt and an exchange of its own, but
/// ``Statistics/Exchanges/retries`` counts only what this policy does.
///
/// **Retries inside retries.** This policy repeats a call whose refresh of credentials failed, and with it the refresh. If the
/// refresh has a retry policy of its own, and that gave up after retries, its error is final here, so that retries are not
/// multiplied. A ``decide`` function may still decide otherwise.
///
/// Place the policy outside interceptors that each attempt needs, such as credentials and rate limits, and inside those
/// that a call needs once, such as coalescing. A call passes through the redirect policy again with each attempt.
public struct RetryPolicy: Interceptor {
    /// A function that decides whether a request is sent again.
    ///
    /// It is called after each attempt, even a successful one, except one that was cancelled. It runs in the background
    /// unless it says otherwise, and its time counts toward that of the call.
    public typealias Decision = @Sendable (_ context: RetryContext) async -> RetryDecision

    /// The default of ``statusCodes``: 408, 425, 429, 502, 503 and 504.
    public static let statusCodes: Set<StatusCode> = [
        .requestTimeout, .tooEarly, .tooManyRequests, .badGateway, .serviceUnavailable, .gatewayTimeout,
    ]

    /// How often a request is sent again at most, apart from the first time; 2 by default, which is up to three attempts.
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
    /// How long one attempt may take; `nil`, the default, for no limit.
    ///
    /// For a response that is delivered as a stream, it is the time until its head arrives. An attempt that takes longer is
    /// cancelled, and ends with the error code ``TransportError/Code/timeout(_:)`` and the phase ``TimeoutPhase/attempt``.
    /// A duration that is not positive counts as no limit.
    public var attemptTimeout: Duration?
    /// The limit on the retries of all calls together; `nil` for none.
    public var budget: RetryBudget?
    /// Decides for the policy; `nil`, the default, for the policy's own rules.
    public var decide: Decision?
    /// The wall clock, for a date in `Retry-After` if the response has no `Date` field.
    var currentDate: @Sendable () -> Date = { Date() }

    /// `false`: all callers are treated alike.
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
    ///   - retries: How often a request is sent again at most, apart from the first time: 2 means up to three attempts.
    ///   - backoff: The time to wait before that.
    ///   - maximumRetryAfter: The longest `Retry-After` for which the policy waits.
    ///   - attemptTimeout: How long one attempt may take; `nil` for no limit.
    ///   - budget: The limit on the retries of all calls together, by default one of this policy's own; `nil` for none.
    ///   - decide: Decides for the policy; `nil` for the policy's own rules.
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
