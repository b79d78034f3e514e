/// The cookies of one user: stores those that servers set, and sends them back (RFC 6265bis).
///
/// ```swift
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.cookies = CookieJar()
/// let dispatcher = URLRequestDispatcher(configuration: configuration)
/// ```
///
/// Without a jar, a dispatcher stores and sends no cookies. A jar does what browsers do: `Set-Cookie` is parsed by their
/// algorithm; a cookie goes to its host, or to its domain and the hosts below it, and to its path and what is below it;
/// `Secure` cookies are set and sent by `https` and by hosts that lead to this machine, such as `localhost`; names that
/// begin with `__Host-` and `__Secure-` promise what they say; no cookie is for a public suffix, such as `com` or
/// `github.io`, or for a domain above that of its host, as `amazonaws.com` is for `a.s3.amazonaws.com`. `HttpOnly` and
/// `SameSite` are kept and shown, but a client without pages and scripts has no use for them.
///
/// **Redirects.** The jar sees each request of a chain of redirects and its response: a cookie that the first one sets is
/// sent with the second one, and each gets the cookies of its own host.
///
/// A response sets its cookies when it arrives: a stream with its head, and others when they are complete.
///
/// **The caller's cookies.** A `Cookie` field that a request already has comes first, and no cookie of its names is added.
///
/// **Limits.** A domain has at most 50 cookies and the jar 3,000; a name and a value have 4,096 bytes together, and no cookie
/// lives for longer than 400 days. If there are more, those that have ended are removed first, then of a domain those that
/// are not `Secure`, and then those that were not used for longest.
///
/// **One user.** A jar is a reference: whoever has it, has its cookies. Several dispatchers may use one jar, and those made
/// of one ``URLRequestDispatcher/Configuration`` do. Give each user a jar. If many users share the connections of a
/// dispatcher, call ``intercept(_:next:)`` of the user's jar in an interceptor of your own; ``Coalescing`` never shares an
/// exchange between two jars.
///
/// Values of cookies are secrets: no description and no error shows them. ``snapshot`` has them.
public final class CookieJar: Interceptor {
    private let machine: Locked<CookieMachine>
    private let now: @Sendable () -> Date

    /// `true`: each request of a redirect chain gets the cookies of its own host.
    public var interceptsEachHop: Bool { true }

    /// `true`: another user has another jar.
    public var distinguishesCallers: Bool { true }

    /// Creates an empty jar.
    public convenience init() {
        self.init(now: { Date() })
    }

    /// Creates a jar with cookies that were stored before.
    ///
    /// - Parameter snapshot: The cookies. Those that have ended, and those that no server could have set, are left out.
    public convenience init(_ snapshot: Snapshot) {
        self.init(now: { Date() })
        add(snapshot)
    }

    /// Creates an empty jar with a clock of its own.
    ///
    /// - Parameter now: Returns the present.
    package init(now: @escaping @Sendable () -> Date) {
        self.now = now
        machine = Locked(CookieMachine())
    }

    private var seconds: Double { now().timeIntervalSince1970 }

    // MARK: Requests

    /// Adds the cookies for a request to it, and stores those of the response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The response.
    /// - Throws: The errors of `next`.
    public func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
        let response = try await next(withCookies(request))
        store(from: response.head, to: response.urlRequest.url)
        return response
    }

    /// Out of line, because its locals would otherwise live in the frame of each waiting request.
    @inline(never)
    private func withCookies(_ request: TransportRequest) -> TransportRequest {
        guard let target = CookieTarget(request.urlRequest.url) else { return request }
        var request = request
        request.cookieJars.append(ObjectIdentifier(self))
        let own = request.urlRequest.value(forHTTPHeaderField: "Cookie")
        let now = seconds
        if let field = machine.withLock({ $0.field(for: target, after: own, now: now) }) {
            Self.set(field, in: &request.urlRequest, isAlreadySet: own != nil)
        }
        return request
    }

    /// Sets the `Cookie` field.
    ///
    /// Not by `setValue(_:forHTTPHeaderField:)`, which takes 50 ns for each byte of a value on Linux: 80 µs for 40 cookies, in
    /// place of 1 µs.
    private static func set(_ field: String, in request: inout URLRequest, isAlreadySet: Bool) {
        var fields = request.allHTTPHeaderFields ?? [:]
        let known = isAlreadySet ? fields.keys.first { $0.isEqualIgnoringASCIICase(to: "Cookie") } : nil
        fields[known ?? "Cookie"] = field
        request.allHTTPHeaderFields = fields
    }

    @inline(never)
    private func store(from head: ResponseHead, to url: URL?) {
        let lines = head.cookieLines
        guard !lines.isEmpty, let target = CookieTarget(url) else { return }
        let fields = lines.compactMap { SetCookie($0) }
        let now = seconds
        machine.withLock { machine in
            for field in fields { machine.store(field, from: target, now: now) }
        }
    }

    // MARK: Cookies

    /// All cookies, oldest first, with their values.
    ///
    /// Without those that have ended. See ``Snapshot`` for how to keep them.
    public var snapshot: Snapshot {
        let now = seconds
        return Snapshot(machine.withLock { $0.all(now: now) })
    }

    /// How many cookies there are.
    public var count: Int {
        let now = seconds
        return machine.withLock { machine in
            machine.removeAll { _, entry in entry.expiry <= now }
            return machine.count
        }
    }

    /// Returns the cookies that a request to a URL would get from the jar, in their order.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The cookies; none for a URL other than those of `http` and `https`.
    public func cookies(for url: URL) -> [Cookie] {
        guard let target = CookieTarget(url) else { return [] }
        let now = seconds
        return machine.withLock { $0.cookies(for: target, now: now) }
    }

    /// Stores a cookie, in place of one with the same name, domain and path.
    ///
    /// - Parameter cookie: The cookie.
    /// - Returns: `false` if it was not stored: it has ended, or no server could have set it.
    @discardableResult
    public func set(_ cookie: Cookie) -> Bool {
        let now = seconds
        return machine.withLock { $0.store(cookie, now: now) }
    }

    /// Stores the cookie of a `Set-Cookie` field, as if a server had sent it.
    ///
    /// - Parameters:
    ///   - field: The value of the field, such as `id=1; Path=/; Secure`.
    ///   - url: The URL that was requested.
    /// - Returns: `false` if the field is ignored.
    @discardableResult
    public func set(_ field: String, from url: URL) -> Bool {
        guard let target = CookieTarget(url), let field = SetCookie(field.utf8) else { return false }
        let now = seconds
        return machine.withLock { $0.store(field, from: target, now: now) }
    }

    /// Stores the cookies of a snapshot beside those that are there.
    ///
    /// - Parameter snapshot: The cookies. Those that have ended, and those that no server could have set, are left out.
    public func add(_ snapshot: Snapshot) {
        let now = seconds
        machine.withLock { machine in
            for cookie in snapshot.cookies { machine.store(cookie, now: now) }
        }
    }

    // MARK: Forgetting

    /// Removes all cookies.
    public func removeAll() {
        let old = machine.withLock { machine in
            defer { machine = CookieMachine() }
            return machine
        }
        withExtendedLifetime(old) {}
    }

    /// Removes the cookies for which a closure returns `true`.
    ///
    /// - Parameter isRemoved: Whether to remove a cookie. It is not called under a lock, so that it may use the jar; a
    ///   cookie that is stored meanwhile stays.
    public func removeAll(where isRemoved: (Cookie) -> Bool) {
        let removed = Set(snapshot.cookies.filter(isRemoved).map(Cookie.Identity.init))
        guard !removed.isEmpty else { return }
        machine.withLock { machine in
            machine.removeAll { domain, entry in removed.contains(Cookie.Identity(entry.cookie(domain))) }
        }
    }

    /// Ends the session, as closing a browser does: removes the cookies that have no date at which they end.
    public func removeSessionCookies() {
        machine.withLock { machine in machine.removeAll { _, entry in entry.expiry == .infinity } }
    }
}

extension CookieJar: PromptInterceptor {}

extension CookieJar: Redacted {
    /// The number of cookies.
    package var shown: KeyValuePairs<String, Any> { ["count": machine.withLock { $0.count }] }
}

extension ResponseHead {
    /// The values of the `Set-Cookie` fields as they arrived.
    fileprivate var cookieLines: [[UInt8]] {
        let lines = bytes(of: "Set-Cookie")
        guard !lines.isEmpty, case .foundation = record.values.source else { return lines }
        // `URLSession` has joined them.
        return lines.flatMap { JoinedCookies.split($0) }
    }
}
