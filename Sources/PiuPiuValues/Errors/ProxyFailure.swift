/// The known details of a proxy's failure: a part of a ``TransportError`` with the code `proxy`.
public struct ProxyFailure: Sendable, Hashable {
    /// The protocol of the proxy.
    public let kind: ProxyServer.Kind
    /// The proxy's host name or address, without brackets.
    public let host: String
    /// The proxy's port.
    public let port: Int
    /// The status code with which an HTTP proxy refused a tunnel (RFC 9110 §9.3.6), or 407 (RFC 9110 §15.5.8) for any request;
    /// `nil` if it did neither.
    public let statusCode: StatusCode?
    /// The header fields of that response, without secrets; empty if there was none.
    public let headers: HTTPHeaderFields
    /// The reason of a SOCKS proxy's refusal, such as `the server refused the connection`; `nil` if it gave none.
    public let socksReply: String?

    package init(
        _ proxy: ProxyServer,
        statusCode: StatusCode? = nil,
        headers: HTTPHeaderFields = [:],
        socksReply: String? = nil
    ) {
        kind = proxy.kind
        host = proxy.host
        port = proxy.port
        self.statusCode = statusCode
        // The response may repeat the credentials that the proxy refused.
        let secrets = SecretFinder([proxy.user, proxy.password].compactMap { $0.map { Array($0.utf8) } })
        self.headers = Redaction.standard.fields(headers, hiding: secrets) ?? headers
        self.socksReply = socksReply
    }
}

extension ProxyFailure: Redacted {
    /// The proxy's host and port, and its response, without header fields.
    package var shown: KeyValuePairs<String, Any> {
        [
            "kind": "\(kind)", "host": host, "port": port,
            "statusCode": statusCode.map { "\($0.rawValue)" } ?? "none", "socksReply": socksReply ?? "none",
        ]
    }
}

#if os(Linux)
extension ProxyFailure {
    /// The failure as a sentence, which names the proxy's host and port.
    package var reason: String {
        let name = (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
        if let statusCode {
            return statusCode == .proxyAuthenticationRequired
                ? "The proxy \(name) wants other credentials (407)"
                : "The proxy \(name) refused to open a tunnel (\(statusCode.rawValue))"
        }
        return socksReply.map { "The proxy \(name) refused: \($0)" } ?? "The proxy \(name) could not be used"
    }
}
#endif
