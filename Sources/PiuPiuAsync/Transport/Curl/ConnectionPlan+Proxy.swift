#if os(Linux)
extension ConnectionPlan {
    static func proxyDependsOnURL(_ configuration: TransportConfiguration) -> Bool { false }

    /// Returns the proxy for a request; `nil` for none.
    func proxy(for target: RequestTarget, _ request: TransportRequest) throws -> ProxyServer? { nil }

    /// Returns libcurl's options for the proxy of a key.
    func proxyOptions(for key: Key) throws -> [CurlOption] { [] }
}
#endif
