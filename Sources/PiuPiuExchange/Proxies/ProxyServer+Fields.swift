#if os(Linux)
extension ProxyServer {
    /// Returns the fields that the proxy gets for a request.
    ///
    /// A `Proxy-Authorization` of the request takes precedence.
    package func fields(for request: PreparedRequest, isTunnelled: Bool) -> FieldList {
        guard isHTTP else { return FieldList() }
        let credentials = request.hasProxyAuthorization ? FieldList() : authorization
        return isTunnelled ? connectFields + credentials + request.proxyFields : credentials
    }
}
#endif
