/// A jar with the cookies of one user: it stores the cookies that servers set, and sends them back (RFC 6265bis).
///
/// ```swift
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.cookies = CookieJar()
/// let dispatcher = URLRequestDispatcher(configuration: configuration)
/// ```
///
/// Without a jar, a dispatcher stores and sends no cookies. A jar behaves like a browser: it parses `Set-Cookie` with the same
/// algorithm. It sends a cookie to its host, or to its domain and the subdomains, and to its path and the paths below it. It
/// accepts and sends `Secure` cookies only with `https` or for loopback hosts, such as `localhost`, and
/// checks names that start with `__Host-` and `__Secure-`. It refuses cookies for a public suffix, such as `com` or
/// `github.io`, and for a domain above that of the host, such as `amazonaws.com` for `a.s3.amazonaws.com`. It keeps and shows
/// `HttpOnly` and `SameSite`, but a client without pages and scripts has no use for them.
///
/// **Redirects.** The jar sees each request of a redirect chain and its response: a cookie that the first response sets is sent
/// with the second request, and each request gets the cookies of its own host.
///
/// The jar stores the cookies of a response when it arrives: for a stream with the head, and otherwise when the response is
/// complete.
///
/// **The caller's cookies.** If a request already has a `Cookie` field, its cookies come first, and the jar adds none with the
/// same names.
///
/// **Limits.** A domain has at most 50 cookies and the jar 3,000; a name and its value have at most 4,096 bytes together, and a
/// cookie expires after at most 400 days. If there are too many, the jar first removes expired cookies, then cookies of a
/// domain that are not `Secure`, and then the least recently used ones.
///
/// **One user.** A jar is a reference: all its owners share its cookies. Several dispatchers may use one jar, and those created
/// with one ``URLRequestDispatcher/Configuration`` do. Give each user a jar. If many users share the connections of a
/// dispatcher, call ``intercept(_:next:)`` of the user's jar in an interceptor of your own; ``Coalescing`` never shares an
/// exchange between two jars.
///
/// Values of cookies are secrets: descriptions and errors don't show them. ``snapshot`` contains them.
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
    /// - Parameter snapshot: The cookies. Expired cookies, and those that no server could have set, are left out.
    public convenience init(_ snapshot: Snapshot) {
        self.init(now: { Date() })
        add(snapshot)
    }

    /// Creates an empty jar with a clock that returns the present.
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

    /// Not inlined, because its locals would otherwise be in the frame of each waiting request.
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
    /// It avoids `setValue(_:forHTTPHeaderField:)`, which takes 50 ns for each byte of a value on Linux: 80 µs for 40 cookies,
    /// instead of 1 µs.
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
    /// It leaves out expired cookies. See ``Snapshot`` for how to store them.
    public var snapshot: Snapshot {
        let now = seconds
        return Snapshot(machine.withLock { $0.all(now: now) })
    }

    /// The number of cookies.
    public var count: Int {
        let now = seconds
        return machine.withLock { machine in
            machine.removeAll { _, entry in entry.expiry <= now }
            return machine.count
        }
    }

    /// Returns the cookies that the jar would send with a request to a URL, in their order.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The cookies; none for a URL that is neither `http` nor `https`.
    public func cookies(for url: URL) -> [Cookie] {
        guard let target = CookieTarget(url) else { return [] }
        let now = seconds
        return machine.withLock { $0.cookies(for: target, now: now) }
    }

    /// Stores a cookie, and replaces one with the same name, domain and path.
    ///
    /// - Parameter cookie: The cookie.
    /// - Returns: `false` if it was not stored, because it has expired, or no server could have set it.
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

    /// Adds the cookies of a snapshot to the jar.
    ///
    /// - Parameter snapshot: The cookies. Expired cookies, and those that no server could have set, are left out.
    public func add(_ snapshot: Snapshot) {
        let now = seconds
        machine.withLock { machine in
            for cookie in snapshot.cookies { machine.store(cookie, now: now) }
        }
    }

    // MARK: Removing

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
    /// - Parameter isRemoved: Returns whether to remove a cookie. It is not called under a lock, so that it can use the jar; a
    ///   cookie that is stored meanwhile stays.
    public func removeAll(where isRemoved: (Cookie) -> Bool) {
        let removed = Set(snapshot.cookies.filter(isRemoved).map(Cookie.Identity.init))
        guard !removed.isEmpty else { return }
        machine.withLock { machine in
            machine.removeAll { domain, entry in removed.contains(Cookie.Identity(entry.cookie(domain))) }
        }
    }

    /// Ends the session, as closing a browser does: removes the cookies without an expiry date.
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
        // `URLSession` has joined the fields.
        return lines.flatMap { JoinedCookies.split($0) }
    }
}
