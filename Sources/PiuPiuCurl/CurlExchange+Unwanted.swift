#if os(Linux)
import PiuPiuAsync
import PiuPiuEngine

// A body that nobody wants: that of a redirect which is followed.
//
// It is read as long as that is cheaper than another connection. Neither its end nor a fault of it matters. If it arrives
// whole, recorders and interceptors of hops get it; they get no part of one, and none that is encoded.
extension CurlExchange {
    /// The most to read of such a body, in bytes.
    private static let unwantedLimit = 64 * 1024
    /// How long to wait for the rest of such a body, in nanoseconds.
    private static let unwantedTime: Int64 = 250_000_000

    /// Decides by the head whether anybody wants the body.
    ///
    /// - Returns: Whether to read on.
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

    /// Takes a piece of the body that nobody wants.
    func discard(_ bytes: UnsafeRawBufferPointer) -> ReceiveResult {
        // libcurl passes on less than a buffer at a time.
        unwantedCount += UInt32(clamping: bytes.count)
        guard unwantedCount <= Self.unwantedLimit else { return .stop }
        guard !collector.mayHaveContentEncoding else { return .proceed }
        body.append(bytes, of: nil)
        observed?.bodyReceived(bytes, isDecoded: false)
        return .proceed
    }
}
#endif
