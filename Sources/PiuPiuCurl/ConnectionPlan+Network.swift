#if os(Linux)
import CurlShim
import Glibc
import PiuPiuAsync

// The network settings, which are the same for all requests.
extension ConnectionPlan {
    /// Returns libcurl's options for `NetworkConfiguration`.
    ///
    /// - Parameter isSocket: Whether the connections lead to a Unix socket, which has neither names nor TCP.
    /// - Returns: The options.
    /// - Throws: ``NetworkRefusal`` for a setting that this system cannot apply.
    func networkOptions(isSocket: Bool) throws(NetworkRefusal) -> [CurlOption] {
        let shared = lifeOptions + haproxyOptions
        let onlyIP = try nameOptions() + addressOptions + tcpOptions()
        return isSocket ? shared : shared + onlyIP
    }

    /// Returns the overrides for the hosts of requests with a key, in which each exchange looks its host up; none if the
    /// connections lead to a host other than that of the URL.
    func overridesOfTargets(for key: Key) -> AddressOverrides {
        let isElsewhere = key.route.flatMap { configuration.routes[origin: $0] } != nil
        let looksUpTargets = key.proxy.map(\.needsAddresses) ?? true
        return isElsewhere || !looksUpTargets ? AddressOverrides() : overrides
    }

    /// The options that are set on each socket.
    var socketOptions: [SocketOption] {
        guard let milliseconds = network.userTimeoutMilliseconds else { return [] }
        let name = CheckedNetwork.userTimeoutName
        return [
            SocketOption(level: Int32(IPPROTO_TCP), option: TCP_USER_TIMEOUT, value: Int32(milliseconds), name: name)
        ]
    }

    private var lifeOptions: [CurlOption] {
        let idle = "the time that a connection may be idle"
        var options = [CurlOption(PP_CURLOPT_MAXAGE_CONN, .long(network.idleSeconds), idle)]
        if let age = network.ageSeconds {
            options.append(CurlOption(PP_CURLOPT_MAXLIFETIME_CONN, .long(age), "the age of a connection"))
        }
        return options
    }

    private var haproxyOptions: [CurlOption] {
        guard configuration.network.haproxyHeader != nil else { return [] }
        let options = [CurlOption(PP_CURLOPT_HAPROXYPROTOCOL, .long(1), "the PROXY protocol")]
        guard let client = network.haproxyClient else { return options }
        return options + [CurlOption(PP_CURLOPT_HAPROXY_CLIENT_IP, .text(client), "the client of the PROXY protocol")]
    }

    private func nameOptions() throws(NetworkRefusal) -> [CurlOption] {
        var options: [CurlOption] = []
        if !overrides.isEmpty {
            options.append(CurlOption(PP_CURLOPT_RESOLVE, .lines(overrides.lines), "address overrides"))
        }
        if let server = configuration.network.dnsOverHTTPS {
            let name = "DNS over HTTPS"
            guard library.looksUpOverHTTPS else { throw NetworkRefusal("DNS over HTTPS needs libcurl 8.14") }
            guard let target = try? RequestTarget(server), target.isSecure, target.userInformation == nil else {
                throw NetworkRefusal("the server for DNS over HTTPS has a URL with the scheme https and without user")
            }
            // libcurl's handles for lookups have no proxy options.
            let mayUseEnvironment = configuration.proxy == .environment && !isGuardedFromEnvironment
            guard mayUseEnvironment || !environment.hasProxy(for: target) else {
                throw NetworkRefusal("lookups over https would go through the proxy that the environment names")
            }
            options.append(CurlOption(PP_CURLOPT_DOH_URL, .text(target.url), name))
            options.append(CurlOption(PP_CURLOPT_DOH_SSL_VERIFYPEER, .long(1), name))
            options.append(CurlOption(PP_CURLOPT_DOH_SSL_VERIFYHOST, .long(2), name))
        }
        if let seconds = network.cacheSeconds {
            let name = "the lifetime of cached addresses"
            options.append(CurlOption(PP_CURLOPT_DNS_CACHE_TIMEOUT, .long(seconds), name))
        }
        return options
    }

    private var addressOptions: [CurlOption] {
        let ipVersion = configuration.network.ipVersion
        var options: [CurlOption] = []
        if ipVersion != .any {
            options.append(CurlOption(PP_CURLOPT_IPRESOLVE, .long(ipVersion == .v4 ? 1 : 2), "the IP version"))
        }
        if let delay = network.eyeballsMilliseconds {
            options.append(
                CurlOption(PP_CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, .long(delay), "the head start of IPv6")
            )
        }
        if let end = network.localEnd {
            // The prefixes keep libcurl from guessing the kind of the text.
            let text =
                switch end {
                case .address(let address): "host!\(address)"
                case .interface(let name): "if!\(name)"
                }
            options.append(CurlOption(PP_CURLOPT_INTERFACE, .text(text), "the local end"))
        }
        if let ports = network.localPorts {
            options.append(CurlOption(PP_CURLOPT_LOCALPORT, .long(ports.lowerBound), "the local ports"))
            options.append(CurlOption(PP_CURLOPT_LOCALPORTRANGE, .long(ports.count), "the local ports"))
        }
        return options
    }

    private func tcpOptions() throws(NetworkRefusal) -> [CurlOption] {
        var options: [CurlOption] = []
        if let probes = network.probes {
            options.append(CurlOption(PP_CURLOPT_TCP_KEEPALIVE, .long(1), "TCP probes"))
            options.append(CurlOption(PP_CURLOPT_TCP_KEEPIDLE, .long(probes.idle), "TCP probes"))
            options.append(CurlOption(PP_CURLOPT_TCP_KEEPINTVL, .long(probes.interval), "TCP probes"))
            if let count = probes.count {
                options.append(CurlOption(PP_CURLOPT_TCP_KEEPCNT, .long(count), "the number of TCP probes"))
            }
        }
        if configuration.network.usesFastOpen {
            guard library.opensFast else { throw NetworkRefusal("TCP Fast Open needs libcurl 7.88") }
            guard Self.kernelAllowsFastOpen else {
                throw NetworkRefusal("the kernel does not allow TCP Fast Open for clients")
            }
            options.append(CurlOption(PP_CURLOPT_TCP_FASTOPEN, .long(1), "TCP Fast Open"))
        }
        return options
    }

    /// Whether the kernel lets clients use TCP Fast Open: the lowest bit of the setting.
    static var kernelAllowsFastOpen: Bool {
        let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/tcp_fastopen", encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }.map { $0 & 1 == 1 } ?? false
    }
}
#endif
