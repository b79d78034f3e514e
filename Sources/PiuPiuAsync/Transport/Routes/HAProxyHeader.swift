/// The header by which a proxy tells a server about its client: version 1 of HAProxy's PROXY protocol.
///
/// It is the first line of each connection, before TLS. A server that does not expect it answers with an error.
public struct HAProxyHeader: Sendable, Hashable {
    /// The client's address, IPv4 or IPv6; `nil` for the connection's own.
    ///
    /// It must be of the version of IP that connections use (``NetworkConfiguration/ipVersion``): that version stands beside
    /// it, and servers close a connection whose header does not fit together.
    public var clientAddress: String?

    /// Creates a header.
    ///
    /// - Parameter clientAddress: The client's address; `nil` for the connection's own.
    public init(clientAddress: String? = nil) {
        self.clientAddress = clientAddress
    }
}
