#if os(Linux)
import PiuPiuEngine

// Requests that go through a proxy.
extension SocketProfile {
    /// The server that a proxy connects to: the host in lower case, with an IPv6 address in brackets, and the port.
    private func server(of target: RequestTarget) -> (host: Substring, port: Int) {
        guard case .host(let name, let port) = route?.destination else { return (target.host, target.port) }
        return (Substring(name.hasPrefix("[") ? name.lowercased() : NetworkRefusal.bracketed(name.lowercased())), port)
    }

    /// Whether requests for a target go through a tunnel that an HTTP proxy opens.
    ///
    /// An `https` request needs one, and so does an `http` request whose route leads to another host or port than its URL. With
    /// `always`, all do.
    func tunnels(to target: RequestTarget, always: Bool = false) -> Bool {
        guard let proxy, proxy.isHTTP else { return false }
        if target.isSecure || always { return true }
        let server = server(of: target)
        return server.host != target.host || server.port != target.port
    }

    /// The IP versions to resolve a server's name to on behalf of the proxy; `nil` if none fits, because SOCKS 4 has no IPv6.
    var serverFamily: AddressFamily? {
        guard proxy?.kind == .socks4 else { return family }
        return family == .v6 ? nil : .v4
    }

    /// Returns the handshake that opens a tunnel.
    ///
    /// - Parameters:
    ///   - target: The target of a request that has this profile.
    ///   - fields: The fields for an HTTP proxy.
    ///   - address: The server's address, if this machine resolves it.
    ///   - always: Whether an HTTP proxy opens a tunnel, whatever the request.
    /// - Returns: The handshake; `nil` if there is no proxy, or if it receives the requests themselves.
    /// - Throws: An error if the SOCKS protocol cannot express the destination or the credentials.
    func tunnel(
        to target: RequestTarget,
        fields: @autoclosure () -> FieldList,
        address: SocketAddress?,
        always: Bool = false
    ) throws(SOCKSRefusal) -> TunnelHandshake? {
        guard let proxy else { return nil }
        let (host, port) = server(of: target)
        guard !proxy.isHTTP else {
            guard tunnels(to: target, always: always) else { return nil }
            let request = RequestWriter.connect(to: host, port: port, fields: fields())
            return TunnelHandshake(ConnectHandshake(request: request))
        }
        let isFour = proxy.kind == .socks4 || proxy.kind == .socks4a
        let destination: SOCKSHandshake.Destination
        if proxy.needsAddresses {
            guard let address else { throw .addressUnsupported }
            destination = .address(address)
        } else {
            destination = Self.destination(of: host, UInt16(clamping: port), isFour: isFour)
        }
        return TunnelHandshake(
            try SOCKSHandshake(isFour ? .four : .five, to: destination, user: proxy.user, password: proxy.password)
        )
    }

    /// Returns the form in which to send a host to a proxy that resolves names: an address if the host is one.
    private static func destination(
        of host: Substring,
        _ port: UInt16,
        isFour: Bool
    ) -> SOCKSHandshake.Destination {
        let name = host.hasPrefix("[") ? host.dropFirst().dropLast() : host
        guard let address = SocketAddress(literal: name, port: port) else { return .name(String(name), port: port) }
        // SOCKS 4a has no IPv6, and it reserves 0.0.0.x for requests with a name.
        let isTold = !isFour || address.isIPv4 && !address.hostText.hasPrefix("0.0.0.")
        return isTold ? .address(address) : .name(String(name), port: port)
    }
}
#endif
