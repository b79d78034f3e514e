#if os(Linux)
import PiuPiuAsync
import PiuPiuEngine

// An unwanted body: that of a redirect that is followed.
//
// It is read while that is cheaper than another connection. Neither its end nor a fault in it matters. If it arrives completely
// and without a content coding, recorders and interceptors of hops get it.
extension CurlExchange {
    /// The most to read of such a body, in bytes.
    private static let unwantedLimit = 64 * 1024
    /// How long to wait for the rest of such a body, in nanoseconds.
    private static let unwantedTime: Int64 = 250_000_000

    /// Decides by the head whether the body is wanted, and returns whether to read on.
    func judgeBody(now: Int64) -> Bool {
        guard request.request.followsRedirects, streams?.inbound == nil,
            RedirectPolicy.statusCodes.contains(statusCode),
            RawHead(bytes: head).firstValue(of: "Location")?.isEmpty == false
        else { return true }
        isBodyUnwanted = true
        timeline.drain(for: Self.unwantedTime, now: now)
        if case .head = request.kind { return true }
        return collector.hasTransferEncoding || collector.contentLength ?? 0 <= Self.unwantedLimit
    }

    /// Takes a piece of an unwanted body.
    func discard(_ bytes: UnsafeRawBufferPointer) -> ReceiveResult {
        // libcurl passes on less than one buffer at a time, so the sum cannot overflow.
        unwantedCount += UInt32(clamping: bytes.count)
        guard unwantedCount <= Self.unwantedLimit else { return .stop }
        guard !collector.mayHaveContentEncoding else { return .proceed }
        body.append(bytes, of: nil)
        observed?.bodyReceived(bytes, isDecoded: false)
        return .proceed
    }
}
#endif
