/// The rules for what a private cache stores, and in which form (RFC 9111 §3, §4.3.4, §4.4); they never suspend.
enum CacheRules {
    /// A reason not to store a response, as a word for the details of a status.
    enum Refusal: String, Error {
        case noStore = "no-store"
        case status = "status"
        case useless = "no-freshness"
        case varyStar = "vary"
        case otherCredentials = "credentials"
        case replaced = "replaced"
        case tooLarge = "too-large"
    }

    /// Throws a ``Refusal`` if the response to a GET must not be stored, or is not worth it; the head is in its stored form.
    static func check(_ head: StoredHead) throws(Refusal) {
        let directives = head.directives
        guard !directives.noStore else { throw .noStore }
        // 206 is a part; 304 and 1xx have another meaning.
        guard head.statusCode >= 200, head.statusCode != 206, head.statusCode != 304 else { throw .status }
        guard !directives.mustUnderstand || understoodCodes.contains(head.statusCode) else { throw .status }
        let isExplicit =
            directives.maxAge != nil || head.headers.contains("Expires") || directives.isPublic || directives.isPrivate
        guard isExplicit || Freshness.heuristicCodes.contains(head.statusCode) else { throw .status }
        guard variedFields(head.headers) != nil else { throw .varyStar }
        let grace = (directives.staleWhileRevalidate ?? 0) + (directives.staleIfError ?? 0)
        guard head.freshness.lifetime > 0 || head.hasValidator || grace > 0 else { throw .useless }
    }

    /// The final status codes that this cache understands (RFC 9111 §5.2.2.3).
    private static let understoodCodes: Set<Int> = Freshness.heuristicCodes.union([
        201, 202, 205, 302, 303, 307, 400, 401, 402, 403, 406, 407, 408, 409, 411, 412, 413, 415, 416, 417, 421, 422,
        425, 426, 428, 429, 431, 451, 500, 502, 503, 504, 505, 511,
    ])

    /// Returns the names of the request fields on which a response depends, in lower case and sorted; `nil` for `*`.
    static func variedFields(_ headers: HTTPHeaderFields) -> [String]? {
        var names: Set<String> = []
        for line in headers.values(for: "Vary") { names.formUnion(CacheControl.names(line)) }
        return names.contains("*") ? nil : names.sorted()
    }

    // MARK: Fields

    /// Fields that apply to one connection, or only for the moment (RFC 9111 §3.1, §7.3).
    private static let unstored: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "set-cookie", "set-cookie2",
        "authentication-info", "clear-site-data", "content-range",
    ]

    /// Fields that describe the stored bytes; a response without a body does not change them (RFC 9111 §3.2).
    private static let boundToBody: Set<String> = ["content-length", "content-encoding"]

    /// Returns the fields of a response that are stored.
    static func storedFields(_ headers: HTTPHeaderFields, isBodiless: Bool = false) -> HTTPHeaderFields {
        var left = Set(CacheControl(headers.values(for: "Cache-Control")).noCacheFields)
        for line in headers.values(for: "Connection") { left.formUnion(CacheControl.names(line)) }
        left.subtract(["cache-control", "vary", "date", "etag"])
        if isBodiless { left.formUnion(boundToBody) }
        var fields = headers
        fields.removeAll { field in
            let name = field.name.lowercased()
            return unstored.contains(name) || left.contains(name) || CacheStatus.isOwn(field)
        }
        return fields
    }

    /// Merges the fields of a 304, or of a HEAD, into a stored head (RFC 9111 §3.2), and returns the head to store.
    static func merged(
        _ headers: HTTPHeaderFields,
        into stored: StoredHead,
        requestTime: Double,
        responseTime: Double
    ) -> StoredHead {
        var new = storedFields(headers)
        new.removeAll { boundToBody.contains($0.name.lowercased()) }
        let names = Set(new.map { $0.name.lowercased() })
        var fields = stored.headers
        // The age is that of the validation; an old date would contradict it.
        fields.removeAll { names.contains($0.name.lowercased()) || ["age", "date"].contains($0.name.lowercased()) }
        return StoredHead(
            statusCode: stored.statusCode,
            httpVersion: stored.httpVersion,
            headers: fields + new,
            requestTime: requestTime,
            responseTime: responseTime,
            isBodiless: stored.isBodiless
        )
    }

    /// Whether a 304 confirms a stored response (RFC 9111 §4.3.4): by the entity tags, if both have one, and otherwise by the
    /// dates of the last modification.
    ///
    /// A 304 also counts if it has no validator in common with the stored response, although the RFC requires one: many servers
    /// send none, and the condition named one response only.
    static func confirms(_ headers: HTTPHeaderFields, _ stored: StoredHead) -> Bool {
        if let tag = headers.values(for: "ETag").first, let known = stored.entityTag {
            return weak(tag) == weak(known)
        }
        if let date = headers.values(for: "Last-Modified").first,
            let known = stored.headers.values(for: "Last-Modified").first
        {
            return date == known
        }
        return true
    }

    /// Whether the response to a HEAD describes a stored response (RFC 9111 §4.3.5).
    static func describes(_ headers: HTTPHeaderFields, _ stored: StoredHead) -> Bool {
        ["ETag", "Last-Modified", "Content-Length"].allSatisfy { name in
            let new = headers.values(for: name).first
            return new == nil || new == stored.headers.values(for: name).first
        }
    }

    private static func weak(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

    // MARK: Invalidation

    /// Returns the resources that an unsafe request may have changed (RFC 9111 §4.4).
    ///
    /// They are its own, and those of the same origin that the response names; the fields are empty if there was no response.
    static func invalidated(by url: URL, _ headers: HTTPHeaderFields) -> [CacheKey.Resource] {
        guard let target = try? RequestTarget(url) else { return [] }
        var resources = [CacheKey.Resource(target)]
        for name in ["Location", "Content-Location"] {
            guard let text = headers.values(for: name).first, let base = URLReference(url.absoluteString.utf8),
                let named = URLReference(text.utf8)?.resolved(against: base).url,
                let other = try? RequestTarget(named), other.origin == target.origin
            else { continue }
            resources.append(CacheKey.Resource(other))
        }
        return resources
    }
}
