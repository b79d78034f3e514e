extension CookieJar {
    /// When a cookie is sent to another site than that of the page (RFC 6265bis §5.6.7).
    ///
    /// It has no effect on a client without pages, which keeps it for programs that read the cookies.
    public enum SameSite: String, Sendable, Hashable, Codable {
        /// Never.
        case strict
        /// Only when a page of the site is opened.
        case lax
        /// Always.
        case none
    }

    /// A cookie of a ``CookieJar``.
    ///
    /// Its description shows everything but the ``value``, which is a secret.
    public struct Cookie: Sendable, Hashable, Codable {
        /// The name; empty if the server gave only a value.
        public var name: String
        /// The value, a secret.
        public var value: String
        /// The host that set the cookie, or the domain that it is for: in lower case, in Punycode, without a leading dot.
        public var domain: String
        /// Whether only the host itself gets the cookie, and not its subdomains.
        public var isHostOnly: Bool
        /// The path that gets the cookie, including the paths below it.
        public var path: String
        /// When the cookie expires; `nil` for a session cookie.
        public var expires: Date?
        /// Whether the cookie is sent only with `https` or to loopback hosts.
        public var isSecure: Bool
        /// Whether scripts of pages may not read the cookie.
        public var isHTTPOnly: Bool
        /// When the cookie is sent to another site; `nil` if the server did not say.
        public var sameSite: SameSite?
        /// When the cookie was first stored.
        ///
        /// If two cookies have equally long paths, the older one is sent first.
        public var created: Date
        /// When the cookie was last sent or stored.
        public var lastUsed: Date

        /// Creates a cookie.
        ///
        /// - Parameters:
        ///   - name: The name; empty for a nameless cookie.
        ///   - value: The value.
        ///   - domain: The host or domain: in Punycode if it is not ASCII, and in brackets if it is an IPv6 address.
        ///   - isHostOnly: Whether only the host itself gets the cookie.
        ///   - path: The path.
        ///   - expires: When the cookie expires; `nil` for a session cookie.
        ///   - isSecure: Whether the cookie is sent only with `https` or to loopback hosts.
        ///   - isHTTPOnly: Whether scripts of pages may not read the cookie.
        ///   - sameSite: When the cookie is sent to another site.
        ///   - created: When the cookie was first stored; now by default.
        ///   - lastUsed: When the cookie was last sent or stored; now by default.
        public init(
            name: String,
            value: String,
            domain: String,
            isHostOnly: Bool = true,
            path: String = "/",
            expires: Date? = nil,
            isSecure: Bool = false,
            isHTTPOnly: Bool = false,
            sameSite: SameSite? = nil,
            created: Date = Date(),
            lastUsed: Date = Date()
        ) {
            self.name = name
            self.value = value
            self.domain = domain
            self.isHostOnly = isHostOnly
            self.path = path
            self.expires = expires
            self.isSecure = isSecure
            self.isHTTPOnly = isHTTPOnly
            self.sameSite = sameSite
            self.created = created
            self.lastUsed = lastUsed
        }

        /// The properties of a cookie's identity: a newer cookie replaces an older one with the same identity.
        struct Identity: Hashable {
            private let name: String
            private let domain: String
            private let isHostOnly: Bool
            private let path: String

            init(_ cookie: Cookie) {
                name = cookie.name
                domain = cookie.domain
                isHostOnly = cookie.isHostOnly
                path = cookie.path
            }
        }
    }
}

extension CookieJar.Cookie: Redacted {
    /// Everything but the value.
    package var shown: KeyValuePairs<String, Any> {
        [
            "name": PrintableText.escape(name), "domain": PrintableText.escape(domain), "isHostOnly": isHostOnly,
            "path": PrintableText.escape(path), "expires": expires.map { "\($0)" } ?? "with the session",
            "isSecure": isSecure, "isHTTPOnly": isHTTPOnly, "sameSite": sameSite?.rawValue ?? "not set",
        ]
    }
}

extension CookieJar {
    /// The cookies of a jar at a point in time, with their values: to store them, or to show them to their user.
    ///
    /// ```swift
    /// let data = try JSONEncoder().encode(jar.snapshot)
    /// let restored = CookieJar(try JSONDecoder().decode(CookieJar.Snapshot.self, from: data))
    /// ```
    ///
    /// `Codable` keeps everything. ``netscape`` is the file format of curl and of browsers' exports, which contains neither
    /// `SameSite` nor the time when a cookie was stored.
    public struct Snapshot: Sendable, Hashable, Codable {
        /// The cookies, oldest first.
        public var cookies: [Cookie]

        /// Creates a snapshot.
        ///
        /// - Parameter cookies: The cookies, oldest first.
        public init(_ cookies: [Cookie] = []) {
            self.cookies = cookies
        }
    }
}

extension CookieJar.Snapshot: Redacted {
    /// The cookies, without their values.
    package var shown: KeyValuePairs<String, Any> { ["cookies": cookies] }
}
