#if os(Linux)
import PiuPiuEngine

// The proxy of an exchange.
extension SocketExchange {
    /// Whether an HTTP proxy opens a tunnel for the request, so that data in the tunnel comes from the server.
    var isTunnelled: Bool { profile.tunnels(to: request.target, always: isTunnelRequest) }

    /// Whether a proxy receives the request itself, with the whole URL.
    var isForProxy: Bool { profile.proxy?.isHTTP == true && !isTunnelled }

    /// Whether the request's fields contain the caller's own proxy credentials, which belong in the tunnel's request.
    private var movesCredentials: Bool { request.hasProxyAuthorization && !request.target.isSecure && isTunnelled }

    var fields: FieldList {
        let fields = expectsContinue == request.expectsContinue ? request.fields : request.fieldsWithoutExpectation
        guard let proxy = profile.proxy else { return fields }
        guard !movesCredentials else { return fields.filter("proxy-authorization", isKept: false) }
        return isTunnelled ? fields : fields + proxy.fields(for: request, isTunnelled: false)
    }

    /// The fields for opening the tunnel.
    var fieldsForTunnel: FieldList {
        (profile.proxy?.fields(for: request, isTunnelled: true) ?? FieldList()) + movedCredentials
    }

    /// The caller's own credentials for the proxy that opens the tunnel; empty for none.
    ///
    /// Only requests with the same credentials may use such a tunnel.
    static func ownCredentials(
        of request: PreparedRequest,
        _ profile: SocketProfile,
        isTunnelRequest: Bool
    ) -> FieldList {
        guard request.hasProxyAuthorization, profile.tunnels(to: request.target, always: isTunnelRequest) else {
            return FieldList()
        }
        return request.target.isSecure ? request.proxyFields : request.proxyFields + ownCredentials(in: request)
    }

    private var movedCredentials: FieldList {
        movesCredentials ? Self.ownCredentials(in: request) : FieldList()
    }

    private static func ownCredentials(in request: PreparedRequest) -> FieldList {
        request.fields.filter("proxy-authorization", isKept: true)
    }

    /// The key under which TLS sessions with the server are resumed.
    ///
    /// Otherwise, a server could link a client behind a proxy to the same client without it, or under another user name.
    var sessionOrigin: String {
        let origin = request.target.certifiedOrigin
        guard let proxy = profile.proxy else { return origin }
        return "\(origin) through \(proxy.kind) \(proxy.location) \(proxy.user ?? "")"
    }

    // MARK: Failures

    /// Whether the proxy wants other credentials (RFC 9110 §15.5.8) instead of passing the request on.
    var isRefusedByProxy: Bool { statusCode == 407 && isForProxy }

    /// The failure of a request that the proxy did not forward.
    var failureOfRefusedRequest: ExchangeFailure {
        var failure = ExchangeFailure(.proxy)
        if let head, let proxy = profile.proxy {
            let raw = RawHead(bytes: head.bytes)
            failure.head = .raw(raw)
            let answer = ProxyFailure(proxy, statusCode: StatusCode(rawValue: statusCode), headers: raw.fields)
            failure.proxy = answer
            failure.reason = answer.reason
        }
        failure.bytesReceived = bytesReceived
        // Without a tunnel, the code does not imply that nothing was sent.
        failure.isSafeToRetry = false
        return failure
    }

    /// Returns the failure of a lookup, either of the proxy's name or of the server's.
    func lookupFailure(_ failure: LookupFailure, isForProxy: Bool) -> ExchangeFailure {
        guard isForProxy, failure.kind != .outOfResources else { return completed(ExchangeFailure(failure)) }
        return proxyFailure("could not resolve the proxy's name: \(failure.text)")
    }

    /// Returns the failure of a socket.
    func socketFailure(_ failure: OpenFailure) -> ExchangeFailure {
        guard profile.proxy != nil, failure.kind == .cannotConnect else {
            return completed(ExchangeFailure(failure))
        }
        return proxyFailure("failed to connect to the proxy: \(failure.text)")
    }

    /// Returns the failure of a handshake with the proxy itself.
    func proxyHandshakeFailure(_ failure: ChannelFailure) -> ExchangeFailure {
        var reason = TLSFailure(failure, host: "")
        reason.isProxy = true
        reason.host = nil
        var result = proxyFailure(Self.text(failure, "the handshake"))
        if result.code == .proxy { result.tell(of: reason) }
        return result
    }

    /// Returns the failure of a proxy that did not open the tunnel.
    func tunnelFailure(_ failure: TunnelFailure) -> ExchangeFailure {
        switch failure {
        case .refused(let statusCode, let head):
            return proxyFailure(nil) {
                ProxyFailure($0, statusCode: StatusCode(rawValue: statusCode), headers: RawHead(bytes: head).fields)
            }
        case .socks(let refusal): return proxyFailure(nil) { ProxyFailure($0, socksReply: refusal.rawValue) }
        case .closed: return proxyFailure("the proxy closed the connection")
        case .malformed(.headTooLarge): return proxyFailure("the proxy's response is too large")
        case .malformed: return proxyFailure("the proxy's response is not HTTP/1.1")
        }
    }

    /// Returns the failure of a connection that broke before the tunnel was open.
    func brokenTunnelFailure(_ failure: ChannelFailure) -> ExchangeFailure {
        // With TLS 1.3, a proxy that requires a client certificate refuses the connection only here.
        if case .tls(let report) = failure, report.isAboutOurCertificate {
            return proxyHandshakeFailure(failure)
        }
        return proxyFailure(Self.text(failure, "the connection"))
    }

    private func proxyFailure(
        _ text: String?,
        _ answer: (ProxyServer) -> ProxyFailure = { ProxyFailure($0) }
    ) -> ExchangeFailure {
        var failure = completed(ExchangeFailure(.proxy, underlyingDescription: text))
        guard failure.code == .proxy, let proxy = profile.proxy else { return failure }
        let answer = answer(proxy)
        failure.proxy = answer
        failure.reason = answer.reason
        return failure
    }

    private static func text(_ failure: ChannelFailure, _ what: String) -> String {
        switch failure {
        case .tls(let report): report.text.isEmpty ? "TLS failed" : report.text
        case .system(let number): OpenFailure(code: number, what: what).text
        case .cutOff: "the proxy closed the connection"
        }
    }
}
#endif
