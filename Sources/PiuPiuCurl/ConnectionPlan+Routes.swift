#if os(Linux)
import CurlShim
import PiuPiuAsync

extension ConnectionPlan {
    /// Returns libcurl's options for the route of a key.
    func routeOptions(for key: Key) throws -> [CurlOption] {
        try Self.checked { () throws(NetworkRefusal) in
            try configuration.routes.check()
            let route = route(of: key.route)
            let network = try networkOptions(isSocket: route?.isSocket ?? false)
            guard let route else { return network }
            return try network + options(of: route)
        }
    }

    private func options(of route: Route) throws(NetworkRefusal) -> [CurlOption] {
        switch route.destination {
        case .unixSocket(let path):
            try NetworkRefusal.checkSocket(path)
            return [CurlOption(PP_CURLOPT_UNIX_SOCKET_PATH, .text(path), "a Unix socket")] + Self.withoutProxy
        case .abstractSocket(let name):
            try NetworkRefusal.checkSocket(name)
            return [CurlOption(PP_CURLOPT_ABSTRACT_UNIX_SOCKET, .text(name), "an abstract Unix socket")]
                + Self.withoutProxy
        case .host(let name, let port):
            try NetworkRefusal.checkPort(port)
            // The profile has no other origin, so the line applies to all hosts and ports.
            let host = try NetworkRefusal.host(name)
            let usual = overrides.otherSpelling(of: Substring(host.lowercased()), port: port)
            let line = "::\(usual ?? host):\(port)"
            return [CurlOption(PP_CURLOPT_CONNECT_TO, .lines([line]), "the host to connect to")]
        }
    }

    private static var withoutProxy: [CurlOption] {
        [
            CurlOption(PP_CURLOPT_PROXY, .text(""), "the absence of a proxy"),
            CurlOption(PP_CURLOPT_PRE_PROXY, .text(""), "the absence of a proxy"),
        ]
    }
}

extension CurlHandle.Settings {
    /// Whether the connections lead to a Unix socket.
    var usesUnixSocket: Bool {
        usesAbstractSocket || options.contains { $0.code == PP_CURLOPT_UNIX_SOCKET_PATH.rawValue }
    }

    /// Whether requests for a target go through a tunnel that an HTTP proxy opens.
    ///
    /// libcurl asks for one for `https`, and also for `http` if it connects to a host or port other than the URL's.
    func tunnels(to target: RequestTarget) -> Bool {
        guard proxy?.isHTTP == true else { return false }
        if target.isSecure { return true }
        // A trailing dot makes no difference to libcurl.
        let host = target.host.hasSuffix(".") ? target.host.dropLast() : target.host
        if let spelling = overrides.otherSpelling(of: target), spelling != host { return true }
        for option in options where option.code == PP_CURLOPT_CONNECT_TO.rawValue {
            guard case .lines(let lines) = option.value else { continue }
            return lines.contains { $0.lowercased() != "::\(target.host):\(target.port)" }
        }
        return false
    }

    /// Whether the connections lead to a Unix socket in the abstract namespace.
    var usesAbstractSocket: Bool { options.contains { $0.code == PP_CURLOPT_ABSTRACT_UNIX_SOCKET.rawValue } }
}
#endif
