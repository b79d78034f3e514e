/// An interceptor that adds a credential to requests, and refreshes it when a server refuses it or before it expires.
///
/// ```swift
/// struct Tokens: Sendable, Decodable {
///     var access: String
///     var refresh: String
///     var expiresIn: Int
/// }
///
/// let login = URLRequestDispatcher()
/// let authentication = try AuthenticationPolicy<Tokens>(
///     origins: [url],
///     lifetime: { .seconds($0.expiresIn) },
///     apply: { tokens, request in
///         request.setValue("Bearer \(tokens.access)", forHTTPHeaderField: "Authorization")
///     },
///     refresh: { old in
///         var request = URLRequest(url: loginURL, method: .post)
///         request.httpBody = try JSONEncoder().encode(["refresh": old?.refresh])
///         return try await login.data(for: request).validated().decode(Tokens.self)
///     }
/// )
/// let dispatcher = URLRequestDispatcher(interceptors: [authentication])
/// ```
///
/// **Origins.** Only requests to a listed scheme, host and port get the credential, and only their responses are looked
/// at. The policy sees each redirect (``interceptsEachHop``): a redirect to a foreign origin is sent without the
/// credential, a 401 from there means nothing, and a redirect to a listed origin gets the credential. A request that
/// already has the ``field``, or user information in its URL, keeps its own credentials, and its 401 is returned.
///
/// **Refresh.** By default, a 401 (RFC 6750 §3.1) makes the policy refresh the credential and send the request again,
/// once. The response to that is returned, whatever it is. If the body of the request cannot be sent again, the 401 is
/// returned, and the next request refreshes the credential. However many requests are refused, one refresh runs at a
/// time. Requests that arrive meanwhile wait for it, and a request that was sent with an older credential is sent again
/// with the newer one. The body of the 401 is read to its end, up to 64 KiB, or its exchange is closed, before the
/// refresh.
///
/// **Failure.** If a refresh fails, all requests that need it fail with its error, which reaches the callers unchanged. A
/// ``RetryPolicy`` around this one repeats the refresh, unless a retry policy of the refresh has already given it up after
/// retries.
/// The credential is not used again; `refresh` still gets it the next time, because it may hold a refresh token. A
/// request that arrives later begins another refresh, which all later requests share while it runs.
///
/// **Expiry.** With a `lifetime`, the credential is renewed in the background when its remaining lifetime is shorter than
/// the margin, while requests use it. If that fails, it is tried again after half of the remaining time, and no request
/// fails.
///
/// **Login and logout.** ``setCredential(_:)`` and ``removeCredential()`` replace the credential at any time.
///
/// **Cancellation.** A cancelled request ends at once with `CancellationError`; the refresh goes on, also for the last
/// one. The refresh runs in a task with the task-locals and the priority of the request that began it. Releasing the
/// policy cancels the refresh.
///
/// **The refresh's own requests** may use the same dispatcher: they pass through the policy unchanged. Graceful shutdown
/// refuses them, however, a limit on the number of concurrent requests may leave no room for them, and a closure that
/// holds the dispatcher keeps it alive. A dispatcher of its own is therefore better.
///
/// The policy has one credential, which is that of all its requests, whoever makes them: a refresh for one caller is a
/// refresh for all. If the users of a server each have their own, give each a policy and a dispatcher.
///
/// The policy may be used by several dispatchers. Time is that of the transport's clock.
public final class AuthenticationPolicy<Credential: Sendable>: Interceptor {
    typealias Machine = AuthenticationMachine<Credential, Waiter>
    typealias Lease = AuthenticationLease<Credential>
    typealias Waiter = CheckedContinuation<Lease, any Error>

    struct State: Sendable {
        var machine: Machine
        /// The refresh that runs, and the timer of its limit.
        var tasks: [Task<Void, Never>] = []
    }

    /// The closures and settings, which never change.
    struct Settings: Sendable {
        let lifetime: (@Sendable (Credential) -> Duration?)?
        let isRefusal: @Sendable (ResponseHead) -> Bool
        let apply: @Sendable (Credential, inout URLRequest) throws -> Void
        let refresh: @Sendable (Credential?) async throws -> Credential
        let timeLimit: Duration?
    }

    /// The header field that holds the credential.
    public let field: String
    let settings: Settings
    let state: Locked<State>
    let owner = Call.Work.Owner()
    private let origins: OriginList
    /// Whether errors hide the field without being told.
    private let isKnownSecret: Bool

    /// `true`: the credential is added to each request of a redirect chain, if its origin is listed.
    public var interceptsEachHop: Bool { true }

    /// Whether `apply` may do something else for each caller: `true`, unless ``OAuth2ClientCredentials`` made the policy.
    public let distinguishesCallers: Bool

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - origins: A URL of each origin that gets the credential; its path does not matter. No other origin ever gets
    ///     it.
    ///   - credential: The first credential; by default, the first request waits for a refresh.
    ///   - field: The header field that `apply` sets. A request that already has it is left alone. Errors hide its
    ///     value; if it is not `Authorization`, name it in ``RequestOptions/sensitiveHeaders`` too, so that responses
    ///     hide it.
    ///   - refreshTimeLimit: How long a refresh may take before it fails with ``AuthenticationError``, 30 seconds by
    ///     default. A negative limit counts as zero, and one of more than 30 years as none.
    ///   - renewalMargin: How long before its expiry a credential is renewed, 30 seconds by default, and at most half
    ///     of its lifetime.
    ///   - lifetime: Returns how long a credential is valid from now on; `nil` if that is unknown. It is called once for
    ///     each credential, when the policy gets it; for one that no refresh returned, at its first request. For a date,
    ///     return `.seconds(date.timeIntervalSinceNow)`.
    ///   - isRefusal: Whether a response asks for another credential; by default, if it is a 401. See
    ///     ``isInvalidToken(_:)``.
    ///   - apply: Adds a credential to a request. It must not change the origin of the URL. Its error ends the call and
    ///     reaches the caller unchanged; nothing is sent.
    ///   - refresh: Gets a new credential, in place of the last one, which is `nil` if there never was one. Its task is
    ///     cancelled at the time limit.
    /// - Throws: ``AuthenticationError`` with the code `invalidOrigin`.
    public convenience init(
        origins: [URL],
        credential: Credential? = nil,
        field: String = "Authorization",
        refreshTimeLimit: Duration = .seconds(30),
        renewalMargin: Duration = .seconds(30),
        lifetime: (@Sendable (Credential) -> Duration?)? = nil,
        isRefusal: @escaping @Sendable (ResponseHead) -> Bool = { $0.statusCode == .unauthorized },
        apply: @escaping @Sendable (Credential, inout URLRequest) throws -> Void,
        refresh: @escaping @Sendable (Credential?) async throws -> Credential
    ) throws(AuthenticationError) {
        try self.init(
            origins,
            credential,
            field: field,
            renewalMargin: renewalMargin,
            distinguishesCallers: true,
            Settings(
                lifetime: lifetime,
                isRefusal: isRefusal,
                apply: apply,
                refresh: refresh,
                timeLimit: refreshTimeLimit < Machine.longest ? max(.zero, refreshTimeLimit) : nil
            )
        )
    }

    /// Creates a policy of which it is known whether it treats all callers alike.
    init(
        _ origins: [URL],
        _ credential: Credential? = nil,
        field: String = "Authorization",
        renewalMargin: Duration,
        distinguishesCallers: Bool,
        _ settings: Settings
    ) throws(AuthenticationError) {
        self.origins = try OriginList(origins)
        self.field = field
        self.distinguishesCallers = distinguishesCallers
        self.settings = settings
        isKnownSecret = Redaction.standard.isSensitive(field)
        let hasLifetimes = settings.lifetime != nil
        state = Locked(
            State(machine: Machine(credential: credential, margin: renewalMargin, hasLifetimes: hasLifetimes))
        )
    }

    deinit {
        // Nothing waits: a waiter would keep the policy alive.
        for task in state.withLock({ $0.tasks }) { task.cancel() }
    }

    /// Adds the credential, and sends the request again with another one if the server refuses it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The response.
    /// - Throws: The errors of `next`, of `apply` and of `refresh`; ``AuthenticationError`` if a refresh takes too long;
    ///   `CancellationError` if the task is cancelled.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        guard origins.contains(request.target), request.urlRequest.value(forHTTPHeaderField: field) == nil,
            let lease = try await lease(.first, for: request, next.clock)
        else { return try await next(request) }
        let response = try await next(authorized(request, with: lease.credential))
        // A transport may have answered for another origin than was asked for.
        guard settings.isRefusal(response.head), origins.contains(request.target(of: response.urlRequest.url)) else {
            return response
        }
        return try await sendAgain(request, after: response, refused: lease, next)
    }

    @inline(never)
    private func sendAgain(
        _ request: TransportRequest,
        after response: TransportResponse,
        refused: Lease,
        _ next: InterceptorChain
    ) async throws -> TransportResponse {
        guard request.body?.isRepeatable ?? true, request.urlRequest.httpBodyStream == nil else {
            state.withLock { $0.machine.refuse(refused.generation) }
            return response
        }
        if let stream = response.stream {
            // First of all, because the refresh may need the connection.
            let clock = next.clock
            let end = clock.instant.advanced(by: .seconds(1))
            await stream.drain(upTo: 64 * 1024, until: min(end, request.deadline ?? end), clock: clock)
            try Task.checkCancellation()
        }
        let demand = Machine.Demand.again(after: refused.generation)
        guard let lease = try await lease(demand, for: request, next.clock) else { return response }
        request.beginAttempt(.credentials)
        request.reporter?.willSendAgain()
        return try await next(authorized(request, with: lease.credential))
    }

    private func authorized(_ request: TransportRequest, with credential: Credential) throws -> TransportRequest {
        var request = request
        try settings.apply(credential, &request.urlRequest)
        guard origins.contains(request.target) else {
            throw TransportError(.invalidRequest, reason: "The closure that adds a credential changed the URL's origin")
        }
        if !isKnownSecret, !request.options.sensitiveHeaders.contains(field) {
            request.options.sensitiveHeaders.append(field)
        }
        return request
    }
}

extension AuthenticationPolicy {
    /// Whether a response says that a bearer token is expired, revoked or malformed (RFC 6750 §3.1).
    ///
    /// Pass it as `isRefusal` if a 401 of the service may have another reason:
    ///
    /// ```swift
    /// let authentication = try AuthenticationPolicy<String>(
    ///     origins: [url],
    ///     isRefusal: { AuthenticationPolicy<String>.isInvalidToken($0) },
    ///     apply: { $1.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") },
    ///     refresh: { _ in try await requestToken() }
    /// )
    /// ```
    ///
    /// - Parameter head: The head of the response.
    /// - Returns: `true` for a 401 with `error="invalid_token"` in its `WWW-Authenticate`.
    public static func isInvalidToken(_ head: ResponseHead) -> Bool {
        guard head.statusCode == .unauthorized else { return false }
        return head.headers.values(for: "WWW-Authenticate").contains { value in
            let text = value.lowercased().filter { $0 != " " && $0 != "\t" }
            return text.contains("error=\"invalid_token\"") || text.contains("error=invalid_token")
        }
    }
}

extension AuthenticationPolicy: Redacted {
    /// The origins and the field, without the credential.
    package var shown: KeyValuePairs<String, Any> { ["origins": origins.names, "field": field] }
}
