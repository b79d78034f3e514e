/// The rules for every cookie in a jar, whatever its source.
///
/// `CookieMachine` decides which cookies a server may set.
enum CookieRules {
    /// Returns whether a cookie fulfills the promise of its name's prefix (RFC 6265bis §5.7); otherwise it is ignored.
    ///
    /// - Parameters:
    ///   - cookie: The cookie.
    ///   - path: The path specified for it; `nil` if it is that of a request.
    /// - Returns: `false` if it does not.
    static func mayHave(_ cookie: CookieJar.Cookie, explicitPath path: String?) -> Bool {
        if cookie.sameSite == CookieJar.SameSite.none, !cookie.isSecure { return false }
        // A server must not mistake the value of a nameless cookie for a name with a prefix.
        let name = cookie.name.isEmpty ? cookie.value : cookie.name
        let isHost = has(name, "__host-")
        if cookie.name.isEmpty { return !isHost && !has(name, "__secure-") }
        if isHost { return cookie.isSecure && cookie.isHostOnly && path == "/" }
        return cookie.isSecure || !has(name, "__secure-")
    }

    private static func has(_ name: String, _ prefix: String) -> Bool {
        name.utf8.prefix(prefix.utf8.count).elementsEqual(prefix.utf8) { $0.asciiLowercased == $1 }
    }

    /// Returns the stored form of a cookie that did not come from a server; `nil` if no server could have set it.
    static func checked(_ cookie: CookieJar.Cookie) -> CookieJar.Cookie? {
        guard let cookie = wellFormed(cookie), cookie.isHostOnly || !PublicSuffixes.contains(cookie.domain),
            mayHave(cookie, explicitPath: cookie.path)
        else { return nil }
        return cookie
    }

    /// Returns a cookie with its normalized domain; `nil` if it could not be sent, or would come back changed.
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

    /// Whether a text has no control character, no blank at its ends, and none of the excluded characters.
    private static func isPart(_ text: String, without excluded: String) -> Bool {
        text.utf8.allSatisfy { SetCookie.isAllowed($0) && !excluded.utf8.contains($0) }
            && SetCookie.trimmed(text.utf8).count == text.utf8.count
    }

    /// Returns a domain in the form in which hosts are compared; `nil` if it is not a host.
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
    /// Whether an ASCII host name may contain the byte.
    fileprivate var isHostCharacter: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
