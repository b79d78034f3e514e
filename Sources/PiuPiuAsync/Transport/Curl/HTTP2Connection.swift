#if os(Linux)
import CurlShim

/// An HTTP/2 connection and the handles that use it.
///
/// libcurl's trace of a frame goes to whichever handle happens to read, so that either all of them are traced or none.
/// Tracing costs some microseconds a request. It is on only while an exchange is under way that needs to know more than
/// libcurl tells, and says no more than that one needs.
final class HTTP2Connection {
    /// What libcurl is to tell of.
    enum Trace {
        /// Which requests the server left alone. While a request or a head of a response passes, there is nothing to tell.
        case refusals
        /// All frames: how the server ends a stream.
        case frames
    }

    private var handles: [CurlHandle] = []
    /// How many exchanges need each trace.
    private var needs = (refusals: 0, frames: 0)
    /// What the trace has told.
    var monitor = HTTP2Monitor()

    /// Whether no handle uses it.
    var isEmpty: Bool { handles.isEmpty }

    /// Whether another handle used it when the last one was added, so that any of them may break it.
    private(set) var hasBeenShared = false

    /// Adds a handle that begins to use it.
    func add(_ handle: CurlHandle) {
        hasBeenShared = !handles.isEmpty
        handle.placeOnConnection = handles.count
        handles.append(handle)
        apply(to: handle)
    }

    /// Removes a handle that no longer uses it.
    func remove(_ handle: CurlHandle) {
        handle.setTraced(false)
        leftovers = (0, Self.shortestDelay)
        guard let place = handle.placeOnConnection.take(), handles.indices.contains(place) else { return }
        // The last one takes its place.
        handles.swapAt(place, handles.count - 1)
        handles.removeLast()
        if place < handles.count { handles[place].placeOnConnection = place }
    }

    /// When libcurl is to read again what it has taken from the system, if there is anything, and after how long it is asked
    /// once more: at once after a handle has gone, and ever more rarely otherwise.
    private var leftovers = (readAt: Int64(0), delay: HTTP2Connection.shortestDelay)
    private static let shortestDelay: Int64 = 100_000_000
    private static let longestDelay: Int64 = 3_200_000_000

    /// Notes that libcurl is asked to read what it has taken from the system, if it is time for that.
    ///
    /// - Parameter now: The present, in nanoseconds.
    /// - Returns: Whether it is, and when it will be next.
    func readsLeftovers(now: Int64) -> (isDue: Bool, nextAt: Int64) {
        guard leftovers.readAt <= now else { return (false, leftovers.readAt) }
        leftovers = (now + leftovers.delay, min(leftovers.delay * 2, Self.longestDelay))
        return (true, leftovers.readAt)
    }

    /// Whether libcurl has taken bytes from the system that none of the exchanges has read, although one could.
    ///
    /// They may be a part of a record of TLS, for whose rest libcurl has to wait.
    var hasUnreadBytes: Bool {
        // libcurl moves handles to other connections by itself, for which they answer then.
        var answers = 0
        for handle in handles where handle.exchange?.isReceivingPaused == false {
            let pending = pp_tls_pending(handle.easy)
            if pending > 0 { return true }
            if pending == 0 { answers += 1 }
            if answers == 2 { break }
        }
        return false
    }

    /// Traces the connection for an exchange.
    func begin(_ trace: Trace) {
        change(trace, by: 1)
    }

    /// Ends what ``begin(_:)`` began.
    func end(_ trace: Trace) {
        change(trace, by: -1)
        // Whoever asks next asks about what is still to come.
        if needs == (0, 0) { monitor = HTTP2Monitor() }
    }

    /// Traces a handle, or not.
    func apply(to handle: CurlHandle) {
        handle.setTraced(needs.frames > 0 || needs.refusals > 0 && !handle.isBusyWithHead)
    }

    private func change(_ trace: Trace, by difference: Int) {
        let before = needs
        switch trace {
        case .refusals: needs.refusals += difference
        case .frames: needs.frames += difference
        }
        guard (before.refusals > 0) != (needs.refusals > 0) || (before.frames > 0) != (needs.frames > 0) else { return }
        for handle in handles { apply(to: handle) }
    }
}
#endif
