#if os(Linux)
import CurlShim
import PiuPiuAsync

// Sending the content.
extension CurlExchange {
    /// Copies the next piece of the request's body; returns the number of bytes copied, 0 at the end, or one of libcurl's
    /// special values.
    func provideBody(into buffer: UnsafeMutableRawBufferPointer, now: Int64) -> Int {
        timeline.activity(now: now)
        // libcurl asks for more after it has sent the bytes it got before.
        streams?.reporter?.didSend(Int64(content.bytesRead))
        let piece = content.read(into: limited(buffer))
        if let observed, case .bytes(let count) = piece, count > 0 { observed.report(.bodySent(count)) }
        if content.isComplete {
            // If libcurl knows the length, it does not ask again.
            noteSent(now: now)
            streams?.reporter?.didSend(Int64(content.bytesRead))
        }
        switch piece {
        case .bytes(let count):
            timeline.contentMoved(now: now)
            sent(count, now: now)
            return count
        case .end: return 0
        case .pause:
            pause(PP_CURLPAUSE_SEND, now: now)
            return Int(PP_CURL_READFUNC_PAUSE)
        case .abort:
            failureCause = content.error
            return Int(PP_CURL_READFUNC_ABORT)
        }
    }

    /// Rewinds the request's body because libcurl has to send it again, and returns whether that is possible.
    func rewindBody(to offset: Int) -> Bool {
        if content.rewind(to: offset) { return true }
        guard !content.isRepeatable else { return false }
        // A caller with another copy of the body may resend it if the server has not processed this one.
        if isRefused { failure = .http2 } else { failureCause = TransferError(.bodyNotRepeatable) }
        return false
    }
}
#endif
