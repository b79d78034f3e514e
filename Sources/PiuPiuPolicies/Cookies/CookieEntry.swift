/// A cookie as the jar stores it, with the values that are compared for each request.
struct CookieEntry: Sendable {
    /// The text to send: the name, `=` and the value, or the value of a nameless cookie.
    let pair: String
    /// The length of the name in bytes; 0 for a nameless cookie.
    let nameLength: Int
    let path: String
    /// Whether only the host itself gets the cookie, and not its subdomains.
    let isHostOnly: Bool
    let isSecure: Bool
    let isHTTPOnly: Bool
    let sameSite: CookieJar.SameSite?
    /// When the cookie expires, in seconds since 1970; infinite for a session cookie.
    let expiry: Double
    /// When the cookie was first stored, in seconds since 1970.
    var created: Double
    /// The place in the order of creation, for cookies of the same time.
    var order: Int
    /// When the cookie was last sent or stored, in seconds since 1970.
    var lastUsed: Double

    /// Creates an entry from a cookie; storing it sets its order.
    ///
    /// - Parameters:
    ///   - cookie: The cookie.
    ///   - now: The present, in seconds since 1970: a cookie expires at most 400 days from now.
    init(_ cookie: CookieJar.Cookie, now: Double) {
        pair = cookie.name.isEmpty ? cookie.value : "\(cookie.name)=\(cookie.value)"
        nameLength = cookie.name.utf8.count
        path = cookie.path
        isHostOnly = cookie.isHostOnly
        isSecure = cookie.isSecure
        isHTTPOnly = cookie.isHTTPOnly
        sameSite = cookie.sameSite
        expiry = cookie.expires.map { min($0.timeIntervalSince1970, now + SetCookie.longestAge) } ?? .infinity
        created = min(cookie.created.timeIntervalSince1970, now)
        lastUsed = min(cookie.lastUsed.timeIntervalSince1970, now)
        order = 0
    }

    /// Returns the public form of the entry, which is stored under a domain.
    func cookie(_ domain: String) -> CookieJar.Cookie {
        let bytes = pair.utf8
        return CookieJar.Cookie(
            name: String(decoding: bytes.prefix(nameLength), as: UTF8.self),
            value: String(decoding: bytes.dropFirst(nameLength == 0 ? 0 : nameLength + 1), as: UTF8.self),
            domain: domain,
            isHostOnly: isHostOnly,
            path: path,
            expires: expiry == .infinity ? nil : Date(timeIntervalSince1970: expiry),
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSite: sameSite,
            created: Date(timeIntervalSince1970: created),
            lastUsed: Date(timeIntervalSince1970: lastUsed)
        )
    }

    /// Whether both are the same cookie, so that the newer one replaces the older one.
    ///
    /// The caller ensures that their domains are equal.
    func replaces(_ other: CookieEntry) -> Bool {
        isHostOnly == other.isHostOnly && hasName(of: other) && path == other.path
    }

    /// Whether both have the same name.
    func hasName(of other: CookieEntry) -> Bool {
        nameLength == other.nameLength && pair.utf8.prefix(nameLength).elementsEqual(other.pair.utf8.prefix(nameLength))
    }

    /// Whether a target gets the cookie: if its host does, and the cookie has not expired.
    @inline(__always)
    func applies(to target: CookieTarget, isHost: Bool, now: Double) -> Bool {
        (isHost || !isHostOnly) && (!isSecure || target.isSecure) && expiry > now
            && CookieTarget.path(path, contains: target.path)
    }

    /// Whether the cookie is sent before another one (RFC 6265bis §5.8.3): the one with the longer path first, then the older
    /// one.
    func isSent(before other: CookieEntry) -> Bool {
        let (length, otherLength) = (path.utf8.count, other.path.utf8.count)
        return length == otherLength ? isOlder(than: other) : length > otherLength
    }

    /// Whether the cookie was created before another one.
    func isOlder(than other: CookieEntry) -> Bool {
        created == other.created ? order < other.order : created < other.created
    }

    /// Whether the cookie is evicted before another one: the least recently used one first.
    func isStaler(than other: CookieEntry) -> Bool {
        lastUsed == other.lastUsed ? isOlder(than: other) : lastUsed < other.lastUsed
    }
}

extension CookieEntry: Redacted {
    /// The path, without the value.
    package var shown: KeyValuePairs<String, Any> { ["path": path, "isSecure": isSecure] }
}
