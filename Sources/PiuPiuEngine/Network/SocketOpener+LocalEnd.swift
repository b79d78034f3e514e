#if os(Linux)
import Glibc

/// The local end of sockets: addresses, interfaces and ports.
extension SocketOpener {
    /// Binds a socket to the local end in its options, if any.
    ///
    /// If the system allows it, the socket is bound to the interface itself, otherwise to one of the interface's addresses. In
    /// that case only the address is certain: the system may still send through another interface.
    ///
    /// - Parameters:
    ///   - descriptor: The socket.
    ///   - address: The address to connect to next.
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
            // Lets the system use a port for several destinations. Without it, there are only fewer connections.
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
        // The length includes the terminating NUL.
        let length = socklen_t(name.utf8.count + 1)
        return name.withCString { setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, $0, length) } == 0
    }

    private static func bind(_ descriptor: Int32, to local: SocketAddress) throws(OpenFailure) {
        let code = bindOnce(descriptor, local)
        guard code == 0 else { throw OpenFailure(code: code, what: "bind to the local address \(local.hostText)") }
    }

    /// Tries each port once.
    ///
    /// It starts at a random port, because the first ports of the range would belong to the previous connections.
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
            // The system reserves the port for others.
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
    /// Returns the address as the local end of a connection.
    ///
    /// - Parameter address: The address to connect to.
    /// - Returns: The address; a link-local one without a zone gets the zone of the other address.
    /// - Throws: ``OpenFailure`` if the addresses have different versions of IP.
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
