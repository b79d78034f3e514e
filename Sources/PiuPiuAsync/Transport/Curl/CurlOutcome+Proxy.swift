#if os(Linux)
import CurlShim

/// What libcurl's result says about the proxy.
extension CurlOutcome {
    /// Whether an exchange failed because of its proxy.
    ///
    /// - Parameters:
    ///   - code: CURLE_…
    ///   - exchange: The exchange, which still has its handle.
    /// - Returns: `true` if the proxy could not be reached, or refused.
    static func isProxysFault(_ code: Int32, _ exchange: CurlExchange) -> Bool {
        guard let proxy = exchange.profile.settings.proxy else { return false }
        switch PPCode(rawValue: UInt32(bitPattern: code)) {
        case PP_CURLE_COULDNT_RESOLVE_PROXY, PP_CURLE_COULDNT_CONNECT: return true
        case PP_CURLE_PROXY: return socksError(exchange) != resolvesNoHost
        case PP_CURLE_COULDNT_RESOLVE_HOST:
            // Of the names, libcurl's message has the one that it could not resolve.
            return !proxy.needsAddresses || exchange.handle?.describe(code).contains(proxy.host) == true
        case PP_CURLE_OPERATION_TIMEDOUT, PP_CURLE_OUT_OF_MEMORY: return false
        default: break
        }
        // What fails after the proxy has opened the tunnel is the server's fault.
        guard proxy.isHTTP, exchange.timeline.phase == .connecting else { return false }
        return (proxy.kind == .https || exchange.isTunnelled) && !(200..<300).contains(tunnelCode(exchange))
    }

    /// Returns what is known about a proxy's fault; `nil` without a proxy.
    static func proxyFailure(of exchange: CurlExchange) -> ProxyFailure? {
        guard let proxy = exchange.profile.settings.proxy else { return nil }
        if exchange.isRefusedByProxy {
            let head = RawHead(bytes: exchange.head)
            return ProxyFailure(proxy, statusCode: StatusCode(rawValue: exchange.statusCode), headers: head.fields)
        }
        guard proxy.isHTTP else { return ProxyFailure(proxy, socksReply: socksReplies[socksError(exchange)]) }
        let code = exchange.isTunnelled ? tunnelCode(exchange) : 0
        guard code >= 300 else { return ProxyFailure(proxy) }
        let head = exchange.handle?.tunnelHead ?? []
        return ProxyFailure(proxy, statusCode: StatusCode(rawValue: code), headers: RawHead(bytes: head).fields)
    }

    /// Returns the reason as text, which names the proxy's host and port.
    static func reason(_ failure: ProxyFailure, _ exchange: CurlExchange) -> String {
        let name = exchange.profile.settings.proxy?.location ?? ""
        if let code = failure.statusCode {
            return code == .proxyAuthenticationRequired
                ? "The proxy \(name) wants other credentials (407)"
                : "The proxy \(name) refused to open a tunnel (\(code.rawValue))"
        }
        return failure.socksReply.map { "The proxy \(name) refused: \($0)" } ?? "The proxy \(name) could not be used"
    }

    private static func tunnelCode(_ exchange: CurlExchange) -> Int {
        guard let easy = exchange.handle?.easy else { return 0 }
        var code = 0
        pp_easy_get_long(easy, PP_CURLINFO_HTTP_CONNECTCODE, &code)
        return code
    }

    /// The reason that libcurl has for a failure of SOCKS, one of CURLPX_….
    private static func socksError(_ exchange: CurlExchange) -> Int {
        guard let easy = exchange.handle?.easy else { return 0 }
        var code = 0
        pp_easy_get_long(easy, PP_CURLINFO_PROXY_ERROR, &code)
        return code
    }

    /// CURLPX_RESOLVE_HOST: this machine could not resolve the server's name.
    private static let resolvesNoHost = 27

    /// The texts of CURLPX_… that say more than that the proxy could not be used.
    private static let socksReplies = [
        2: "it is not a SOCKS proxy of that version", 3: "it closed the connection", 7: "it cannot reach identd",
        8: "identd names another user", 9: "the server's name is too long", 10: "the password is too long",
        11: "the user name is too long", 12: "it accepts no way to authenticate that is supported",
        17: "it does not support that kind of address", 18: "it does not support connections",
        19: "the server refused the connection", 20: "it has a general failure", 21: "the server cannot be reached",
        22: "the server's network cannot be reached", 23: "its rules do not allow the connection",
        24: "the server is too far away", 26: "it rejected the request or cannot reach the server",
        32: "it accepts no way to authenticate that is supported", 33: "it does not accept the user name and password",
    ]
}
#endif
