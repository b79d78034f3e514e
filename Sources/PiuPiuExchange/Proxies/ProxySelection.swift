/// The source of each request's proxy, according to a configuration.
package enum ProxySelection: Sendable {
    case none
    case environment(ProxyEnvironment)
    case server(ProxyServer, except: ProxyExclusions)
    case function(ProxyFunction)

    /// Selects the source that a configuration names, and reads the environment if necessary.
    package init(_ proxy: TransportConfiguration.Proxy, variables: @autoclosure () -> [String: String]) {
        switch proxy {
        case .none: self = .none
        case .server(let server, let exclusions): self = .server(server, except: exclusions)
        case .function(let function): self = .function(function)
        case .environment:
            let environment = ProxyEnvironment(variables())
            self = environment.isEmpty ? .none : .environment(environment)
        }
    }

    /// Whether no request goes through a proxy.
    package var isNone: Bool { if case .none = self { true } else { false } }

    /// Returns the proxy of a request.
    ///
    /// - Parameters:
    ///   - target: The request's target.
    ///   - request: The request.
    /// - Returns: The proxy; `nil` for none.
    /// - Throws: ``TransportError`` with the code `proxy` if the environment does not contain a usable proxy, or if the proxy
    ///   cannot accept the host's name; also any error of the caller's function.
    package func proxy(for target: RequestTarget, _ request: TransportRequest) throws -> ProxyServer? {
        guard let proxy = try choose(target, request) else { return nil }
        // SOCKS has one byte for the length of a name (RFC 1928 §5).
        guard proxy.isHTTP || target.host.utf8.count <= ProxyServer.maximumHost else {
            let reason = "The proxy \(proxy.location) does not accept host names of more than 255 bytes"
            throw ExchangeFailure(.proxy, reason: reason).error(for: request)
        }
        return proxy
    }

    private func choose(_ target: RequestTarget, _ request: TransportRequest) throws -> ProxyServer? {
        switch self {
        case .none: return nil
        case .server(let server, let exclusions): return exclusions.contains(target) ? nil : server
        case .function(let function):
            guard let url = URL(string: target.url) else { throw ExchangeFailure(.invalidURL).error(for: request) }
            return try function.choose(url)
        case .environment(let environment):
            guard let variable = environment.variable(for: target) else { return nil }
            switch variable.proxy {
            case .success(let proxy): return proxy
            case .failure(let error):
                let reason =
                    "The environment variable \(variable.name) does not name a usable proxy: \(error.code.text)"
                throw ExchangeFailure(.proxy, reason: reason).error(for: request)
            }
        }
    }
}
