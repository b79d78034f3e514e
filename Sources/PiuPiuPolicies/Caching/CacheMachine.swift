/// The logic of ``ResponseCache``, as a pure function of the stored response and the time: how to handle a request.
///
///     request ── not a GET or HEAD, a body, Range, a condition, no-store ──▶ forward, and nothing is stored
///        │
///      found? ── no ──▶ only-if-cached: unavailable (504)      else: forward ──▶ stored while it is read
///        │ yes
///      fresh, and needs no validation ──▶ serve
///        │ no
///      stale, but allowed: max-stale of the request ──▶ serve
///        │                  stale-while-revalidate   ──▶ serve, and revalidate in the background
///      only-if-cached ──▶ unavailable
///        │ else
///      revalidate ── 304 ──▶ merged, and served
///        ├─ 5xx or no response, and stale-if-error allows it ──▶ served unchanged
///        └─ any other response ──▶ replaces the stored one, or removes it
///
/// The effect of a cancellation:
///
/// - During a lookup or while the request is forwarded: the exchange is closed, and the stored response stays unchanged.
/// - While a response is read: the part read so far is dropped. It becomes an entry only in one step, after its end.
/// - During a revalidation: the entry stays unchanged, and the next request revalidates it again.
/// - A revalidation in the background does not end with the call: it ends with the dispatcher that started it, or after a
///   minute, and keeps the cache alive until then.
///
/// `must-revalidate` and `no-cache` in the response forbid the use of a stale response. The directives of a request can only
/// make the cache ask the server more often, except `max-stale`, `stale-if-error` and `only-if-cached`.
enum CacheMachine {
    /// A request's directives about caching.
    struct Request: Equatable {
        var directives = CacheControl()
        /// Whether to request the whole response from the server, without a condition.
        var ignoresStored = false
    }

    /// How to handle a request.
    enum Decision: Equatable {
        /// Send the request to the server.
        case forward(CacheStatus.Reason)
        /// Return the stored response.
        case serve(CacheStatus)
        /// Return the stored response, and revalidate it in the background.
        case serveAndRevalidate(CacheStatus)
        /// Ask the server whether the stored response is valid, or for another response.
        case revalidate(CacheStatus.Reason)
        /// Respond with 504, because the request forbids asking the server.
        case unavailable
    }

    /// Decides how to handle a request, with the present in seconds since 1970.
    ///
    /// `isVariant` means that no response was found only because of `Vary`.
    static func decide(
        _ request: Request,
        stored: StoredHead?,
        now: Double,
        isVariant: Bool = false
    ) -> Decision {
        let wanted = request.directives
        guard let stored, !request.ignoresStored else {
            if wanted.onlyIfCached { return .unavailable }
            return .forward(stored != nil ? .request : isVariant ? .varyMiss : .uriMiss)
        }
        let remaining = stored.freshness.remaining(at: now)
        let (isFresh, mayBeStale) = (remaining > 0, !stored.directives.mustRevalidate)
        var reason = CacheStatus.Reason.stale
        if !stored.directives.noCache {
            let isRefused = wanted.noCache || isTooOld(wanted, stored, remaining: remaining, now: now)
            if isFresh {
                if !isRefused { return .serve(CacheStatus(.hit, timeToLive: remaining)) }
                reason = .request
            } else if mayBeStale, !isRefused {
                if let limit = wanted.maxStale, limit == .max || -remaining <= Double(limit) {
                    return .serve(CacheStatus(.stale, timeToLive: remaining, detail: "max-stale"))
                }
                if let limit = stored.directives.staleWhileRevalidate, limit > 0, -remaining <= Double(limit),
                    !wanted.onlyIfCached
                {
                    let detail = "stale-while-revalidate"
                    return .serveAndRevalidate(CacheStatus(.stale, timeToLive: remaining, detail: detail))
                }
            }
        }
        return wanted.onlyIfCached ? .unavailable : .revalidate(reason)
    }

    /// Whether a response that may be used is older than the request accepts.
    private static func isTooOld(
        _ wanted: CacheControl,
        _ stored: StoredHead,
        remaining: Double,
        now: Double
    ) -> Bool {
        if let minFresh = wanted.minFresh, remaining < Double(minFresh) { return true }
        guard let maxAge = wanted.maxAge else { return false }
        // A reload asks with 0, and gets nothing new for a response that never changes (RFC 8246 §2).
        if maxAge == 0 { return !(stored.directives.immutable && remaining > 0) }
        return stored.freshness.age(at: now) > Double(maxAge)
    }

    /// Returns the status with which a stale response is used because the server failed (RFC 5861 §4).
    ///
    /// The result is `nil` if the cache returns the failure.
    static func staleIfError(_ request: Request, _ stored: StoredHead, now: Double) -> CacheStatus? {
        guard !stored.directives.mustRevalidate, !stored.directives.noCache, !request.directives.noCache else {
            return nil
        }
        let limits = [request.directives.staleIfError, stored.directives.staleIfError].compactMap { $0 }
        let remaining = stored.freshness.remaining(at: now)
        guard let limit = limits.max(), limit > 0, -remaining <= Double(limit) else { return nil }
        return CacheStatus(.stale, timeToLive: min(0, remaining), detail: "stale-if-error")
    }

    /// The status codes that count as failures for `stale-if-error`.
    static let failures: Set<Int> = [500, 502, 503, 504]
}
