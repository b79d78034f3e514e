import PiuPiuAsync

/// The origins that advertise HTTP/3, and those where it did not work, as known to one engine.
///
///     unknown ── advertised ──▶ untried ── next request ──▶ trying ── over HTTP/3 ──▶ confirmed
///        ▲                                                    │                          │
///        └── cleared, expired ──                              └── not over HTTP/3 ───────┴──▶ broken for a while
///
/// A trial whose caller cancels it shows nothing, and the next request becomes the trial. Only one request tries an
/// alternative, on a new connection; meanwhile all others go on as before. An alternative that did not work is not tried for
/// five minutes, and then for twice as long each time (RFC 7838 §2.4), whatever the origin advertises.
///
/// Times are in nanoseconds of the engine's clock.
struct HTTP3Alternatives {
    /// How a request uses HTTP/3.
    enum Use {
        /// The request does not ask for HTTP/3.
        case none
        /// The request asks for HTTP/3 on a new connection, to learn whether it works.
        case trial
        /// The request asks for HTTP/3.
        case usual
    }

    /// The largest number of origins to remember; beyond it, all are forgotten.
    static let limit = 1024
    /// The pause after the first failure of an alternative.
    static let shortestPause: Int64 = 300_000_000_000
    /// The longest pause after a failure: a day.
    static let longestPause: Int64 = 86_400_000_000_000

    private enum State {
        case untried, trying, confirmed
    }

    private struct Entry {
        /// When the advertisement expires; `nil` if nothing is advertised.
        var expiresAt: Int64?
        var state = State.untried
        /// The end of the pause after a failure.
        var brokenUntil = Int64.min
        var pause: Int64 = 0
    }

    private var entries: [String: Entry] = [:]

    /// The number of remembered origins.
    var count: Int { entries.count }

    /// Records an origin's advertisement, which replaces the previous one.
    mutating func note(_ advertisement: AltSvcParser.Advertisement, of origin: String, now: Int64) {
        var age = 0
        if case .alternatives(let alternatives) = advertisement {
            age = alternatives.first { $0.isHTTP3(of: origin) }?.age ?? 0
        }
        guard age > 0 else { return drop(origin) }
        if entries[origin] == nil, entries.count >= Self.limit { entries.removeAll() }
        entries[origin, default: Entry()].expiresAt = now + Int64(age) * 1_000_000_000
    }

    /// Decides for the next request of an origin; if it is a trial, its end must be recorded.
    mutating func next(for origin: String, now: Int64) -> Use {
        guard !entries.isEmpty, let entry = entries[origin], let expiresAt = entry.expiresAt else { return .none }
        guard expiresAt > now else {
            drop(origin)
            return .none
        }
        guard entry.brokenUntil <= now else { return .none }
        switch entry.state {
        case .untried:
            entries[origin]?.state = .trying
            return .trial
        case .trying: return .none
        case .confirmed: return .usual
        }
    }

    /// Whether the next requests of an origin ask for HTTP/3 because it has worked.
    func isConfirmed(_ origin: String, now: Int64) -> Bool {
        guard let entry = entries[origin], entry.state == .confirmed, entry.brokenUntil <= now else { return false }
        return (entry.expiresAt ?? now) > now
    }

    /// Records that a connection with HTTP/3 was established.
    mutating func worked(for origin: String) {
        guard entries[origin] != nil else { return }
        entries[origin]?.state = .confirmed
        entries[origin]?.pause = 0
    }

    /// Records that no connection with HTTP/3 was established although the request asked for it.
    mutating func failed(for origin: String, now: Int64) {
        guard var entry = entries[origin] else { return }
        entry.state = .untried
        // Simultaneous attempts count as one failure.
        if entry.brokenUntil <= now {
            entry.pause = min(max(entry.pause * 2, Self.shortestPause), Self.longestPause)
            entry.brokenUntil = now + entry.pause
        }
        entries[origin] = entry
    }

    /// Records that the caller cancelled a trial before its result was known.
    mutating func abandoned(for origin: String) {
        guard entries[origin]?.state == .trying else { return }
        entries[origin]?.state = .untried
    }

    /// Records that an alternative does not serve the origin (RFC 7838 §6).
    mutating func refused(for origin: String, now: Int64) {
        failed(for: origin, now: now)
        drop(origin)
    }

    /// Forgets an origin's advertisement, but not its failures.
    private mutating func drop(_ origin: String) {
        guard let entry = entries[origin] else { return }
        guard entry.pause > 0 else { return entries[origin] = nil }
        entries[origin]?.expiresAt = nil
        entries[origin]?.state = .untried
    }
}
