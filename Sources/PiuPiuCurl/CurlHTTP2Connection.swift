#if os(Linux)
import CurlShim
import PiuPiuAsync

/// An HTTP/2 connection and the handles that use it.
///
/// libcurl logs an event on the handle that happens to read it, so either all handles are traced or none. Tracing is on
/// only while an exchange needs to know more than libcurl reports, and covers only what that exchange needs.
final class CurlHTTP2Connection {
    /// The events that libcurl traces.
    enum Trace {
        /// Requests that the server did not process; off while a request or a response head passes.
        ///
        /// Since 8.23, libcurl's ordinary log contains them.
        case refusals
        /// All frames, which show how the server ends a stream.
        ///
        /// They need ``HTTP2FrameTrace``, which costs several times as much.
        case frames
    }

    private var handles: [CurlHandle] = []
    /// libcurl's number of the connection.
    var number: Int64 = -1
    /// The number of exchanges that need each trace.
    private var needs = (refusals: 0, frames: 0)
    /// The state derived from the trace.
    var monitor = HTTP2Monitor()

    /// Whether no handle uses the connection.
    var isEmpty: Bool { handles.isEmpty }

    /// Whether another handle used the connection when the last one was added, so any of them may break it.
    private(set) var hasBeenShared = false

    /// Adds a handle that starts to use the connection.
    func add(_ handle: CurlHandle) {
        hasBeenShared = !handles.isEmpty
        handle.placeOnConnection = handles.count
        handles.append(handle)
        apply(to: handle)
    }

    /// Removes a handle that no longer uses the connection.
    func remove(_ handle: CurlHandle) {
        handle.setTraced(false)
        leftovers = (0, Self.shortestDelay)
        guard let place = handle.placeOnConnection.take(), handles.indices.contains(place) else { return }
        // The last handle takes its place.
        handles.swapAt(place, handles.count - 1)
        handles.removeLast()
        if place < handles.count { handles[place].placeOnConnection = place }
    }

    /// When libcurl must next read bytes that it took from the system, and the delay after that.
    ///
    /// The time is at once after a handle leaves; otherwise the delay doubles each time.
    private var leftovers = (readAt: Int64(0), delay: CurlHTTP2Connection.shortestDelay)
    private static let shortestDelay: Int64 = 100_000_000
    private static let longestDelay: Int64 = 3_200_000_000

    /// Returns whether libcurl must read the bytes it took from the system, and schedules the next time.
    ///
    /// - Parameter now: The current time, in nanoseconds.
    /// - Returns: Whether the read is due now, and when the next one is due.
    func readsLeftovers(now: Int64) -> (isDue: Bool, nextAt: Int64) {
        guard leftovers.readAt <= now else { return (false, leftovers.readAt) }
        leftovers = (now + leftovers.delay, min(leftovers.delay * 2, Self.longestDelay))
        return (true, leftovers.readAt)
    }

    /// Whether libcurl took bytes from the system that no exchange has read, although one could.
    ///
    /// They may be part of a TLS record; libcurl must wait for the rest of it.
    var hasUnreadBytes: Bool {
        // libcurl may move a handle to another connection by itself; the handle then reports that connection.
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

    /// Ends a trace that ``begin(_:)`` started.
    func end(_ trace: Trace) {
        change(trace, by: -1)
        // The next trace is only about future events.
        if needs == (0, 0) { monitor = HTTP2Monitor() }
    }

    /// Turns tracing of a handle on or off.
    func apply(to handle: CurlHandle) {
        handle.setTraced(needs.frames > 0 || needs.refusals > 0 && !handle.isBusyWithHead)
    }

    private func change(_ trace: Trace, by difference: Int) {
        let before = needs
        switch trace {
        case .refusals: needs.refusals += difference
        case .frames:
            needs.frames += difference
            if (before.frames > 0) != (needs.frames > 0) { HTTP2FrameTrace.need(by: difference) }
        }
        guard (before.refusals > 0) != (needs.refusals > 0) || (before.frames > 0) != (needs.frames > 0) else { return }
        for handle in handles { apply(to: handle) }
    }
}
#endif
