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
