#if os(Linux)
import Glibc

/// The local end of sockets: addresses, interfaces and ports.
extension SocketOpener {
    /// Binds a socket to the local end that its options name, if they do.
    ///
    /// A socket is bound to an interface itself if the system allows it, otherwise to one of the interface's addresses. Then
    /// only the address is certain: the system may still send through another interface.
    ///
    /// - Parameters:
    ///   - descriptor: The socket.
    ///   - address: The address that it is about to connect to.
    ///   - options: The options.
    /// - Throws: ``OpenFailure`` if there is no such local end, or no port is free.
    static func bind(
        _ descriptor: Int32,
        for address: SocketAddress,
        _ options: SocketOptions
    ) throws(OpenFailure) {
        var local = SocketAddress.unspecified(isIPv6: address.isIPv6, port: 0)
        switch options.localEnd {
        case nil:
            guard options.localPorts != nil else { return }
        case .address(let own):
            local = try own.withPort(0).asLocalEnd(for: address)
        case .interface(let name):
            if bind(descriptor, toInterface: name) {
                guard options.localPorts != nil else { return }
            } else {
                local = try LocalInterface.address(of: name, for: address)
            }
        }
        guard let ports = options.localPorts else {
            // Lets the system use a port for several destinations. Without it there are only fewer connections.
            var isOn = Int32(1)
            setsockopt(
                descriptor,
                Int32(IPPROTO_IP),
                bindAddressNoPort,
                &isOn,
                socklen_t(MemoryLayout<Int32>.size)
            )
            return try bind(descriptor, to: local)
        }
        try bind(descriptor, to: local, ports)
    }

    /// `IP_BIND_ADDRESS_NO_PORT`, which headers before glibc 2.23 lack.
    private static let bindAddressNoPort: Int32 = 24

    private static func bind(_ descriptor: Int32, toInterface name: String) -> Bool {
        // With the NUL at the end.
        let length = socklen_t(name.utf8.count + 1)
        return name.withCString { setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, $0, length) } == 0
    }

    private static func bind(_ descriptor: Int32, to local: SocketAddress) throws(OpenFailure) {
        let code = bindOnce(descriptor, local)
        guard code == 0 else { throw OpenFailure(code: code, what: "bind to the local address \(local.hostText)") }
    }

    /// Tries each port once.
    ///
    /// It begins anywhere, because the ports at the beginning would be those of the last connections.
    private static func bind(
        _ descriptor: Int32,
        to local: SocketAddress,
        _ ports: ClosedRange<UInt16>
    ) throws(OpenFailure) {
        let count = UInt32(ports.count)
        let start = UInt32.random(in: 0..<count)
        var code = EADDRINUSE
        for step in 0..<count {
            let port = UInt16(UInt32(ports.lowerBound) + (start + step) % count)
            let result = bindOnce(descriptor, local.withPort(port))
            switch result {
            case 0: return
            case EADDRINUSE: code = result
            // The system keeps the port for others.
            case EACCES: continue
            default: throw OpenFailure(code: result, what: "bind to \(local.withPort(port))")
            }
        }
        let range = "\(ports.lowerBound)-\(ports.upperBound)"
        throw OpenFailure(code: code, what: "bind to one of the local ports \(range)")
    }

    private static func bindOnce(_ descriptor: Int32, _ local: SocketAddress) -> Int32 {
        local.withSockAddr { Glibc.bind(descriptor, $0, $1) == 0 ? 0 : errno }
    }
}

extension SocketAddress {
    /// The address as the local end of a connection.
    ///
    /// - Parameter address: The address to connect to.
    /// - Returns: The address; a link-local one without a zone gets that of the other.
    /// - Throws: ``OpenFailure`` if both are not of the same version of IP.
    fileprivate func asLocalEnd(for address: SocketAddress) throws(OpenFailure) -> SocketAddress {
        guard family == address.family else {
            let what = "bind to the local address \(hostText) for a connection to \(address)"
            throw OpenFailure(.cannotConnect, code: EAFNOSUPPORT, what: what)
        }
        guard case .v6(let high, let low, 0, let port) = storage, high >> 54 == 0xFE80 >> 6,
            case .v6(_, _, let scope, _) = address.storage
        else { return self }
        return SocketAddress(.v6(high: high, low: low, scope: scope, port: port))
    }
}
#endif
