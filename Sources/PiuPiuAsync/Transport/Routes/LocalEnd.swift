/// The local end of connections: an address or an interface of this machine.
public struct LocalEnd: Sendable, Hashable {
    package enum Kind: Hashable, Sendable {
        case address(String)
        case interface(String)
    }

    let kind: Kind

    /// An address of this machine.
    ///
    /// - Parameter literal: An IPv4 or IPv6 address, never a name.
    /// - Returns: The local end. A transport refuses anything but an address with ``TransportError/Code/unsupported``;
    ///   connections from an address that this machine does not have fail with ``TransportError/Code/cannotConnect``.
    public static func address(_ literal: String) -> LocalEnd { LocalEnd(kind: .address(literal)) }

    /// A network interface.
    ///
    /// - Parameter name: The interface's name, such as `eth1`: 1 to 15 letters, digits and `.`, `_`, `-`, `:` or `@`.
    /// - Returns: The local end. A transport refuses another name with ``TransportError/Code/unsupported``; connections
    ///   through an interface that does not exist fail with ``TransportError/Code/cannotConnect``.
    public static func interface(_ name: String) -> LocalEnd { LocalEnd(kind: .interface(name)) }
}
