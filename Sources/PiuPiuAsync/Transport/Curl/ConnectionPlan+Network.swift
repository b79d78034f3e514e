#if os(Linux)
import CurlShim
import Glibc

// The settings of the network, which are the same for all requests.
extension ConnectionPlan {
    /// Returns libcurl's options for ``NetworkConfiguration``.
    ///
    /// - Parameter isSocket: Whether the connections lead to a Unix socket, which has neither names nor TCP.
    /// - Returns: The options.
    /// - Throws: ``NetworkRefusal`` for a value that is not allowed or that this system cannot apply.
    func networkOptions(isSocket: Bool) throws(NetworkRefusal) -> [CurlOption] {
        let shared = try lifeOptions() + haproxyOptions()
        let onlyIP = try nameOptions() + addressOptions() + tcpOptions()
        return isSocket ? shared : shared + onlyIP
    }

    /// Returns the overrides for the hosts of requests with a key, which each exchange looks its host up in.
    ///
    /// - Parameter key: The key.
    /// - Returns: The overrides; none if the connections lead to another host than the one of the URL.
    func overridesOfTargets(for key: Key) -> AddressOverrides {
        let isElsewhere = key.route.flatMap { configuration.routes[origin: $0] } != nil
        let looksUpTargets = key.proxy.map(\.needsAddresses) ?? true
        return isElsewhere || !looksUpTargets ? AddressOverrides() : overrides
    }

    /// Returns the options that are set on each socket.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` for a value that is not allowed.
    func socketOptions() throws -> [SocketOption] {
        guard let timeout = configuration.network.userTimeout else { return [] }
        let name = "the TCP user timeout"
        let milliseconds = try Self.checked { () throws(NetworkRefusal) in
            try NetworkRefusal.units(timeout, of: .milliseconds(1), atLeast: 1, name)
        }
        return [
            SocketOption(level: Int32(IPPROTO_TCP), option: TCP_USER_TIMEOUT, value: Int32(milliseconds), name: name)
        ]
    }

    private func lifeOptions() throws(NetworkRefusal) -> [CurlOption] {
        let network = configuration.network
        var options: [CurlOption] = []
        let idle = "the time that a connection may be idle"
        options.append(
            CurlOption(PP_CURLOPT_MAXAGE_CONN, .long(try Self.seconds(network.maximumIdleTime, from: 1, idle)), idle)
        )
        if let age = network.maximumConnectionAge {
            let name = "the age of a connection"
            options.append(CurlOption(PP_CURLOPT_MAXLIFETIME_CONN, .long(try Self.seconds(age, from: 1, name)), name))
        }
        return options
    }

    private func haproxyOptions() throws(NetworkRefusal) -> [CurlOption] {
        guard let header = configuration.network.haproxyHeader else { return [] }
        let options = [CurlOption(PP_CURLOPT_HAPROXYPROTOCOL, .long(1), "the PROXY protocol")]
        guard let client = header.clientAddress else { return options }
        guard let address = NetworkRefusal.address(client) else {
            throw NetworkRefusal("the client of the PROXY protocol is an IP address")
        }
        return options + [CurlOption(PP_CURLOPT_HAPROXY_CLIENT_IP, .text(address), "the client of the PROXY protocol")]
    }

    private func nameOptions() throws(NetworkRefusal) -> [CurlOption] {
        let network = configuration.network
        var options: [CurlOption] = []
        if !overrides.isEmpty {
            options.append(CurlOption(PP_CURLOPT_RESOLVE, .lines(overrides.lines), "address overrides"))
        }
        if let server = network.dnsOverHTTPS {
            let name = "DNS over HTTPS"
            guard library.looksUpOverHTTPS else { throw NetworkRefusal("DNS over HTTPS needs libcurl 8.14") }
            guard let target = try? RequestTarget(server), target.isSecure, target.userInformation == nil else {
                throw NetworkRefusal("the server for DNS over HTTPS has a URL with the scheme https and without user")
            }
            // libcurl's handles for lookups have no options for proxies.
            let mayUseEnvironment = configuration.proxy == .environment && !isGuardedFromEnvironment
            guard mayUseEnvironment || !environment.hasProxy(for: target) else {
                throw NetworkRefusal("lookups over https would go through the proxy that the environment names")
            }
            options.append(CurlOption(PP_CURLOPT_DOH_URL, .text(target.url), name))
            options.append(CurlOption(PP_CURLOPT_DOH_SSL_VERIFYPEER, .long(1), name))
            options.append(CurlOption(PP_CURLOPT_DOH_SSL_VERIFYHOST, .long(2), name))
        }
        if let time = network.dnsCacheTime {
            let name = "the time for which addresses are remembered"
            options.append(CurlOption(PP_CURLOPT_DNS_CACHE_TIMEOUT, .long(try Self.seconds(time, from: 0, name)), name))
        }
        return options
    }

    private func addressOptions() throws(NetworkRefusal) -> [CurlOption] {
        let network = configuration.network
        var options: [CurlOption] = []
        if network.ipVersion != .any {
            options.append(CurlOption(PP_CURLOPT_IPRESOLVE, .long(network.ipVersion == .v4 ? 1 : 2), "the IP version"))
        }
        if let delay = network.happyEyeballsDelay {
            let name = "the head start of IPv6"
            let milliseconds = try NetworkRefusal.units(delay, of: .milliseconds(1), atLeast: 0, name)
            options.append(CurlOption(PP_CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, .long(milliseconds), name))
        }
        if let end = network.localEnd {
            // The prefixes keep libcurl from guessing what it is.
            let text: String
            switch end.kind {
            case .address(let literal):
                guard let address = NetworkRefusal.address(literal) else {
                    throw NetworkRefusal("the local address is an IP address")
                }
                text = "host!\(address)"
            case .interface(let name):
                try NetworkRefusal.checkInterface(name)
                text = "if!\(name)"
            }
            options.append(CurlOption(PP_CURLOPT_INTERFACE, .text(text), "the local end"))
        }
        if let ports = network.localPorts {
            try NetworkRefusal.checkPort(ports.lowerBound)
            try NetworkRefusal.checkPort(ports.upperBound)
            options.append(CurlOption(PP_CURLOPT_LOCALPORT, .long(ports.lowerBound), "the local ports"))
            options.append(CurlOption(PP_CURLOPT_LOCALPORTRANGE, .long(ports.count), "the local ports"))
        }
        return options
    }

    private func tcpOptions() throws(NetworkRefusal) -> [CurlOption] {
        let network = configuration.network
        var options: [CurlOption] = []
        if let probes = network.keepAlive {
            let idle = try Self.seconds(probes.idle, from: 1, "the idle time before a TCP probe")
            let interval = try Self.seconds(probes.interval, from: 1, "the interval of TCP probes")
            // libcurl would ignore that Linux refuses more (MAX_TCP_KEEPIDLE and MAX_TCP_KEEPINTVL).
            guard max(idle, interval) <= 32767 else { throw NetworkRefusal("TCP probes are at most 32767 s apart") }
            options.append(CurlOption(PP_CURLOPT_TCP_KEEPALIVE, .long(1), "TCP probes"))
            options.append(CurlOption(PP_CURLOPT_TCP_KEEPIDLE, .long(idle), "TCP probes"))
            options.append(CurlOption(PP_CURLOPT_TCP_KEEPINTVL, .long(interval), "TCP probes"))
            if let count = probes.count {
                guard (1...127).contains(count) else { throw NetworkRefusal("there are 1 to 127 TCP probes") }
                options.append(CurlOption(PP_CURLOPT_TCP_KEEPCNT, .long(count), "the number of TCP probes"))
            }
        }
        if network.usesFastOpen {
            guard library.opensFast else { throw NetworkRefusal("TCP Fast Open needs libcurl 7.88") }
            guard Self.kernelAllowsFastOpen else { throw NetworkRefusal("the kernel has no TCP Fast Open for clients") }
            options.append(CurlOption(PP_CURLOPT_TCP_FASTOPEN, .long(1), "TCP Fast Open"))
        }
        return options
    }

    /// Whether the kernel lets clients use TCP Fast Open: the lowest bit of the setting.
    static var kernelAllowsFastOpen: Bool {
        let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/tcp_fastopen", encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }.map { $0 & 1 == 1 } ?? false
    }

    private static func seconds(_ time: Duration, from minimum: Int, _ name: String) throws(NetworkRefusal) -> Int {
        try NetworkRefusal.units(time, of: .seconds(1), atLeast: minimum, name)
    }
}
#endif
