#if os(Linux)
/// What a ``RequestGuard`` refuses before a name is resolved.
extension ProfilePlan {
    /// Whether the environment may name a proxy that must not be used.
    package var isGuardedFromEnvironment: Bool {
        configuration.requestGuard != nil && configuration.proxy == .environment
    }

    /// Checks a request.
    ///
    /// - Throws: ``TransportError`` with the code `forbiddenAddress`.
    package func checkGuard(_ target: RequestTarget, _ request: TransportRequest) throws {
        guard let reason = configuration.requestGuard?.refusal(of: target) else { return }
        let code = TransportError.Code.forbiddenAddress
        throw request.error(code, reason: "\(code.text): \(reason)")
    }

    /// Checks the way of a connection.
    ///
    /// Proxies of the environment need no check, because a plan with a guard does not use them.
    ///
    /// - Parameters:
    ///   - detour: What leads the connection elsewhere than to an address of its host; `nil` for nothing.
    ///   - usesProxy: Whether it leads through a proxy.
    /// - Throws: ``TransportError`` with the code `unsupported` if it leads through a proxy or into a Unix socket.
    package func checkGuard(detour: String?, usesProxy: Bool = false) throws {
        guard configuration.requestGuard != nil else { return }
        // Every other source of proxies is one that the program names.
        let hasProxy = usesProxy || ![.environment, .none].contains(configuration.proxy)
        guard !hasProxy, detour == nil else {
            let reason = "A request guard cannot check the addresses behind \(detour ?? "a proxy")"
            throw TransportError(.unsupported, reason: reason)
        }
    }
}
#endif
