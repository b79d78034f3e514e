/// What a ``ResponseCache`` did for a response, as RFC 9211 names it.
///
/// The response has it as the last line of its `Cache-Status` field, such as `PiuPiu; hit; ttl=52`:
///
/// ```swift
/// let response = try await dispatcher.data(from: url)
/// if response.head?.cacheStatus?.outcome == .hit { print("From the cache") }
/// ```
public struct CacheStatus: Sendable, Hashable {
    /// Where the response comes from.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// From the cache, without asking the server.
        case hit
        /// From the cache, after the server said that it is still valid.
        case revalidated
        /// From the cache, although it is no longer fresh.
        case stale
        /// From the server, or from nowhere if only the cache was to be asked.
        case miss
    }

    /// Why the server was asked.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The cache has no part in such a request.
        case bypass
        /// The method is not one whose responses are stored.
        case method
        /// Nothing was stored for the URL and the user.
        case uriMiss = "uri-miss"
        /// Something was stored, but for other values of the fields that `Vary` names.
        case varyMiss = "vary-miss"
        /// The request asked for it.
        case request
        /// What was stored is no longer fresh, or must not be used without asking.
        case stale
    }

    /// Where the response comes from.
    public var outcome: Outcome
    /// Why the server was asked; `nil` if it was not.
    public var reason: Reason?
    /// The status code of the server, if it is another one than that of the response.
    public var forwardedStatus: StatusCode?
    /// For how many seconds a response from the cache will be fresh; negative if it is stale.
    public var timeToLive: Int?
    /// Whether the response of the server is stored, once its body was read to the end.
    public var isStored = false
    /// More about why, such as `stale-if-error` or `no-store`; words that can change.
    public var detail: String?

    /// Creates a status.
    init(_ outcome: Outcome, _ reason: Reason? = nil, timeToLive: Double? = nil, detail: String? = nil) {
        self.outcome = outcome
        self.reason = reason
        self.timeToLive = timeToLive.map { Int(max(-1e9, min(1e10, $0.rounded(.down)))) }
        self.detail = detail
    }

    // MARK: The field

    private static let name = "Cache-Status"
    private static let identifier = "PiuPiu"

    /// The status as a member of the field `Cache-Status` (RFC 9211 §2).
    public var fieldValue: String {
        var value = Self.identifier
        if outcome == .hit || outcome == .stale { value += "; hit" }
        if let reason { value += "; fwd=\(reason.rawValue)" }
        if let forwardedStatus { value += "; fwd-status=\(forwardedStatus.rawValue)" }
        if let timeToLive { value += "; ttl=\(timeToLive)" }
        if isStored { value += "; stored" }
        if let detail { value += "; detail=\(detail)" }
        return value
    }

    /// Parses what ``fieldValue`` made; `nil` for anything else.
    init?(fieldValue: String) {
        let parts = fieldValue.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.first == Self.identifier else { return nil }
        self.init(.miss)
        var isHit = false
        for part in parts.dropFirst() {
            let (key, value) = part[...].splitAtFirst("=")
            switch key {
            case "hit": isHit = true
            case "stored": isStored = true
            case "fwd": reason = value.flatMap { Reason(rawValue: String($0)) }
            case "fwd-status": forwardedStatus = value.flatMap { Int($0) }.map { StatusCode(rawValue: $0) }
            case "ttl": timeToLive = value.flatMap { Int($0) }
            case "detail": detail = value.map(String.init)
            default: break
            }
        }
        if isHit {
            outcome = timeToLive ?? 0 > 0 || timeToLive == 0 && detail == nil ? .hit : .stale
        } else if forwardedStatus == .notModified {
            outcome = .revalidated
        }
    }

    /// Whether a field is the status of a cache of this kind.
    static func isOwn(_ field: HTTPHeaderField) -> Bool {
        field.name.isEqualIgnoringASCIICase(to: name) && field.value.utf8.starts(with: identifier.utf8)
    }

    /// The status in fields; `nil` if no cache of this kind was asked.
    static func of(_ headers: HTTPHeaderFields) -> CacheStatus? {
        headers.last(where: isOwn).flatMap { CacheStatus(fieldValue: $0.value) }
    }

    /// The field, which follows all others, so that a server cannot have put one after it.
    var field: HTTPHeaderField { HTTPHeaderField(name: Self.name, value: fieldValue) }
}

extension CacheStatus: CustomStringConvertible {
    /// The outcome, and why: `miss uri-miss`, `stale stale-if-error`.
    public var description: String {
        [outcome.rawValue, reason?.rawValue, detail].compactMap { $0 }.joined(separator: " ")
    }
}

extension ResponseHead {
    /// What a ``ResponseCache`` did for the response; `nil` if none was asked.
    ///
    /// Without a cache among the interceptors, it is what the server says of one: do not trust it then.
    public var cacheStatus: CacheStatus? { CacheStatus.of(headers) }
}
