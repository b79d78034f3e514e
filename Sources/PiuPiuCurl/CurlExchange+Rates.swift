#if os(Linux)
import PiuPiuAsync

extension CurlHandle.Rates {
    /// Reads the speed limits from a request's options.
    init(_ options: RequestOptions) {
        receiving = options.maximumReceiveRate.map { Int64(max(1, $0)) } ?? 0
        sending = options.maximumSendRate.map { Int64(max(1, $0)) } ?? 0
    }
}

// The speed limits of an exchange. libcurl applies them, and pauses by itself.
extension CurlExchange {
    /// The speed limits.
    var rates: CurlHandle.Rates { CurlHandle.Rates(request.options) }

    /// Records received bytes that the speed limit counts.
    func received(_ count: Int, now: Int64) {
        if rates.receiving > 0 { timeline.moved(count, rate: rates.receiving, now: now) }
    }

    /// Records sent bytes that the speed limit counts.
    func sent(_ count: Int, now: Int64) {
        if rates.sending > 0 { timeline.moved(count, rate: rates.sending, now: now) }
    }

    /// The part of a buffer that may be filled at once: at most the bytes of one second.
    func limited(_ buffer: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        guard rates.sending > 0, rates.sending < buffer.count else { return buffer }
        return UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(rates.sending)])
    }

    /// Whether libcurl copies the content, to send it with the head.
    func isCopied(_ content: Data) -> Bool { content.count <= CurlHandle.copiedBodyLimit && rates.sending == 0 }
}
#endif
