import PiuPiuAsync

@testable import PiuPiuPolicies

/// A jar that is slow and obvious: a list of cookies, and the sentences of RFC 6265bis one after the other.
struct CookieModel {
    struct Stored {
        var field: SetCookie
        var domain: String
        var isHostOnly: Bool
        var path: String
        var expiry: Double
        var order: Int
        var created: Double
        var lastUsed: Double
    }

    private(set) var cookies: [Stored] = []
    private var counter = 0

    /// Whether the host is the domain, or ends with a dot and the domain.
    private func isIn(_ domain: String, _ host: String) -> Bool {
        host == domain || (!isAddress(host) && host.hasSuffix("." + domain))
    }

    private func isAddress(_ host: String) -> Bool { host.hasPrefix("[") || IPAddress(host) != nil }

    private func isBelow(_ path: String, _ other: String) -> Bool {
        path == other || (path.hasPrefix(other) && (other.hasSuffix("/") || path.hasPrefix(other + "/")))
    }

    private func isExpired(_ cookie: Stored, _ now: Double) -> Bool { cookie.expiry <= now }

    mutating func store(_ field: SetCookie, _ target: CookieTarget, _ now: Double) {
        var domain = field.domain ?? ""
        if !domain.isEmpty, PublicSuffixes.contains(domain), !isAddress(target.host) {
            guard domain == target.host else { return }
            domain = ""
        }
        if !domain.isEmpty {
            guard isIn(domain, target.host) else { return }
            if isAddress(target.host) { domain = "" }
        }
        if !domain.isEmpty, domain != target.host {
            let host = target.host.hasSuffix(".") ? String(target.host.dropLast()) : target.host
            let name = domain.hasSuffix(".") ? String(domain.dropLast()) : domain
            guard let own = PublicSuffixes.registrableDomain(of: host), isIn(own, name) else { return }
        }
        var new = Stored(
            field: field,
            domain: domain.isEmpty ? target.host : domain,
            isHostOnly: domain.isEmpty,
            path: field.path ?? defaultPath(target.path),
            expiry: .infinity,
            order: counter,
            created: now,
            lastUsed: now
        )
        switch field.end {
        case .session: break
        case .age(let seconds): new.expiry = seconds <= 0 ? -1 : now + min(seconds, 400 * 86_400)
        case .date(let date): new.expiry = min(date, now + 400 * 86_400)
        }
        if field.isSecure, !target.isSecure { return }
        if !field.isSecure, !target.isSecure {
            let hidden = cookies.contains {
                $0.field.isSecure && $0.field.name == field.name
                    && (isIn($0.domain, new.domain) || isIn(new.domain, $0.domain))
                    && isBelow(new.path, $0.path)
            }
            if hidden { return }
        }
        if field.sameSite == CookieJar.SameSite.none, !field.isSecure { return }
        let name = field.name.lowercased()
        if name.hasPrefix("__secure-"), !field.isSecure { return }
        if name.hasPrefix("__host-"), !(field.isSecure && new.isHostOnly && field.path == "/") { return }
        let value = field.value.lowercased()
        if name.isEmpty, value.hasPrefix("__secure-") || value.hasPrefix("__host-") { return }
        let old = cookies.firstIndex {
            $0.field.name == field.name && $0.domain == new.domain && $0.isHostOnly == new.isHostOnly
                && $0.path == new.path
        }
        if let old {
            (new.created, new.order) = (cookies[old].created, cookies[old].order)
            cookies.remove(at: old)
        } else {
            counter += 1
        }
        guard !isExpired(new, now) else { return }
        cookies.append(new)
        makeRoom(new.domain, now)
    }

    private mutating func makeRoom(_ domain: String, _ now: Double) {
        if cookies.filter({ $0.domain == domain }).count > 50 {
            cookies.removeAll { $0.domain == domain && $0.expiry <= now }
        }
        while cookies.filter({ $0.domain == domain }).count > 50 {
            let open = cookies.filter { $0.domain == domain && !$0.field.isSecure }
            removeStalest(of: open.isEmpty ? cookies.filter { $0.domain == domain } : open)
        }
        if cookies.count > 3000 { cookies.removeAll { $0.expiry <= now } }
        while cookies.count > 3000 { removeStalest(of: cookies) }
    }

    private mutating func removeStalest(of some: [Stored]) {
        let stalest = some.min { ($0.lastUsed, $0.created, $0.order) < ($1.lastUsed, $1.created, $1.order) }
        cookies.removeAll { $0.order == stalest?.order }
    }

    private func defaultPath(_ path: String) -> String {
        let folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folders.isEmpty ? "/" : folders
    }

    mutating func send(_ target: CookieTarget, _ now: Double) -> String? {
        var sent: [Stored] = []
        for index in cookies.indices {
            let cookie = cookies[index]
            guard !isExpired(cookie, now), !cookie.field.isSecure || target.isSecure, isBelow(target.path, cookie.path),
                cookie.isHostOnly ? cookie.domain == target.host : isIn(cookie.domain, target.host)
            else { continue }
            cookies[index].lastUsed = now
            sent.append(cookie)
        }
        sent.sort { ($1.path.utf8.count, $0.created, $0.order) < ($0.path.utf8.count, $1.created, $1.order) }
        let pairs = sent.map { $0.field.name.isEmpty ? $0.field.value : "\($0.field.name)=\($0.field.value)" }
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }
}
