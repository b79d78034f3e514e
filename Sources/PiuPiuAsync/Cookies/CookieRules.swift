import PiuPiuEngine

/// What holds for every cookie in a jar, however it got there.
///
/// Which cookies a server may set is decided by `CookieMachine`.
enum CookieRules {
    /// Whether a cookie may have its name (RFC 6265bis §5.7): what its prefix promises is so.
    ///
    /// - Parameters:
    ///   - cookie: The cookie.
    ///   - path: The path that was named for it; `nil` if it is that of a request.
    /// - Returns: `false` if the cookie is to be ignored.
    static func mayHave(_ cookie: CookieJar.Cookie, explicitPath path: String?) -> Bool {
        if cookie.sameSite == CookieJar.SameSite.none, !cookie.isSecure { return false }
        // A server must not take the value of a nameless cookie for a name with a prefix.
        let name = cookie.name.isEmpty ? cookie.value : cookie.name
        let isHost = has(name, "__host-")
        if cookie.name.isEmpty { return !isHost && !has(name, "__secure-") }
        if isHost { return cookie.isSecure && cookie.isHostOnly && path == "/" }
        return cookie.isSecure || !has(name, "__secure-")
    }

    private static func has(_ name: String, _ prefix: String) -> Bool {
        name.utf8.prefix(prefix.utf8.count).elementsEqual(prefix.utf8) { $0.asciiLowercased == $1 }
    }

    /// Returns a cookie that did not come from a server as the jar stores it.
    ///
    /// - Parameter cookie: The cookie.
    /// - Returns: The cookie in its usual form; `nil` if no server could have set it.
    static func checked(_ cookie: CookieJar.Cookie) -> CookieJar.Cookie? {
        guard let cookie = wellFormed(cookie), cookie.isHostOnly || !PublicSuffixes.contains(cookie.domain),
            mayHave(cookie, explicitPath: cookie.path)
        else { return nil }
        return cookie
    }

    /// Returns a cookie with its domain in the usual form; `nil` if it could not be sent, or would not come back as it is.
    static func wellFormed(_ cookie: CookieJar.Cookie) -> CookieJar.Cookie? {
        guard isPart(cookie.name, without: "=;"), isPart(cookie.value, without: ";"),
            !(cookie.name.isEmpty && cookie.value.isEmpty),
            cookie.name.utf8.count + cookie.value.utf8.count <= SetCookie.maximumLength,
            isPart(cookie.path, without: ""), cookie.path.utf8.first == 0x2F,
            cookie.path.utf8.count <= SetCookie.maximumPath,
            cookie.expires?.timeIntervalSince1970.isNaN != true,
            let host = host(cookie.domain)
        else { return nil }
        var cookie = cookie
        cookie.domain = host.host
        if host.isAddress { cookie.isHostOnly = true }
        return cookie
    }

    /// Whether a text has no control character, no blank at its ends, and none of some characters.
    private static func isPart(_ text: String, without excluded: String) -> Bool {
        text.utf8.allSatisfy { SetCookie.isAllowed($0) && !excluded.utf8.contains($0) }
            && SetCookie.trimmed(text.utf8).count == text.utf8.count
    }

    /// Returns a domain as hosts are compared; `nil` if it is no host.
    static func host(_ domain: String) -> (host: String, isAddress: Bool)? {
        guard domain.utf8.count <= RequestTarget.maximumHost,
            domain.utf8.allSatisfy({ $0.isHostCharacter || domain.utf8.first == 0x5B }),
            let url = URL(string: "http://\(domain)/"), let target = CookieTarget(url),
            target.host == CookieTarget.canonical(domain.lowercased()).host
        else { return nil }
        return (target.host, target.isAddress)
    }
}

extension UInt8 {
    /// Whether a name in ASCII may have the byte.
    fileprivate var isHostCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
