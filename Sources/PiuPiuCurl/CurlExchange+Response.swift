#if os(Linux)
import CurlShim
import PiuPiuAsync
import PiuPiuEngine

// The information about the content in the head of a response.
extension CurlExchange {
    /// The newest head, complete or not.
    var head: [UInt8] { collector.bytes }

    /// Whether the body is reported to the caller; the body of a redirect is not.
    var reportsBody: Bool { !(300..<400).contains(statusCode) }

    /// Whether only the end of the HTTP/2 stream marks the end of the response.
    var hasOpenEnd: Bool {
        guard collector.isFinal, collector.contentLength == nil, statusCode != 204, statusCode != 304 else {
            return false
        }
        if case .head = request.kind { return false }
        return true
    }

    /// Whether only the end of TLS marks the end of the response (RFC 9112 §9.8).
    var needsCloseNotify: Bool { isOnTLS && hasOpenEnd && !collector.hasTransferEncoding }

    /// Whether the exchange's connection must not carry another exchange.
    ///
    /// The server announced content that it must not send (RFC 9112 §6.3), so the start of its next response is unknown.
    var mustNotShareConnection: Bool {
        statusCode == 204 && (collector.hasTransferEncoding || (collector.contentLength ?? 0) > 0)
    }

    /// Whether the final response has arrived with all bytes that its head announces.
    var isResponseComplete: Bool {
        // Bytes that libcurl keeps for a paused reader are already counted, and are lost if libcurl fails.
        guard isHeadComplete, statusCode >= 200, !isReceivingPaused else { return false }
        if case .head = request.kind { return true }
        if statusCode == 204 || statusCode == 304 { return true }
        // The last chunk ends such a body, even if the head also announces a length (RFC 9112 §6.3).
        guard !collector.hasTransferEncoding, let contentLength = collector.contentLength, let easy = handle?.easy
        else { return false }
        // The count is of compressed bytes, as in the announced length.
        var count: Int64 = 0
        pp_easy_get_offset(easy, PP_CURLINFO_SIZE_DOWNLOAD_T, &count)
        return count == Int64(contentLength)
    }

    /// Whether the server refused the expectation of "100 Continue" (RFC 9110 §15.5.18) before it received any content.
    ///
    /// The server then cannot have processed any of the content.
    var isExpectationRefused: Bool {
        guard statusCode == 417, expectsContinue, canBeSentAgain, request.kind.length != 0,
            let easy = handle?.easy
        else { return false }
        var count: Int64 = 0
        pp_easy_get_offset(easy, PP_CURLINFO_SIZE_UPLOAD_T, &count)
        return count == 0
    }

    /// Whether the proxy wants other credentials (RFC 9110 §15.5.8) instead of passing the request on.
    var isRefusedByProxy: Bool {
        statusCode == 407 && !isTunnelled && profile.settings.proxy?.isHTTP == true
    }

    /// Whether an HTTP proxy opens a tunnel for the request, so that all bytes in it come from the server.
    var isTunnelled: Bool { profile.settings.tunnels(to: request.target) }
}
#endif
