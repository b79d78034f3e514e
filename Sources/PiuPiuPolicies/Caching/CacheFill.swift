/// Stores one response: writes its body while it is read, and turns it into an entry at its end.
///
/// A body that is truncated, or not read to its end, is dropped with the writer. The transport decides whether a body is
/// complete.
final class CacheFill: Sendable {
    private struct State {
        var writer: (any ResponseStorageWriter)?
        /// Released with the writer.
        var ticket: CacheTicket?
    }

    private let cache: ResponseCache.Core
    private let key: CacheKey
    /// The key and the head of the entry that leads to a variant; `nil` if none is to be written.
    private let index: (key: CacheKey, head: StoredHead)?
    private let state: Locked<State>

    init(
        _ cache: ResponseCache.Core,
        _ ticket: CacheTicket,
        _ key: CacheKey,
        index: (key: CacheKey, head: StoredHead)?,
        writer: any ResponseStorageWriter
    ) {
        self.cache = cache
        self.key = key
        self.index = index
        state = Locked(State(writer: writer, ticket: ticket))
    }

    /// Writes the next bytes.
    func write(_ chunk: Data) async {
        guard let writer = state.withLock({ $0.writer }) else { return }
        if !(await writer.write(chunk)) { drop() }
    }

    /// Turns the written bytes into an entry, unless the resource has changed in the meantime; returns whether it is stored.
    func commit() async -> Bool {
        let taken = take()
        guard let writer = taken.writer, let ticket = taken.ticket, ticket.isValid, await writer.commit() else {
            return false
        }
        if let index { await cache.store(index.head, for: index.key) }
        // If the resource changed between the check and the commit, the removal came too early.
        guard ticket.isValid else {
            await cache.storage.remove(key)
            return false
        }
        return true
    }

    /// Drops the written bytes.
    func drop() {
        let taken = take()
        withExtendedLifetime(taken) {}
    }

    private func take() -> State {
        state.withLock { state in
            defer { state = State() }
            return state
        }
    }
}

/// A body that is stored while it is read.
struct CachingSource: ResponseBodySource {
    let reader: ResponseBody.Reader
    let fill: CacheFill

    func next(isolation: isolated (any Actor)?) async throws -> Data? {
        do {
            while try reader.goOn(), let chunk = try await reader.source.next(isolation: isolation) {
                guard !chunk.isEmpty else { continue }
                await fill.write(chunk)
                return chunk
            }
        } catch {
            fill.drop()
            throw reader.fail(error)
        }
        reader.end()
        // Trailers are not stored, and neither is a response that would differ without them.
        if reader.source.trailers.isEmpty { _ = await fill.commit() } else { fill.drop() }
        return nil
    }

    func close() {
        fill.drop()
        reader.close()
    }

    var trailers: HTTPHeaderFields { reader.source.trailers }
}
