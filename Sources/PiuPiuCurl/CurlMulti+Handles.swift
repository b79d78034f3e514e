#if os(Linux)
import CurlShim
import PiuPiuAsync

// The handles of an engine, kept for the next exchange if possible.
extension CurlMulti {
    /// Returns the owner of a libcurl handle; `nil` for handles that libcurl creates for itself.
    static func handle(of easy: OpaquePointer) -> CurlHandle? {
        var context: UnsafeMutableRawPointer?
        pp_easy_get_pointer(easy, PP_CURLINFO_PRIVATE, &context)
        // Unretained: while the handle is in libcurl, an exchange, `abandoned`, or the code that removes it holds a
        // reference.
        return context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Removes a handle from libcurl and keeps it for reuse if possible.
    func release(_ handle: CurlHandle, of exchange: CurlExchange, after outcome: ExchangeOutcome) {
        guard !handle.isResolving || library.abandonsLookups else {
            // libcurl would block here until the system's resolver returns. Without an exchange, the handle can't open
            // a socket, so libcurl reports it done when the lookup ends.
            abandoned.append(handle)
            return
        }
        // libcurl counts retries per handle, never resets the count, and gives up after five.
        guard exchange.timeline.starts <= 1, idleHandles.count < pooledHandles else { return discard(handle) }
        // libcurl may keep a partial header line and prepend it to the next exchange's head (seen with 8.23).
        guard case .response = outcome, !exchange.isBodyUnwanted else { return discard(handle) }
        // The handle would keep its large buffer permanently.
        if case .withStream = exchange.request.kind { return discard(handle) }
        // A few handles may keep it, for the next large bodies.
        if handle.hasLargeBuffer, idleHandles.count >= 8 { return discard(handle) }
        // If the exchange is unfinished, this closes an HTTP/1.1 connection or resets an HTTP/2 stream.
        pp_multi_remove_handle(multi, handle.easy)
        if library.reusesHandles {
            handle.forget(exchange)
        } else if !handle.renew() {
            return handle.destroy()
        }
        idleHandles.append(handle)
    }

    func discard(_ handle: CurlHandle) {
        pp_multi_remove_handle(multi, handle.easy)
        handle.destroy()
    }
}
#endif
