#if os(Linux)
import CurlShim
import PiuPiuAsync

/// Converts libcurl's result to the outcome for the caller.
enum CurlOutcome {
    /// Returns the outcome, a response or a failure, of an exchange that libcurl reports as done with a CURLE_… code.
    ///
    /// The exchange still has its handle.
    static func outcome(of exchange: CurlExchange, code: Int32) -> ExchangeOutcome {
        // Whatever happens to an unwanted body, the head is the response.
        guard !exchange.isBodyUnwanted else {
            if code != 0 { exchange.body.removeAll() }
            return response(of: exchange)
        }
        let isHarmless = code == 0 && !exchange.isCutOff || isConnectionFailure(code) && exchange.isResponseComplete
        guard isHarmless, exchange.failure == nil, exchange.failureCause == nil, exchange.isHeadComplete,
            exchange.statusCode >= 200
        else {
            let kind = exchange.failure ?? self.code(for: code, exchange)
            // If the engine refuses something itself, libcurl reports a different error, such as a failure to connect.
            let isLibraryMessage =
                code != 0 && exchange.failure == nil && exchange.restart == nil && kind != .forbiddenAddress
            let refusal = exchange.isRefused ? "the server refused the request: REFUSED_STREAM or GOAWAY" : nil
            var failure = failure(
                of: exchange,
                code: kind,
                description: isLibraryMessage ? exchange.handle?.describe(code) : refusal
            )
            if isLibraryMessage, kind == .tls || kind == .proxy && isTLSFailure(code, exchange) {
                failure.tell(of: tlsFailure(of: exchange, code: code))
            }
            return .failure(failure)
        }
        if let fault = exchange.findBodyFault() {
            return .failure(failure(of: exchange, code: fault, description: nil))
        }
        return response(of: exchange)
    }

    private static func response(of exchange: CurlExchange) -> ExchangeOutcome {
        .response(
            statusCode: exchange.statusCode,
            head: RawHead(bytes: exchange.head),
            body: exchange.body.take(),
            metrics: metrics(of: exchange),
            extras: exchange.collector.extras
        )
    }

    /// Whether the code means a broken connection.
    ///
    /// This does not matter if the response is complete: the server may respond before it has the whole body, and then close
    /// the connection.
    private static func isConnectionFailure(_ code: Int32) -> Bool {
        switch PPCode(rawValue: UInt32(bitPattern: code)) {
        case PP_CURLE_SEND_ERROR, PP_CURLE_RECV_ERROR, PP_CURLE_HTTP2, PP_CURLE_HTTP2_STREAM, PP_CURLE_HTTP3: true
        default: false
        }
    }

    /// Whether a connection of HTTP/2 or HTTP/3 broke, rather than the exchange's stream.
    ///
    /// Other exchanges broke it, or its server had given it up.
    ///
    /// - Parameters:
    ///   - code: CURLE_…
    ///   - text: libcurl's message.
    ///   - isShared: Whether the connection existed before the exchange, or is shared.
    ///   - isHTTP3: Whether it speaks HTTP/3.
    /// - Returns: Whether the connection broke.
    static func isConnectionError(_ code: Int32, _ text: String, isShared: Bool, isHTTP3: Bool) -> Bool {
        switch PPCode(rawValue: UInt32(bitPattern: code)) {
        // A failed write hides why reading the response failed.
        case PP_CURLE_HTTP2, PP_CURLE_SEND_ERROR: isShared
        case PP_CURLE_HTTP3, PP_CURLE_RECV_ERROR: isShared && isHTTP3
        // libcurl's message for streams that a GOAWAY with an error code ended.
        case PP_CURLE_HTTP2_STREAM: text.contains("reset by curl")
        default: false
        }
    }

    /// Returns a failure with everything known about the exchange.
    static func failure(
        of exchange: CurlExchange,
        code: TransportError.Code,
        description: String?
    ) -> ExchangeFailure {
        // Once a byte may have been sent, no later failure is safe to retry, unless the server refused the request.
        let mayBeProcessed = exchange.timeline.hasStarted && !exchange.isRefused
        let code =
            code.meansNothingWasSent && mayBeProcessed && !exchange.isRefusedByProxy ? .connectionLost : code
        var failure = ExchangeFailure(code, underlyingDescription: description)
        if let decoding = exchange.decodingFailure, decoding.code == code { failure.reason = decoding.failure.reason }
        if exchange.hasSwitchedProtocols {
            failure.reason = "The server switched protocols (101), although the request did not ask for it"
        }
        if code == .forbiddenAddress, let reason = exchange.forbiddenAddress {
            failure.reason = "\(code.text): \(reason)"
        }
        if code == .unsupported { failure.reason = exchange.refusalReason ?? exchange.request.refusalOfHTTP2 }
        if exchange.isHeadComplete { failure.head = .raw(RawHead(bytes: exchange.head)) }
        failure.bytesReceived = exchange.bytesReceived
        failure.cause = exchange.failureCause
        failure.isSafeToRetry = exchange.isRefused || code.meansNothingWasSent && !exchange.isRefusedByProxy
        if code == .proxy, let proxy = proxyFailure(of: exchange) {
            failure.proxy = proxy
            failure.reason = proxy.reason
        }
        return failure
    }

    /// Whether the origin speaks HTTP/2 or HTTP/3; `nil` if no response shows it.
    static func isMultiplexed(_ handle: CurlHandle, _ exchange: CurlExchange) -> Bool? {
        guard exchange.offersHTTP2, exchange.isHeadComplete else { return nil }
        return handle.isMultiplexed
    }

    private static func code(for code: Int32, _ exchange: CurlExchange) -> TransportError.Code {
        if isProxysFault(code, exchange) { return .proxy }
        return switch PPCode(rawValue: UInt32(bitPattern: code)) {
        case PP_CURLE_HTTP2 where isHeadTooLarge(code, exchange),
            PP_CURLE_RECV_ERROR where isHeadTooLarge(code, exchange):
            .headTooLarge
        case PP_CURLE_SSL_CONNECT_ERROR where exchange.request.sendsTrailers && knowsNoHTTP1(code, exchange):
            .unsupported
        case _ where isTLSFailure(code, exchange):
            .tls
        case PP_CURLE_WEIRD_SERVER_REPLY where hasFinalHead(exchange),
            PP_CURLE_BAD_FUNCTION_ARGUMENT where hasFinalHead(exchange):
            // libcurl's codes for a line of the trailers without a colon.
            .malformedBody
        case PP_CURLE_UNSUPPORTED_PROTOCOL where exchange.timeline.isUnderWay,
            PP_CURLE_BAD_FUNCTION_ARGUMENT where exchange.timeline.isUnderWay,
            PP_CURLE_WEIRD_SERVER_REPLY:
            // libcurl's codes for HTTP/0.9 and for an invalid head, which may come before the whole request is sent.
            .malformedHead
        case PP_CURLE_URL_MALFORMAT, PP_CURLE_UNSUPPORTED_PROTOCOL:
            .invalidURL
        case PP_CURLE_COULDNT_RESOLVE_HOST, PP_CURLE_PROXY:
            // With SOCKS, a name that this machine could not resolve.
            .cannotResolveHost
        case PP_CURLE_COULDNT_CONNECT where exchange.forbiddenAddress != nil:
            .forbiddenAddress
        case PP_CURLE_INTERFACE_FAILED:
            // The local address, interface or ports.
            .cannotConnect
        case PP_CURLE_COULDNT_CONNECT:
            .cannotConnect
        case PP_CURLE_QUIC_CONNECT_ERROR where exchange.timeline.phase == .connecting,
            PP_CURLE_SEND_ERROR where exchange.timeline.phase == .connecting:
            .cannotConnect
        case PP_CURLE_OPERATION_TIMEDOUT:
            .timeout(.connect)
        case PP_CURLE_HTTP2, PP_CURLE_HTTP2_STREAM:
            .http2
        case PP_CURLE_BAD_CONTENT_ENCODING:
            .malformedBody
        case PP_CURLE_OUT_OF_MEMORY where exchange.timeline.isUnderWay && !hasFinalHead(exchange),
            PP_CURLE_TOO_LARGE:
            // libcurl limits a field line to 100 KiB; before 8.6 it had no code for that.
            .headTooLarge
        case PP_CURLE_OUT_OF_MEMORY:
            .outOfResources
        case PP_CURLE_RECV_ERROR where exchange.timeline.phase == .connecting:
            .cannotConnect
        case PP_CURLE_RECV_ERROR where hasFinalHead(exchange):
            // libcurl has one code for a reset connection, for malformed chunks, and for a trailer of more than 4 KiB.
            switch exchange.handle?.describe(code) {
            case let text? where text.contains("Out of memory in chunk"): .headTooLarge
            case let text? where text.contains("chunk"): .malformedBody
            default: .truncatedBody
            }
        default:
            hasFinalHead(exchange) ? .truncatedBody : .connectionLost
        }
    }

    private static func hasFinalHead(_ exchange: CurlExchange) -> Bool {
        exchange.isHeadComplete && exchange.statusCode >= 200
    }

    /// Whether the server refuses the handshake because only HTTP/1.1 was offered.
    private static func knowsNoHTTP1(_ code: Int32, _ exchange: CurlExchange) -> Bool {
        exchange.handle?.describe(code).contains("no application protocol") == true
    }

    /// Whether libcurl reports that a head is too large.
    ///
    /// Its message is "Too large response headers" for all lines together. For the head of an HTTP/2 stream it is "Too
    /// many CONTINUATION frames", or COMPRESSION_ERROR if a single field is too large for nghttp2. The latter two end
    /// the whole connection.
    private static func isHeadTooLarge(_ code: Int32, _ exchange: CurlExchange) -> Bool {
        guard !exchange.isHeadComplete || exchange.statusCode < 200, let text = exchange.handle?.describe(code) else {
            return false
        }
        return ["response headers", "CONTINUATION", "COMPRESSION_ERROR"].contains(where: text.contains)
    }

    /// Whether libcurl counts the body as part of the head.
    ///
    /// Version 8.7 and newer do so with every body. Older ones send a short body together with the HTTP/1.1 head.
    private static func hasSentBodyWithHead(_ exchange: CurlExchange) -> Bool {
        guard let handle = exchange.handle else { return false }
        guard !handle.library.countsBodiesAsHeads else { return true }
        guard case .withContent(let body) = exchange.request.kind, exchange.isCopied(body) else { return false }
        return body.count < CurlHandle.copiedBodyLimit && !exchange.request.expectsContinue && !handle.isMultiplexed
    }

    /// Returns the time metrics of an exchange so far.
    static func metrics(of exchange: CurlExchange) -> ExchangeMetrics {
        guard let easy = exchange.handle?.easy else { return ExchangeMetrics() }
        func time(_ info: PPInfo) -> Duration {
            var microseconds: Int64 = 0
            pp_easy_get_offset(easy, info, &microseconds)
            return .microseconds(microseconds)
        }
        func count(_ head: PPInfo, _ body: PPInfo?) -> Int {
            var (headSize, bodySize): (Int, Int64) = (0, 0)
            pp_easy_get_long(easy, head, &headSize)
            if let body { pp_easy_get_offset(easy, body, &bodySize) }
            return headSize + Int(bodySize)
        }
        var connections = 0
        pp_easy_get_long(easy, PP_CURLINFO_NUM_CONNECTS, &connections)
        var metrics = ExchangeMetrics(
            queued: .nanoseconds(exchange.queuedTime),
            firstByte: time(PP_CURLINFO_STARTTRANSFER_TIME_T),
            total: time(PP_CURLINFO_TOTAL_TIME_T),
            isReusedConnection: connections == 0
        )
        let body = hasSentBodyWithHead(exchange) ? nil : PP_CURLINFO_SIZE_UPLOAD_T
        metrics.bytesSent = count(PP_CURLINFO_REQUEST_SIZE, body)
        metrics.bytesReceived = count(PP_CURLINFO_HEADER_SIZE, PP_CURLINFO_SIZE_DOWNLOAD_T)
        if connections > 0 {
            metrics.nameLookup = time(PP_CURLINFO_NAMELOOKUP_TIME_T)
            metrics.connect = time(PP_CURLINFO_CONNECT_TIME_T)
            metrics.secureConnect = time(PP_CURLINFO_APPCONNECT_TIME_T)
        }
        return metrics
    }
}
#endif
