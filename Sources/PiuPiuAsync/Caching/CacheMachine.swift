/// The logic of ``ResponseCache``: what happens to a request, as a pure function of what is stored and the time.
///
///     request ── not a GET or HEAD, a body, Range, a condition, no-store ──▶ forward, and nothing is stored
///        │
///      found? ── no ──▶ only-if-cached: unavailable (504)      else: forward ──▶ stored while it is read
///        │ yes
///      fresh, and may be used as it is ──▶ serve
///        │ no
///      stale, but allowed: max-stale of the request ──▶ serve
///        │                  stale-while-revalidate   ──▶ serve, and revalidate in the background
///      only-if-cached ──▶ unavailable
///        │ else
///      revalidate ── 304 ──▶ merged, and served
///        ├─ 5xx or no answer, and stale-if-error allows it ──▶ served as it was
///        └─ any other answer ──▶ replaces what was stored, or removes it
///
/// What cancelling does:
///
/// - While something is looked up or forwarded: the exchange is closed, and what is stored stays as it is.
/// - While a response is read: the part that was read is dropped. It becomes an entry only in one step, after its end.
/// - During a revalidation: the entry stays as it was, and the next request revalidates it again.
/// - A revalidation in the background does not end with the call: it ends with the dispatcher that began it, or after a
///   minute, and keeps the cache until then.
///
/// `must-revalidate` and `no-cache` of the response forbid everything stale. What the request says can only make it ask more,
/// except `max-stale`, `stale-if-error` and `only-if-cached`.
enum CacheMachine {
    /// What a request says about caching.
    struct Request: Equatable {
        var directives = CacheControl()
        /// Whether to ask the server for the whole response, without telling what is stored.
        var ignoresStored = false
    }

    /// What happens to a request.
    enum Decision: Equatable {
        /// Ask the server.
        case forward(CacheStatus.Reason)
        /// Use what is stored.
        case serve(CacheStatus)
        /// Use what is stored, and revalidate it in the background.
        case serveAndRevalidate(CacheStatus)
        /// Ask the server whether what is stored is valid, or for another response.
        case revalidate(CacheStatus.Reason)
        /// Answer with 504, because the server may not be asked.
        case unavailable
    }

    /// Decides what happens to a request.
    ///
    /// - Parameters:
    ///   - request: What the request says.
    ///   - stored: What is stored for it; `nil` for nothing.
    ///   - now: The present, in seconds since 1970.
    ///   - isVariant: Whether nothing was found only because of `Vary`.
    /// - Returns: The decision.
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

    /// Whether a response that may be used is older than the request wants it.
    private static func isTooOld(
        _ wanted: CacheControl,
        _ stored: StoredHead,
        remaining: Double,
        now: Double
    ) -> Bool {
        if let minFresh = wanted.minFresh, remaining < Double(minFresh) { return true }
        guard let maxAge = wanted.maxAge else { return false }
        // A reload asks with 0, and gets nothing new of what never changes (RFC 8246 §2).
        if maxAge == 0 { return !(stored.directives.immutable && remaining > 0) }
        return stored.freshness.age(at: now) > Double(maxAge)
    }

    /// Returns the status with which a stale response is used because the server failed (RFC 5861 §4).
    ///
    /// - Parameters:
    ///   - request: What the request says.
    ///   - stored: What is stored.
    ///   - now: The present, in seconds since 1970.
    /// - Returns: The status; `nil` if the failure is to be told.
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
