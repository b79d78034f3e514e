#if os(Linux)
import CurlShim
import PiuPiuAsync
import PiuPiuEngine

/// Interpreting libcurl's result with regard to the proxy.
extension CurlOutcome {
    /// Whether an exchange, which still has its handle, failed with a CURLE_… code because the proxy could not be reached, or
    /// refused.
    static func isProxysFault(_ code: Int32, _ exchange: CurlExchange) -> Bool {
        guard let proxy = exchange.profile.settings.proxy else { return false }
        switch PPCode(rawValue: UInt32(bitPattern: code)) {
        case PP_CURLE_COULDNT_RESOLVE_PROXY, PP_CURLE_COULDNT_CONNECT: return true
        case PP_CURLE_PROXY: return socksError(exchange) != resolvesNoHost
        case PP_CURLE_COULDNT_RESOLVE_HOST:
            // libcurl's message contains the name that it could not resolve.
            return !proxy.needsAddresses || exchange.handle?.describe(code).contains(proxy.host) == true
        case PP_CURLE_OPERATION_TIMEDOUT, PP_CURLE_OUT_OF_MEMORY: return false
        default: break
        }
        // Failures after the proxy has opened the tunnel are the server's fault.
        guard proxy.isHTTP, exchange.timeline.phase == .connecting else { return false }
        return (proxy.kind == .https || exchange.isTunnelled) && !(200..<300).contains(tunnelCode(exchange))
    }

    /// Returns the details of a proxy's fault; `nil` without a proxy.
    static func proxyFailure(of exchange: CurlExchange) -> ProxyFailure? {
        guard let proxy = exchange.profile.settings.proxy else { return nil }
        if exchange.isRefusedByProxy {
            let head = RawHead(bytes: exchange.head)
            return ProxyFailure(proxy, statusCode: StatusCode(rawValue: exchange.statusCode), headers: head.fields)
        }
        guard proxy.isHTTP else {
            return ProxyFailure(proxy, socksReply: socksRefusals[socksError(exchange)]?.rawValue)
        }
        let code = exchange.isTunnelled ? tunnelCode(exchange) : 0
        guard code >= 300 else { return ProxyFailure(proxy) }
        let head = exchange.handle?.tunnelHead ?? []
        return ProxyFailure(proxy, statusCode: StatusCode(rawValue: code), headers: RawHead(bytes: head).fields)
    }

    private static func tunnelCode(_ exchange: CurlExchange) -> Int {
        guard let easy = exchange.handle?.easy else { return 0 }
        var code = 0
        pp_easy_get_long(easy, PP_CURLINFO_HTTP_CONNECTCODE, &code)
        return code
    }

    /// libcurl's reason for a SOCKS failure, one of CURLPX_….
    private static func socksError(_ exchange: CurlExchange) -> Int {
        guard let easy = exchange.handle?.easy else { return 0 }
        var code = 0
        pp_easy_get_long(easy, PP_CURLINFO_PROXY_ERROR, &code)
        return code
    }

    /// CURLPX_RESOLVE_HOST: this machine could not resolve the server's name.
    private static let resolvesNoHost = 27

    /// The meanings of CURLPX_… codes that say more than that the proxy could not be used.
    private static let socksRefusals: [Int: SOCKSRefusal] = [
        1: .malformedReply, 2: .wrongVersion, 3: .closed, 7: .noIdentd, 8: .otherUser, 9: .nameTooLong,
        10: .passwordTooLong, 11: .userTooLong, 12: .noAuthentication, 17: .addressUnsupported, 18: .commandUnsupported,
        19: .refusedByServer, 20: .generalFailure, 21: .hostUnreachable, 22: .networkUnreachable, 23: .forbidden,
        24: .tooFar, 25: .unknownReply, 26: .requestFailed, 31: .unknownReply, 32: .noAuthentication,
        33: .userRejected,
    ]
}
#endif
