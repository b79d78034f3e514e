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
/// **Origins.** Only requests to a listed scheme, host and port get the credential, and the policy examines only their
/// responses. The policy sees each redirect (``interceptsEachHop``): it sends a redirect to a foreign origin without the
/// credential, ignores a 401 from there, and adds the credential to a redirect to a listed origin. A request that already has
/// the ``field``, or user information in its URL, keeps its own credentials, and its 401 is returned.
///
/// **Refresh.** By default, a 401 (RFC 6750 §3.1) makes the policy refresh the credential and send the request again, once. It
/// returns the response to that, whatever it is. If the body of the request cannot be sent again, the policy returns the 401,
/// and the next request refreshes the credential. However many requests are refused, one refresh runs at a time. Requests that
/// arrive meanwhile wait for it, and a request that was sent with an older credential is sent again with the newer one. Before
/// the refresh, the policy reads the body of the 401 to its end, up to 64 KiB, or closes its exchange.
///
/// **Failure.** If a refresh fails, all requests that need it fail with its error, which reaches the callers unchanged. A
/// ``RetryPolicy`` around this one repeats the refresh, unless a retry policy inside the refresh has already given up. The
/// credential is not used again, but the next call of `refresh` receives it, because it may contain a refresh token. A request
/// that arrives later starts another refresh, which all later requests share while it runs.
///
/// **Expiry.** With a `lifetime`, the policy renews the credential in the background when its remaining lifetime is shorter
/// than the margin, while requests still use it. If that fails, the policy tries again after half of the remaining time, and no
/// request fails.
///
/// **Login and logout.** ``setCredential(_:)`` and ``removeCredential()`` replace the credential at any time.
///
/// **Cancellation.** A cancelled request ends at once with `CancellationError`; the refresh continues, even without waiting
/// requests. The refresh runs in a task with the task-local values and the priority of the request that started it. Releasing
/// the policy cancels the refresh.
///
/// **The refresh's own requests** may use the same dispatcher: they pass through the policy unchanged. However, a graceful
/// shutdown refuses them, a limit on the number of concurrent requests may leave no room for them, and a closure that captures
/// the dispatcher keeps it alive. A separate dispatcher is therefore better.
///
/// The policy has one credential for all its requests and callers: a refresh for one caller is a refresh for all. If each user
/// of a server has a credential of their own, create a policy and a dispatcher per user.
///
/// Several dispatchers may use the policy. Times are those of the transport's clock.
public final class AuthenticationPolicy<Credential: Sendable>: Interceptor {
    typealias Machine = AuthenticationMachine<Credential, Waiter>
    typealias Lease = AuthenticationLease<Credential>
    typealias Waiter = CheckedContinuation<Lease, any Error>

    struct State: Sendable {
        var machine: Machine
        /// The running refresh, and the timer of its limit.
        var tasks: [Task<Void, Never>] = []
    }

    /// The closures and settings, which don't change.
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
    /// Whether errors hide the field without a setting of the user.
    private let isKnownSecret: Bool

    /// `true`: the policy adds the credential to each request of a redirect chain whose origin is listed.
    public var interceptsEachHop: Bool { true }

    /// Whether `apply` may treat each caller differently: `true`, unless ``OAuth2ClientCredentials`` created the policy.
    public let distinguishesCallers: Bool

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - origins: A URL of each origin that gets the credential; its path does not matter. No other origin ever gets
    ///     it.
    ///   - credential: The first credential; by default, the first request waits for a refresh.
    ///   - field: The header field that `apply` sets. A request that already has it is left unchanged. Errors hide its value;
    ///     if it is not `Authorization`, also name it in ``RequestOptions/sensitiveHeaders``, so that responses hide it, too.
    ///   - refreshTimeLimit: How long a refresh may take before it fails with ``AuthenticationError``, 30 seconds by
    ///     default. A negative limit counts as zero, and one of more than 30 years as none.
    ///   - renewalMargin: How long before its expiry a credential is renewed; 30 seconds by default, and at most half of its
    ///     lifetime.
    ///   - lifetime: Returns how long a credential is valid from now on; `nil` if that is unknown. The policy calls it once for
    ///     each credential: when a refresh returns it, or at the first request of any other credential. For a date, return
    ///     `.seconds(date.timeIntervalSinceNow)`.
    ///   - isRefusal: Returns whether a response asks for another credential; by default, whether it is a 401. See
    ///     ``isInvalidToken(_:)``.
    ///   - apply: Adds a credential to a request. It must not change the origin of the URL. An error ends the call before it
    ///     sends anything, and reaches the caller unchanged.
    ///   - refresh: Gets a new credential. Its argument is the previous one, or `nil` if there never was one. The policy
    ///     cancels its task at the time limit.
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

    /// Creates a policy that may treat all callers alike.
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
        // No request waits: a waiter would keep the policy alive.
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
        // A transport may have returned a response from another origin than that of the request.
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
            // Do this first, because the refresh may need the connection.
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
    /// Returns whether a response says that a bearer token is expired, revoked or malformed (RFC 6750 §3.1).
    ///
    /// Pass this function as `isRefusal` if a 401 of the service may have another reason:
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
