#if os(Linux)
import CShims

/// A session of an earlier connection.
///
/// OpenSSL counts its references atomically and never changes a session that is kept here.
final class ResumableSession: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of a session.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { cs_SSL_SESSION_free(pointer) }

    /// Whether the server has agreed to resume the session.
    var isResumable: Bool { cs_SSL_SESSION_is_resumable(pointer) == 1 }

    /// Whether the session is for one connection: with further use, an observer could link connections (RFC 8446 §C.4).
    var isSingleUse: Bool { cs_SSL_SESSION_get_protocol_version(pointer) >= Int32(CS_TLS1_3_VERSION) }
}

/// The sessions to resume, for each origin.
struct TLSSessionCache {
    /// The number of sessions to keep altogether.
    static let limit = 1024
    /// The number of sessions to keep for one origin.
    static let limitPerOrigin = 4

    private struct Entry {
        /// The sessions, oldest first.
        var sessions: [ResumableSession] = []
        /// When the newest session was added.
        var stamp = 0
    }

    private var entries: [String: Entry] = [:]
    private var clock = 0
    private(set) var count = 0

    /// Returns the newest session of an origin; `nil` if there is none.
    ///
    /// A TLS 1.3 session is removed.
    mutating func take(_ origin: String) -> ResumableSession? {
        guard let newest = entries[origin]?.sessions.last else { return nil }
        guard newest.isSingleUse else { return newest }
        count -= 1
        entries[origin]?.sessions.removeLast()
        if entries[origin]?.sessions.isEmpty == true { entries[origin] = nil }
        return newest
    }

    /// Adds a session, and returns the sessions that were evicted for it.
    mutating func add(_ session: ResumableSession, _ origin: String) -> [ResumableSession] {
        clock += 1
        var entry = entries[origin] ?? Entry()
        var evicted: [ResumableSession] = []
        // A session that can be used many times replaces the previous one.
        let limit = session.isSingleUse ? Self.limitPerOrigin : 1
        while entry.sessions.count >= limit { evicted.append(entry.sessions.removeFirst()) }
        entry.sessions.append(session)
        entry.stamp = clock
        entries[origin] = entry
        count += 1 - evicted.count
        while count > Self.limit, let oldest = entries.min(by: { $0.value.stamp < $1.value.stamp }) {
            evicted += remove(oldest.key)
        }
        return evicted
    }

    /// Removes the sessions of an origin, and returns them.
    mutating func remove(_ origin: String) -> [ResumableSession] {
        let removed = entries.removeValue(forKey: origin)?.sessions ?? []
        count -= removed.count
        return removed
    }
}
#endif
