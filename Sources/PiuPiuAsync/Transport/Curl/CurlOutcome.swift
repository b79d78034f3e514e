#if os(Linux)
import CurlShim

/// Makes of libcurl's result what the caller is told.
enum CurlOutcome {
    /// How an exchange ended that libcurl reports as done.
    ///
    /// - Parameters:
    ///   - exchange: The exchange, still with its handle.
    ///   - code: CURLE_…
    /// - Returns: A response, or a failure.
    static func outcome(of exchange: CurlExchange, code: Int32) -> ExchangeOutcome {
        let isHarmless = code == 0 && !exchange.isCutOff || isConnectionFailure(code) && exchange.isResponseComplete
        guard isHarmless, exchange.failure == nil, exchange.failureCause == nil, exchange.isHeadComplete,
            exchange.statusCode >= 200
        else {
            let kind = exchange.failure ?? self.code(for: code, exchange)
            // What we refuse ourselves, libcurl describes as something that it is not, such as a failure to connect.
            let isLibrarysWord = code != 0 && exchange.failure == nil && exchange.restart == nil
            return .failure(
                failure(of: exchange, code: kind, description: isLibrarysWord ? exchange.handle?.describe(code) : nil)
            )
        }
        if let fault = exchange.bodyFault { return .failure(failure(of: exchange, code: fault, description: nil)) }
        return .response(
            statusCode: exchange.statusCode,
            head: RawHead(bytes: exchange.head),
            body: exchange.body,
            metrics: metrics(of: exchange)
        )
    }

    /// Whether a connection broke, which does not matter to a response that is there already: the server may have
    /// answered before it had the whole body, and closed then.
    private static func isConnectionFailure(_ code: Int32) -> Bool {
        switch PPCode(rawValue: UInt32(bitPattern: code)) {
        case PP_CURLE_SEND_ERROR, PP_CURLE_RECV_ERROR, PP_CURLE_HTTP2, PP_CURLE_HTTP2_STREAM: true
        default: false
        }
    }

    /// Whether an HTTP/2 connection broke under an exchange, rather than its stream: others broke it, or its server had
    /// given it up.
    ///
    /// - Parameters:
    ///   - code: CURLE_…
    ///   - text: What libcurl says about it.
    ///   - isShared: Whether the connection was there before the exchange.
    /// - Returns: Whether it did.
    static func isConnectionError(_ code: Int32, _ text: String, isShared: Bool) -> Bool {
        switch PPCode(rawValue: UInt32(bitPattern: code)) {
        // A write that fails while a response is read hides why it can't be read.
        case PP_CURLE_HTTP2, PP_CURLE_SEND_ERROR: isShared
        // What it says to streams that a GOAWAY with an error code ends.
        case PP_CURLE_HTTP2_STREAM: text.contains("reset by curl")
        default: false
        }
    }

    /// A failure with all that is known about the exchange.
    static func failure(
        of exchange: CurlExchange,
        code: TransportError.Code,
        description: String?
    ) -> ExchangeFailure {
        // Once a byte may have been sent, nothing that follows is safe to try again, unless the server has refused it.
        let mayBeProcessed = exchange.timeline.hasStarted && !exchange.isRefused
        let code = code.meansNothingWasSent && mayBeProcessed ? .connectionLost : code
        return ExchangeFailure(
            code: code,
            reason: exchange.hasSwitchedProtocols
                ? "The server changed the protocol (101), which nobody had asked for" : nil,
            underlyingDescription: description,
            head: exchange.isHeadComplete ? RawHead(bytes: exchange.head) : nil,
            bytesReceived: exchange.bytesReceived,
            cause: exchange.failureCause,
            isSafeToRetry: exchange.isRefused || code.meansNothingWasSent
        )
    }

    /// Whether the origin speaks HTTP/2; `nil` where no response told.
    static func isMultiplexed(_ handle: CurlHandle, _ exchange: CurlExchange) -> Bool? {
        guard exchange.offersHTTP2, exchange.isHeadComplete else { return nil }
        var version = 0
        pp_easy_get_long(handle.easy, PP_CURLINFO_HTTP_VERSION, &version)
        return version == Int(PP_CURL_HTTP_VERSION_2_0)
    }

    private static func code(for code: Int32, _ exchange: CurlExchange) -> TransportError.Code {
        switch PPCode(rawValue: UInt32(bitPattern: code)) {
        case PP_CURLE_HTTP2 where isHeadTooLarge(code, exchange),
            PP_CURLE_RECV_ERROR where isHeadTooLarge(code, exchange):
            .headTooLarge
        case PP_CURLE_RECV_ERROR where wantsCertificate(code, exchange),
            PP_CURLE_SEND_ERROR where wantsCertificate(code, exchange):
            .tls
        case PP_CURLE_UNSUPPORTED_PROTOCOL where exchange.timeline.phase == .awaitingHead,
            PP_CURLE_BAD_FUNCTION_ARGUMENT where exchange.timeline.phase == .awaitingHead,
            PP_CURLE_WEIRD_SERVER_REPLY:
            // What libcurl says to HTTP/0.9, and to a head that makes no sense.
            .malformedHead
        case PP_CURLE_URL_MALFORMAT, PP_CURLE_UNSUPPORTED_PROTOCOL:
            .invalidURL
        case PP_CURLE_COULDNT_RESOLVE_HOST:
            .cannotResolveHost
        case PP_CURLE_COULDNT_CONNECT:
            usesProxy(exchange) ? .proxy : .cannotConnect
        case PP_CURLE_COULDNT_RESOLVE_PROXY, PP_CURLE_PROXY:
            .proxy
        case PP_CURLE_SSL_CONNECT_ERROR, PP_CURLE_SSL_CERTPROBLEM, PP_CURLE_SSL_CIPHER, PP_CURLE_SSL_ISSUER_ERROR,
            PP_CURLE_SSL_CACERT_BADFILE, PP_CURLE_SSL_ENGINE_NOTFOUND, PP_CURLE_PEER_FAILED_VERIFICATION:
            .tls
        case PP_CURLE_OPERATION_TIMEDOUT:
            .timeout(.connect)
        case PP_CURLE_HTTP2, PP_CURLE_HTTP2_STREAM:
            .http2
        case PP_CURLE_BAD_CONTENT_ENCODING:
            .malformedBody
        case PP_CURLE_OUT_OF_MEMORY where exchange.timeline.phase == .awaitingHead, PP_CURLE_TOO_LARGE:
            // libcurl's own limit for a field line is 100 KiB, for which it had no code before 8.6.
            .headTooLarge
        case PP_CURLE_OUT_OF_MEMORY:
            .outOfResources
        case PP_CURLE_RECV_ERROR where exchange.timeline.phase == .connecting:
            // What libcurl says to a proxy that refuses to open a tunnel.
            exchange.handle?.describe(code).contains("CONNECT") == true ? .proxy : .cannotConnect
        case PP_CURLE_RECV_ERROR where exchange.isHeadComplete && exchange.statusCode >= 200:
            // libcurl has one code for a reset connection and for chunks it cannot read.
            exchange.handle?.describe(code).contains("chunk") == true ? .malformedBody : .truncatedBody
        default:
            exchange.isHeadComplete && exchange.statusCode >= 200 ? .truncatedBody : .connectionLost
        }
    }

    /// Whether the server wants a certificate of the client's, which with TLS 1.3 it says after the handshake (RFC 8446
    /// §4.4.2.4).
    private static func wantsCertificate(_ code: Int32, _ exchange: CurlExchange) -> Bool {
        !exchange.isHeadComplete && exchange.handle?.describe(code).contains("certificate required") == true
    }

    /// Whether the environment names a proxy for an exchange.
    private static func usesProxy(_ exchange: CurlExchange) -> Bool {
        guard exchange.handle?.settings.usesEnvironmentProxy == true else { return false }
        return ProxyEnvironment(ProcessInfo.processInfo.environment).hasProxy(for: exchange.request.target)
    }

    /// Whether libcurl says that a head is larger than it takes.
    ///
    /// It says "Too large response headers" for all lines together, and
    /// for the head of an HTTP/2 stream "Too many CONTINUATION frames", or COMPRESSION_ERROR if a single field is too large
    /// for nghttp2. The latter two end the whole connection.
    private static func isHeadTooLarge(_ code: Int32, _ exchange: CurlExchange) -> Bool {
        guard !exchange.isHeadComplete || exchange.statusCode < 200, let text = exchange.handle?.describe(code) else {
            return false
        }
        return ["response headers", "CONTINUATION", "COMPRESSION_ERROR"].contains(where: text.contains)
    }

    /// Where the time went, so far.
    static func metrics(of exchange: CurlExchange) -> ExchangeMetrics {
        guard let easy = exchange.handle?.easy else { return ExchangeMetrics() }
        func time(_ info: PPInfo) -> Duration {
            var microseconds: Int64 = 0
            pp_easy_get_offset(easy, info, &microseconds)
            return .microseconds(microseconds)
        }
        var connections = 0
        pp_easy_get_long(easy, PP_CURLINFO_NUM_CONNECTS, &connections)
        var metrics = ExchangeMetrics(
            queued: .nanoseconds(exchange.queuedTime),
            firstByte: time(PP_CURLINFO_STARTTRANSFER_TIME_T),
            total: time(PP_CURLINFO_TOTAL_TIME_T),
            isReusedConnection: connections == 0
        )
        if connections > 0 {
            metrics.nameLookup = time(PP_CURLINFO_NAMELOOKUP_TIME_T)
            metrics.connect = time(PP_CURLINFO_CONNECT_TIME_T)
            metrics.secureConnect = time(PP_CURLINFO_APPCONNECT_TIME_T)
        }
        return metrics
    }
}
#endif
