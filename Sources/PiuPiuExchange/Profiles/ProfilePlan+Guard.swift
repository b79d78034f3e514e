#if os(Linux)
/// The checks of a ``RequestGuard`` before a name is resolved.
extension ProfilePlan {
    /// Whether the environment may name a proxy that must not be used.
    package var isGuardedFromEnvironment: Bool {
        configuration.requestGuard != nil && configuration.proxy == .environment
    }

    /// Checks a request; throws ``TransportError`` with the code `forbiddenAddress`.
    package func checkGuard(_ target: RequestTarget, _ request: TransportRequest) throws {
        guard let reason = configuration.requestGuard?.refusal(of: target) else { return }
        let code = TransportError.Code.forbiddenAddress
        throw request.error(code, reason: "\(code.text): \(reason)")
    }

    /// Checks the route of a connection.
    ///
    /// Proxies of the environment need no check, because a plan with a guard does not use them.
    ///
    /// - Parameters:
    ///   - detour: The destination's description for the error, if it is not an address of the host; otherwise `nil`.
    ///   - usesProxy: Whether the connection goes through a proxy.
    /// - Throws: ``TransportError`` with the code `unsupported` if it goes through a proxy or to a Unix socket.
    package func checkGuard(detour: String?, usesProxy: Bool = false) throws {
        guard configuration.requestGuard != nil else { return }
        // With every other source, the program configured the proxy itself.
        let hasProxy = usesProxy || ![.environment, .none].contains(configuration.proxy)
        guard !hasProxy, detour == nil else {
            let reason = "A request guard cannot check the addresses behind \(detour ?? "a proxy")"
            throw TransportError(.unsupported, reason: reason)
        }
    }
}
#endif
