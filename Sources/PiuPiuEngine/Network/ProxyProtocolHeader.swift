#if os(Linux)
/// The line with which a proxy describes its client to a server: version 1 of HAProxy's PROXY protocol.
package struct ProxyProtocolHeader: Sendable, Hashable {
    /// The client's address, whose port does not matter; `nil` for the connection's own.
    package var client: SocketAddress?

    /// Creates a header with the client's address, or `nil` for the connection's own.
    package init(client: SocketAddress? = nil) {
        self.client = client
    }

    /// Returns the line for a connection.
    ///
    /// The client's address replaces the local one; the ports are those of the connection, as in libcurl. If one address is
    /// IPv4 and the other IPv6, the former is mapped into IPv6, because servers close a connection whose line contains
    /// addresses of another version than it announces.
    ///
    /// - Parameters:
    ///   - local: The connection's local end.
    ///   - remote: The connection's remote end.
    /// - Returns: The bytes to send first; they describe an unknown origin unless both ends are IP addresses.
    package func bytes(local: SocketAddress?, remote: SocketAddress?) -> [UInt8] {
        guard let local, let remote, local.isIP, remote.isIP else { return Array("PROXY UNKNOWN\r\n".utf8) }
        var (source, destination) = (client ?? local, remote)
        if source.isIPv4 != destination.isIPv4 {
            (source, destination) = (source.mappedToIPv6, destination.mappedToIPv6)
        }
        let version = destination.isIPv4 ? "TCP4" : "TCP6"
        let addresses = "\(source.hostTextWithoutZone) \(destination.hostTextWithoutZone)"
        return Array("PROXY \(version) \(addresses) \(local.port) \(remote.port)\r\n".utf8)
    }
}
#endif
