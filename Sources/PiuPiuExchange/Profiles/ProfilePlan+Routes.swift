#if os(Linux)
/// The routes of a configuration.
extension ProfilePlan {
    package static func routeDependsOnOrigin(_ configuration: TransportConfiguration) -> Bool {
        !configuration.routes.isEmpty
    }

    /// Returns the origin of a target if it has its own route.
    ///
    /// - Throws: ``TransportError`` with the code `unsafeRedirect` if a redirect from another origin leads to a Unix socket.
    package func routeOrigin(for target: RequestTarget, _ request: TransportRequest) throws -> String? {
        guard let route = configuration.routes[target] else { return nil }
        guard !route.isSocket || !request.isForeignRedirect else {
            let code = TransportError.Code.unsafeRedirect
            throw request.error(
                code,
                reason: "\(code.text): \(target.origin) is a Unix socket, and another origin led to it"
            )
        }
        return target.usualOrigin
    }

    /// Returns the route of an origin; `nil` for none.
    package func route(of origin: String?) -> Route? { origin.flatMap { configuration.routes[origin: $0] } }

    /// Returns whether the route of an origin leads to a Unix socket.
    package func isSocket(_ origin: String?) -> Bool { route(of: origin)?.isSocket ?? false }

    /// Runs a check and throws its refusal as a ``TransportError`` with the code `unsupported`.
    package static func checked<Value>(_ check: () throws(NetworkRefusal) -> Value) throws -> Value {
        do throws(NetworkRefusal) {
            return try check()
        } catch {
            throw TransportError(.unsupported, reason: "The network configuration cannot be used: \(error.reason)")
        }
    }
}

extension Routes {
    /// Checks all routes: an invalid one is an error of the configuration, no matter which request comes first.
    package func check() throws(NetworkRefusal) {
        guard !hasInvalidOrigin else {
            throw NetworkRefusal("the origin of a route must have the scheme http or https")
        }
        for route in all {
            switch route.destination {
            case .unixSocket(let name), .abstractSocket(let name): try NetworkRefusal.checkSocket(name)
            case .host(let name, let port):
                try NetworkRefusal.checkPort(port)
                _ = try NetworkRefusal.host(name)
            }
        }
    }
}
#endif
