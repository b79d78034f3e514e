#if os(Linux)
import CurlShim
import PiuPiuAsync

/// The libcurl options that a ``RequestGuard`` refuses.
extension ConnectionPlan {
    /// The options that lead a connection elsewhere than to an address of its host.
    ///
    /// A proxy resolves names itself. Every other route to an address passes ``CurlHandle/isAllowed(_:for:)``.
    private static let detours: Set<UInt32> = Set(
        [PP_CURLOPT_PROXY, PP_CURLOPT_PRE_PROXY, PP_CURLOPT_UNIX_SOCKET_PATH, PP_CURLOPT_ABSTRACT_UNIX_SOCKET]
            .map(\.rawValue)
    )

    /// Checks the options that determine a connection's route.
    ///
    /// - Throws: `TransportError` with the code `unsupported` if it leads through a proxy or into a Unix socket.
    func checkGuard(_ options: [CurlOption], _ key: Key) throws {
        guard configuration.requestGuard != nil else { return }
        let detour = options.first { Self.detours.contains($0.code) && $0.value != .text("") }
        try checkGuard(detour: detour?.name, usesProxy: key.proxy != nil)
    }
}

extension CurlHandle {
    /// Returns whether a connection to an address may be opened for an exchange, and records why not.
    ///
    /// libcurl calls this for every address of a host that it tries, including for the UDP sockets of HTTP/3. If an address is
    /// refused, it continues with the next one.
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
}
#endif
