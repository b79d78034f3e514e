#if os(Linux)
extension ProxyServer {
    /// The lines that the proxy gets for a request.
    ///
    /// A `Proxy-Authorization` of the request takes precedence.
    package func lines(for request: PreparedRequest, isTunnelled: Bool) -> [UInt8] {
        guard isHTTP else { return [] }
        let credentials = request.hasProxyAuthorization ? [] : authorization
        return isTunnelled ? connectLines + credentials + request.proxyHeaderLines : credentials
    }
}
#endif
