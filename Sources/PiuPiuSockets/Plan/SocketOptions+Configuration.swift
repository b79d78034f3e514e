#if os(Linux)
import PiuPiuEngine

extension SocketOptions {
    /// Creates the options that a configuration requires.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` for an address that the system cannot read.
    init(_ network: CheckedNetwork) throws(TransportError) {
        self.init()
        switch network.localEnd {
        case nil: break
        case .address(let literal): localEnd = .address(try SocketAddress(checked: literal))
        case .interface(let name): localEnd = .interface(name)
        }
        localPorts = network.localPorts.map { UInt16(clamping: $0.lowerBound)...UInt16(clamping: $0.upperBound) }
        keepAlive = network.probes.map { probes in
            KeepAlive(
                idle: Int32(clamping: probes.idle),
                interval: Int32(clamping: probes.interval),
                count: probes.count.map { Int32(clamping: $0) }
            )
        }
        userTimeout = network.userTimeoutMilliseconds.map { Int32(clamping: $0) }
    }
}

extension SocketAddress {
    /// Creates an address of the configuration, which has been checked.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` if the system reads the address differently: no setting is
    ///   ignored silently.
    init(checked literal: String) throws(TransportError) {
        guard let address = SocketAddress(literal: literal, port: 0) else {
            let reason = "The network configuration has an invalid address"
            throw TransportError(.unsupported, reason: reason)
        }
        self = address
    }
}

extension AddressFamily {
    /// Creates the versions of IP that a configuration selects.
    init(_ version: IPVersion) {
        self =
            switch version {
            case .any: .any
            case .v4: .v4
            case .v6: .v6
            }
    }
}
#endif
