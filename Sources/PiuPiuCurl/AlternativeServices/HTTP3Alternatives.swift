import PiuPiuAsync

/// The origins that advertise HTTP/3, and those where it did not work, as one engine knows them.
///
///     unknown ── advertised ──▶ untried ── next request ──▶ trying ── over HTTP/3 ──▶ confirmed
///        ▲                                                    │                          │
///        └── cleared, expired ──                              └── not over HTTP/3 ───────┴──▶ broken for a while
///
/// A trial that its caller gives up says nothing: the next request is the trial then. Only one request tries an alternative, on a connection of its own; meanwhile all others go on as before. One that did not
/// work is not tried for five minutes, and then for twice as long each time (RFC 7838 §2.4), whatever is advertised.
///
/// Times are in nanoseconds of the engine's clock.
struct HTTP3Alternatives {
    /// What a request does about HTTP/3.
    enum Use {
        /// It does not ask for it.
        case none
        /// It asks for it on a new connection, to learn whether it works.
        case trial
        /// It asks for it.
        case usual
    }

    /// The number of origins remembered; beyond it, all are forgotten.
    static let limit = 1024
    /// For how long an alternative is not tried after it failed for the first time.
    static let shortestPause: Int64 = 300_000_000_000
    /// For how long it is not tried at most: a day.
    static let longestPause: Int64 = 86_400_000_000_000

    private enum State {
        case untried, trying, confirmed
    }

    private struct Entry {
        /// When what was advertised expires; `nil` if nothing is advertised.
        var expiresAt: Int64?
        var state = State.untried
        /// The end of the pause after a failure.
        var brokenUntil = Int64.min
        var pause: Int64 = 0
    }

    private var entries: [String: Entry] = [:]

    /// The number of origins that are remembered.
    var count: Int { entries.count }

    /// Records what an origin advertises, which replaces what it advertised before.
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

    /// Whether the next requests of an origin ask for HTTP/3, because it has worked.
    func isConfirmed(_ origin: String, now: Int64) -> Bool {
        guard let entry = entries[origin], entry.state == .confirmed, entry.brokenUntil <= now else { return false }
        return (entry.expiresAt ?? now) > now
    }

    /// Records that a connection over HTTP/3 came up.
    mutating func worked(for origin: String) {
        guard entries[origin] != nil else { return }
        entries[origin]?.state = .confirmed
        entries[origin]?.pause = 0
    }

    /// Records that there was no connection over HTTP/3 although it was asked for.
    mutating func failed(for origin: String, now: Int64) {
        guard var entry = entries[origin] else { return }
        entry.state = .untried
        // Those that were tried at the same time failed together.
        if entry.brokenUntil <= now {
            entry.pause = min(max(entry.pause * 2, Self.shortestPause), Self.longestPause)
            entry.brokenUntil = now + entry.pause
        }
        entries[origin] = entry
    }

    /// Records that a trial was given up before anything was known.
    mutating func abandoned(for origin: String) {
        guard entries[origin]?.state == .trying else { return }
        entries[origin]?.state = .untried
    }

    /// Records that an alternative does not serve the origin (RFC 7838 §6).
    mutating func refused(for origin: String, now: Int64) {
        failed(for: origin, now: now)
        drop(origin)
    }

    /// Forgets what an origin advertised, but not that it did not work.
    private mutating func drop(_ origin: String) {
        guard let entry = entries[origin] else { return }
        guard entry.pause > 0 else { return entries[origin] = nil }
        entries[origin]?.expiresAt = nil
        entries[origin]?.state = .untried
    }
}
