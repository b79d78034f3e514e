/// The cookies of a jar and the rules by which they are stored and sent (RFC 6265bis §5.7 and §5.8).
///
/// A value without a clock: each function receives the present, in seconds since 1970. Cookies are grouped by domain, so that a
/// request only looks at those of its host and of the domains above it.
struct CookieMachine: Sendable {
    /// The maximum number of cookies per domain.
    static let limitPerDomain = 50
    /// The maximum number of cookies.
    static let limit = 3000

    /// The cookies by domain, in the order in which they are sent; no list is empty.
    private(set) var domains: [String: [CookieEntry]] = [:]
    /// The number of cookies, including expired ones that were not removed yet.
    private(set) var count = 0
    private var nextOrder = 0

    // MARK: Sending

    /// Returns the value of the `Cookie` field for a target, and marks its cookies as used.
    ///
    /// `field` is the existing field of the request, which comes first; no cookie with one of its names is added. The result is
    /// `nil` if the jar has nothing to add.
    mutating func field(for target: CookieTarget, after field: String? = nil, now: Double) -> String? {
        guard count > 0 else { return nil }
        var found: [Sent] = []
        var lists = 0
        Self.forEachDomain(of: target) { domain, isHost in
            guard let position = domains.index(forKey: domain) else { return }
            let before = found.count
            // Update the entries in place: this runs for each request.
            domains.values[position].withUnsafeMutableBufferPointer { entries in
                for index in entries.indices where entries[index].applies(to: target, isHost: isHost, now: now) {
                    if let field, Self.field(field, has: entries[index]) { continue }
                    entries[index].lastUsed = now
                    found.append(Sent(entries[index]))
                }
            }
            if found.count > before { lists += 1 }
        }
        guard !found.isEmpty else { return nil }
        // Each list is already sorted.
        if lists > 1 { found.sort { $0.isSent(before: $1) } }
        return Self.joined(found, after: field)
    }

    /// The properties of a cookie that are needed to send it.
    private struct Sent {
        let pair: String
        let pathLength: Int
        let created: Double
        let order: Int

        init(_ entry: CookieEntry) {
            pair = entry.pair
            pathLength = entry.path.utf8.count
            created = entry.created
            order = entry.order
        }

        func isSent(before other: Sent) -> Bool {
            (other.pathLength, created, order) < (pathLength, other.created, other.order)
        }
    }

    /// Returns the cookies for a target in the order in which they are sent, without marking them as used.
    func cookies(for target: CookieTarget, now: Double) -> [CookieJar.Cookie] {
        var found: [(domain: String, entry: CookieEntry)] = []
        Self.forEachDomain(of: target) { domain, isHost in
            for entry in domains[domain] ?? [] where entry.applies(to: target, isHost: isHost, now: now) {
                found.append((domain, entry))
            }
        }
        return found.sorted { $0.entry.isSent(before: $1.entry) }.map { $0.entry.cookie($0.domain) }
    }

    /// Calls `body` with a host and each domain above it.
    private static func forEachDomain(of target: CookieTarget, _ body: (_ domain: String, _ isHost: Bool) -> Void) {
        body(target.host, true)
        guard !target.isAddress else { return }
        var rest = target.host[...]
        // A name has at most 127 labels (RFC 1035 §2.3.4); a longer one is not valid.
        for _ in 0..<127 {
            guard let dot = rest.utf8.firstIndex(of: 0x2E) else { return }
            rest = rest[rest.utf8.index(after: dot)...]
            body(String(rest), false)
        }
    }

    private static func joined(_ cookies: [Sent], after field: String?) -> String {
        let first = field.map { $0.isEmpty ? 0 : $0.utf8.count + 2 } ?? 0
        let capacity = cookies.reduce(first) { $0 + $1.pair.utf8.count + 2 }
        return String(unsafeUninitializedCapacity: capacity) { buffer in
            var count = 0
            func append(_ text: String) {
                if count > 0 {
                    buffer[count] = UInt8(ascii: ";")
                    buffer[count + 1] = UInt8(ascii: " ")
                    count += 2
                }
                var text = text
                count += text.withUTF8 {
                    UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: $0)
                }
            }
            if let field, !field.isEmpty { append(field) }
            for cookie in cookies { append(cookie.pair) }
            return count
        }
    }

    /// Whether a `Cookie` field has a cookie with the same name, or for a nameless one the same text.
    private static func field(_ field: String, has entry: CookieEntry) -> Bool {
        let name = entry.pair.utf8.prefix(entry.nameLength)
        return field.utf8.split(separator: 0x3B).contains { part in
            let halves = part.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
            guard entry.nameLength > 0 else { return SetCookie.trimmed(part).elementsEqual(entry.pair.utf8) }
            return halves.count == 2 && SetCookie.trimmed(halves[0]).elementsEqual(name)
        }
    }

    // MARK: Storing

    /// Stores the cookie of a `Set-Cookie` field, or removes the cookie that it expires; returns `false` if the field is
    /// ignored.
    @discardableResult
    mutating func store(_ field: SetCookie, from target: CookieTarget, now: Double) -> Bool {
        guard let cookie = Self.cookie(field, from: target, now: now) else { return false }
        let entry = CookieEntry(cookie, now: now)
        guard cookie.isSecure || target.isSecure || !shadowsSecure(entry, domain: cookie.domain) else { return false }
        insert(entry, domain: cookie.domain, now: now)
        return true
    }

    /// Stores a cookie that did not come from a server; returns `false`, and changes nothing, if no server could have set it,
    /// or if it has expired.
    @discardableResult
    mutating func store(_ cookie: CookieJar.Cookie, now: Double) -> Bool {
        guard let cookie = CookieRules.checked(cookie) else { return false }
        let entry = CookieEntry(cookie, now: now)
        guard entry.expiry > now else { return false }
        insert(entry, domain: cookie.domain, now: now)
        return true
    }

    /// Returns the cookie that a field sets at a host; `nil` if the host must not set it (RFC 6265bis §5.7).
    private static func cookie(_ field: SetCookie, from target: CookieTarget, now: Double) -> CookieJar.Cookie? {
        var domain = field.domain ?? ""
        guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        if !domain.isEmpty, domain != target.host {
            guard CookieTarget.domain(domain, contains: target.host, isAddress: target.isAddress),
                PublicSuffixes.allows(domain, from: target.host)
            else { return nil }
        } else if !domain.isEmpty, target.isAddress || PublicSuffixes.contains(domain) {
            // Only the host is meant: an address has no subdomains, and those of a suffix belong to others (§5.7).
            domain = ""
        }
        guard !field.isSecure || target.isSecure else { return nil }
        let expires: Double? =
            switch field.end {
            case .session: nil
            case .age(let seconds): seconds > 0 ? now + seconds : -.greatestFiniteMagnitude
            case .date(let date): date
            }
        let cookie = CookieJar.Cookie(
            name: field.name,
            value: field.value,
            domain: domain.isEmpty ? target.host : domain,
            isHostOnly: domain.isEmpty,
            path: field.path ?? target.defaultPath,
            expires: expires.map { Date(timeIntervalSince1970: $0) },
            isSecure: field.isSecure,
            isHTTPOnly: field.isHTTPOnly,
            sameSite: field.sameSite,
            created: Date(timeIntervalSince1970: now),
            lastUsed: Date(timeIntervalSince1970: now)
        )
        guard cookie.path.utf8.count <= SetCookie.maximumPath else { return nil }
        return CookieRules.mayHave(cookie, explicitPath: field.path) ? cookie : nil
    }

    /// Whether a cookie from a connection without TLS would hide one that requires TLS (RFC 6265bis §5.7).
    private func shadowsSecure(_ entry: CookieEntry, domain: String) -> Bool {
        for (other, entries) in domains {
            guard
                CookieTarget.domain(other, contains: domain, isAddress: false)
                    || CookieTarget.domain(domain, contains: other, isAddress: false)
            else { continue }
            for old in entries where old.isSecure && old.hasName(of: entry) {
                if CookieTarget.path(old.path, contains: entry.path) { return true }
            }
        }
        return false
    }

    private mutating func insert(_ entry: CookieEntry, domain: String, now: Double) {
        var entry = entry
        var entries = domains.removeValue(forKey: domain) ?? []
        if let index = entries.firstIndex(where: { entry.replaces($0) }) {
            (entry.created, entry.order) = (entries[index].created, entries[index].order)
            entries.remove(at: index)
            count -= 1
        } else {
            entry.order = nextOrder
            nextOrder += 1
        }
        if entry.expiry > now {
            entries.insert(entry, at: entries.firstIndex { entry.isSent(before: $0) } ?? entries.endIndex)
            count += 1
        }
        if entries.count > Self.limitPerDomain { count -= Self.evict(from: &entries, now: now) }
        if !entries.isEmpty { domains[domain] = entries }
        if count > Self.limit { evict(now: now) }
    }

    // MARK: Making room (RFC 6265bis §5.7)

    /// Removes cookies of a domain with too many: first expired ones, then those that are not `Secure`, then the others; within
    /// each group, the least recently used one first.
    private static func evict(from entries: inout [CookieEntry], now: Double) -> Int {
        let before = entries.count
        entries.removeAll { $0.expiry <= now }
        while entries.count > limitPerDomain {
            let worst = entries.indices.min { first, second in
                let (one, other) = (entries[first], entries[second])
                return one.isSecure == other.isSecure ? one.isStaler(than: other) : !one.isSecure
            }
            guard let worst else { break }
            entries.remove(at: worst)
        }
        return before - entries.count
    }

    /// Removes cookies of all domains: first expired ones, then the least recently used one.
    private mutating func evict(now: Double) {
        removeAll { _, entry in entry.expiry <= now }
        while count > Self.limit, let worst = stalest() {
            domains.values[worst.domain].remove(at: worst.index)
            count -= 1
            if domains.values[worst.domain].isEmpty { domains.remove(at: worst.domain) }
        }
    }

    /// Finds the least recently used cookie.
    private func stalest() -> (domain: Dictionary<String, [CookieEntry]>.Index, index: Int)? {
        var worst: (domain: Dictionary<String, [CookieEntry]>.Index, index: Int)?
        var (lastUsed, created, order) = (Double.infinity, Double.infinity, Int.max)
        for domain in domains.indices {
            let entries = domains.values[domain]
            // Iterate over indices, because this looks at thousands of cookies.
            for index in entries.indices where entries[index].lastUsed <= lastUsed {
                let next = (entries[index].lastUsed, entries[index].created, entries[index].order)
                guard next < (lastUsed, created, order) else { continue }
                (lastUsed, created, order) = next
                worst = (domain, index)
            }
        }
        return worst
    }

    // MARK: All cookies

    /// Returns all cookies that have not expired, oldest first.
    func all(now: Double) -> [CookieJar.Cookie] {
        domains.flatMap { domain, entries in entries.map { (domain, $0) } }
            .filter { $0.1.expiry > now }
            .sorted { $0.1.isOlder(than: $1.1) }
            .map { $0.1.cookie($0.0) }
    }

    /// Removes the cookies for which a closure returns `true`.
    mutating func removeAll(where isRemoved: (_ domain: String, _ entry: CookieEntry) -> Bool) {
        for (domain, entries) in domains where entries.contains(where: { isRemoved(domain, $0) }) {
            let kept = entries.filter { !isRemoved(domain, $0) }
            count -= entries.count - kept.count
            domains[domain] = kept.isEmpty ? nil : kept
        }
    }
}

extension CookieMachine: Redacted {
    /// The number of cookies and of domains.
    package var shown: KeyValuePairs<String, Any> { ["count": count, "domains": domains.count] }
}
