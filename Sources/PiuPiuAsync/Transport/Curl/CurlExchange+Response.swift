#if os(Linux)
import CurlShim

// What the head of a response says of what follows it.
extension CurlExchange {
    /// Whether only the end of its HTTP/2 stream tells the end of its response.
    var hasOpenEnd: Bool {
        guard collector.isFinal, collector.contentLength == nil, statusCode != 204, statusCode != 304 else {
            return false
        }
        if case .head = request.kind { return false }
        return true
    }

    /// Whether only the end of TLS tells the end of its response (RFC 9112 §9.8).
    var needsCloseNotify: Bool { isOnTLS && hasOpenEnd && !collector.hasTransferEncoding }

    /// Whether its connection must not carry another exchange: the server announced content that it must not send
    /// (RFC 9112 §6.3), so that nobody knows where its next response begins.
    var mustNotShareConnection: Bool {
        statusCode == 204 && (collector.hasTransferEncoding || (collector.contentLength ?? 0) > 0)
    }

    /// Whether the final response is there with all its bytes, as far as its head tells their number.
    var isResponseComplete: Bool {
        // What libcurl keeps for a reader who is not ready was counted, and is lost when it fails.
        guard isHeadComplete, statusCode >= 200, !isReceivingPaused else { return false }
        if case .head = request.kind { return true }
        if statusCode == 204 || statusCode == 304 { return true }
        // The last chunk ends such a body, whatever length was announced beside (RFC 9112 §6.3).
        guard !collector.hasTransferEncoding, let contentLength = collector.contentLength, let easy = handle?.easy
        else { return false }
        // Counted before they were decompressed, as they were announced.
        var count: Int64 = 0
        pp_easy_get_offset(easy, PP_CURLINFO_SIZE_DOWNLOAD_T, &count)
        return count == Int64(contentLength)
    }

    /// Whether the server said that it does not answer "100 Continue" (RFC 9110 §15.5.18), before it had a byte of the content
    /// that it could have processed.
    var isExpectationRefused: Bool {
        guard statusCode == 417, request.expectsContinue, !waitsForNothing, canBeSentAgain, request.kind.length != 0,
            let easy = handle?.easy
        else { return false }
        var count: Int64 = 0
        pp_easy_get_offset(easy, PP_CURLINFO_SIZE_UPLOAD_T, &count)
        return count == 0
    }

    /// How many bytes of content will be delivered; `nil` where the head does not tell.
    var expectedLength: Int64? {
        // A length that is about compressed bytes says nothing about those that are delivered.
        let isEncoded =
            request.decodesContent && collector.mayHaveContentEncoding
            && RawHead(bytes: head).firstValue(of: "Content-Encoding") != nil
        // Nor does one that is about a body that is not sent (RFC 9112 §6.3).
        let isUnknown = isEncoded || collector.hasTransferEncoding
        if case .head = request.kind { return 0 }
        if statusCode == 204 || statusCode == 304 { return 0 }
        return isUnknown ? nil : collector.contentLength.map { Int64($0) }
    }
}
#endif
