#if os(Linux)
import CurlShim

/// What a ``RequestGuard`` refuses before a name is resolved.
extension ConnectionPlan {
    /// The options that lead a connection elsewhere than to an address of its host.
    ///
    /// A proxy resolves names itself. Every other way to an address passes ``CurlHandle/isAllowed(_:for:)``.
    private static let detours: Set<UInt32> = Set(
        [PP_CURLOPT_PROXY, PP_CURLOPT_PRE_PROXY, PP_CURLOPT_UNIX_SOCKET_PATH, PP_CURLOPT_ABSTRACT_UNIX_SOCKET]
            .map(\.rawValue)
    )

    /// Whether the environment may name a proxy that must not be used.
    var isGuardedFromEnvironment: Bool { configuration.requestGuard != nil && configuration.proxy == .environment }

    /// Checks a request.
    ///
    /// - Throws: ``TransportError`` with the code `forbiddenAddress`.
    func checkGuard(_ target: RequestTarget, _ request: TransportRequest) throws {
        guard let reason = configuration.requestGuard?.refusal(of: target) else { return }
        let code = TransportError.Code.forbiddenAddress
        throw TransportError(
            code,
            reason: "\(code.text): \(reason)",
            request: request.urlRequest,
            sensitiveHeaders: request.options.sensitiveHeaders
        )
    }

    /// Checks the way of a connection.
    ///
    /// Proxies of the environment need no check, because a plan with a guard does not use them.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` if it leads through a proxy or into a Unix socket.
    func checkGuard(_ options: [CurlOption], _ key: Key) throws {
        guard configuration.requestGuard != nil else { return }
        let detour = options.first { Self.detours.contains($0.code) && $0.value != .text("") }
        // Every other source of proxies is one that the program names.
        let hasProxy = key.proxy != nil || ![.environment, .none].contains(configuration.proxy)
        guard !hasProxy, detour == nil else {
            let name = detour?.name ?? "a proxy"
            let reason = "A request guard cannot check the addresses behind \(name)"
            throw TransportError(.unsupported, reason: reason)
        }
    }
}

extension CurlHandle {
    /// Returns whether a connection to an address may be opened for an exchange, and records why not.
    ///
    /// libcurl calls for every address of a host that it tries, also for the UDP sockets of HTTP/3, and goes on with the
    /// next address if one is refused.
    ///
    /// - Parameters:
    ///   - address: The address, as it is about to be used.
    ///   - exchange: The exchange.
    /// - Returns: `false` if the guard forbids the address.
    func isAllowed(_ address: UnsafePointer<PPSocketAddress>, for exchange: CurlExchange) -> Bool {
        guard let requestGuard = settings.requestGuard else { return true }
        guard let reason = requestGuard.refusal(of: address) else { return true }
        exchange.forbiddenAddress = reason
        return false
    }
}

extension RequestGuard {
    /// Returns why a socket address is refused; `nil` if the connection may be opened.
    func refusal(of address: UnsafePointer<PPSocketAddress>) -> String? {
        let offset = MemoryLayout<PPSocketAddress>.offset(of: \.addr) ?? MemoryLayout<PPSocketAddress>.size
        let count = Int(min(address.pointee.addrlen, 128))
        let bytes = UnsafeRawBufferPointer(start: UnsafeRawPointer(address) + offset, count: count)
        return refusal(ofSocketAddress: bytes)
    }

    /// Returns why the bytes of a `sockaddr` are refused; `nil` if the connection may be opened.
    func refusal(ofSocketAddress bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count >= 8 else { return "it is not an IP address" }
        let part: Range<Int>
        switch (Int32(bytes.loadUnaligned(as: sa_family_t.self)), bytes.count) {
        case (AF_INET, 8...): part = 4..<8
        case (AF_INET6, 24...): part = 8..<24
        default: return "it is not an IP address"
        }
        guard let address = IPAddress(bytes: bytes[part]) else { return "it is not an IP address" }
        // A route or an alternative service can lead to another port than the URL's.
        return refusal(of: address) ?? refusal(ofPort: Int(bytes[2]) << 8 | Int(bytes[3]))
    }
}
#endif
