#if os(Linux)
import CurlShim
import PiuPiuAsync

// Pauses of an exchange, while the caller reads or produces nothing.
extension CurlExchange {
    /// Whether receiving is paused.
    var isReceivingPaused: Bool { pauseMask & Int32(PP_CURLPAUSE_RECV) != 0 }

    /// Records that libcurl pauses a direction until it is resumed.
    func pause(_ direction: Int, now: Int64) {
        pauseMask |= Int32(direction)
        timeline.setPaused(true, now: now)
    }
}
#endif
