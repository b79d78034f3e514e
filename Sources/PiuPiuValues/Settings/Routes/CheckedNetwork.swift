/// The numbers and addresses of ``NetworkConfiguration``, checked and converted to whole units.
package struct CheckedNetwork: Sendable, Hashable {
    /// The probes on idle connections, in seconds.
    package struct Probes: Sendable, Hashable {
        package var idle: Int
        package var interval: Int
        package var count: Int?
    }

    /// How long a connection may stay idle before it can no longer be reused, in seconds.
    package let idleSeconds: Int
    /// The maximum age of a connection that can be reused, in seconds; `nil` for no limit.
    package let ageSeconds: Int?
    /// The client address for the PROXY protocol, without brackets; `nil` for none.
    package let haproxyClient: String?
    /// How long addresses are cached, in seconds; `nil` for the default.
    package let cacheSeconds: Int?
    /// The head start of IPv6, in milliseconds; `nil` for the default.
    package let eyeballsMilliseconds: Int?
    /// The local end: an address without brackets, or an interface; `nil` for any.
    package let localEnd: LocalEnd.Kind?
    /// The local ports; `nil` for any.
    package let localPorts: ClosedRange<Int>?
    /// Probes on idle connections; `nil` for none.
    package let probes: Probes?
    /// How long sent bytes may stay unacknowledged, in milliseconds; `nil` for the system's default.
    package let userTimeoutMilliseconds: Int?

    /// The setting's name in errors.
    package static let userTimeoutName = "the TCP user timeout"

    /// Checks settings; throws ``NetworkRefusal`` for an invalid value.
    package init(_ network: NetworkConfiguration) throws(NetworkRefusal) {
        func seconds(_ time: Duration?, from minimum: Int, _ name: String) throws(NetworkRefusal) -> Int? {
            guard let time else { return nil }
            return try NetworkRefusal.units(time, of: .seconds(1), atLeast: minimum, name)
        }
        func milliseconds(_ time: Duration?, from minimum: Int, _ name: String) throws(NetworkRefusal) -> Int? {
            guard let time else { return nil }
            return try NetworkRefusal.units(time, of: .milliseconds(1), atLeast: minimum, name)
        }
        let idleName = "the time that a connection may be idle"
        idleSeconds = try NetworkRefusal.units(network.maximumIdleTime, of: .seconds(1), atLeast: 1, idleName)
        ageSeconds = try seconds(network.maximumConnectionAge, from: 1, "the age of a connection")
        haproxyClient = try Self.client(network.haproxyHeader)
        cacheSeconds = try seconds(network.dnsCacheTime, from: 0, "the lifetime of cached addresses")
        eyeballsMilliseconds = try milliseconds(network.happyEyeballsDelay, from: 0, "the head start of IPv6")
        localEnd = try Self.localEnd(network.localEnd)
        localPorts = network.localPorts
        if let localPorts {
            try NetworkRefusal.checkPort(localPorts.lowerBound)
            try NetworkRefusal.checkPort(localPorts.upperBound)
        }
        probes = try Self.probes(network.keepAlive)
        userTimeoutMilliseconds = try milliseconds(network.userTimeout, from: 1, Self.userTimeoutName)
    }

    private static func client(_ header: HAProxyHeader?) throws(NetworkRefusal) -> String? {
        guard let client = header?.clientAddress else { return nil }
        guard let address = NetworkRefusal.address(client) else {
            throw NetworkRefusal("the client of the PROXY protocol is an IP address")
        }
        return address
    }

    private static func localEnd(_ end: LocalEnd?) throws(NetworkRefusal) -> LocalEnd.Kind? {
        switch end?.kind {
        case nil: return nil
        case .address(let literal):
            guard let address = NetworkRefusal.address(literal) else {
                throw NetworkRefusal("the local address is an IP address")
            }
            return .address(address)
        case .interface(let name):
            try NetworkRefusal.checkInterface(name)
            return .interface(name)
        }
    }

    private static func probes(_ settings: TCPKeepAlive?) throws(NetworkRefusal) -> Probes? {
        guard let settings else { return nil }
        func seconds(_ time: Duration, _ name: String) throws(NetworkRefusal) -> Int {
            try NetworkRefusal.units(time, of: .seconds(1), atLeast: 1, name)
        }
        let idle = try seconds(settings.idle, "the idle time before a TCP probe")
        let interval = try seconds(settings.interval, "the interval of TCP probes")
        // Linux refuses greater values (MAX_TCP_KEEPIDLE and MAX_TCP_KEEPINTVL).
        guard max(idle, interval) <= 32767 else { throw NetworkRefusal("TCP probes are at most 32767 s apart") }
        if let count = settings.count {
            guard (1...127).contains(count) else { throw NetworkRefusal("there are 1 to 127 TCP probes") }
        }
        return Probes(idle: idle, interval: interval, count: settings.count)
    }
}
