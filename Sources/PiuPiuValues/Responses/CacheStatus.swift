/// A description of how a ``ResponseCache`` handled a request, in the terms of RFC 9211.
///
/// The response contains it as the last line of its `Cache-Status` field, such as `PiuPiu; hit; ttl=52`:
///
/// ```swift
/// let response = try await dispatcher.data(from: url)
/// if response.head?.cacheStatus?.outcome == .hit { print("From the cache") }
/// ```
public struct CacheStatus: Sendable, Hashable {
    /// The source of a response.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// From the cache, without asking the server.
        case hit
        /// From the cache, after the server said that it is still valid.
        case revalidated
        /// From the cache, although it is no longer fresh.
        case stale
        /// From the server, or a 504 if the request allows only the cache.
        case miss
    }

    /// A reason to ask the server.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The cache does not handle such a request.
        case bypass
        /// The cache does not store responses to the method.
        case method
        /// Nothing was stored for the URL and the user.
        case uriMiss = "uri-miss"
        /// Something was stored, but for other values of the fields that `Vary` names.
        case varyMiss = "vary-miss"
        /// The request demanded it.
        case request
        /// The stored response is no longer fresh, or must not be used without validation.
        case stale
    }

    /// The source of the response.
    public var outcome: Outcome
    /// Why the server was asked; `nil` if it was not asked.
    public var reason: Reason?
    /// The status code of the server, if it differs from that of the response.
    public var forwardedStatus: StatusCode?
    /// The number of seconds for which a response from the cache stays fresh; negative if it is stale.
    public var timeToLive: Int?
    /// Whether the response of the server is stored, once its body is read to its end.
    public var isStored = false
    /// More details, such as `stale-if-error` or `no-store`; the words may change.
    public var detail: String?

    /// Creates a status.
    package init(_ outcome: Outcome, _ reason: Reason? = nil, timeToLive: Double? = nil, detail: String? = nil) {
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

    /// Parses the text of ``fieldValue``; `nil` for anything else.
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

    /// Whether a field is the status of a cache of this type.
    package static func isOwn(_ field: HTTPHeaderField) -> Bool {
        field.name.isEqualIgnoringASCIICase(to: name) && field.value.utf8.starts(with: identifier.utf8)
    }

    /// Returns the status in header fields; `nil` if no cache of this type was involved.
    static func of(_ headers: HTTPHeaderFields) -> CacheStatus? {
        headers.last(where: isOwn).flatMap { CacheStatus(fieldValue: $0.value) }
    }

    /// The field, which comes after all others, so that a server cannot add one after it.
    package var field: HTTPHeaderField { HTTPHeaderField(name: Self.name, value: fieldValue) }
}

extension CacheStatus: CustomStringConvertible {
    /// The outcome and its reason: `miss uri-miss`, `stale stale-if-error`.
    public var description: String {
        [outcome.rawValue, reason?.rawValue, detail].compactMap { $0 }.joined(separator: " ")
    }
}

extension ResponseHead {
    /// A description of how a ``ResponseCache`` handled the request; `nil` if there is none.
    ///
    /// Without a cache among the interceptors, the value comes from the server: do not trust it then.
    public var cacheStatus: CacheStatus? { CacheStatus.of(headers) }
}
