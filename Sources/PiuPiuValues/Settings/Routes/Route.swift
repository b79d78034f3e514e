/// The destination of the connections to an origin, in place of the origin's own host and port.
///
/// A route changes only the destination. The request, its `Host` field and the name for which a certificate must be valid
/// remain those of the URL.
public struct Route: Sendable, Hashable {
    package enum Destination: Hashable, Sendable {
        case unixSocket(String)
        case abstractSocket(String)
        case host(String, Int)
    }

    package let destination: Destination

    /// A Unix domain socket in the file system, such as `/var/run/docker.sock`.
    ///
    /// The connection uses no proxy. A request that follows a redirect from another origin is not sent to the socket, but fails
    /// with ``TransportError/Code/unsafeRedirect``: otherwise, any server could reach a service that is not on the network
    /// (CVE-2022-33987).
    ///
    /// - Parameter path: The path: 1 to 107 bytes, without NUL. A relative path is relative to the process's working directory.
    /// - Returns: The route. A transport refuses an invalid path with ``TransportError/Code/unsupported``.
    public static func unixSocket(path: String) -> Route { Route(destination: .unixSocket(path)) }

    /// A Unix domain socket in Linux's abstract namespace, which has no file.
    ///
    /// The rules of ``unixSocket(path:)`` apply. Any process in the same network namespace may listen on an abstract
    /// name: no file permissions protect it.
    ///
    /// - Parameter name: The name without the leading NUL: 1 to 107 bytes without NUL.
    /// - Returns: The route. A transport refuses an invalid name with ``TransportError/Code/unsupported``.
    public static func abstractSocket(name: String) -> Route { Route(destination: .abstractSocket(name)) }

    /// Another host and port.
    ///
    /// With https, the certificate must still be valid for the URL's host. A proxy, if there is one, connects to this host
    /// (`CURLOPT_CONNECT_TO`).
    ///
    /// - Parameters:
    ///   - name: A host name, an IPv4 address, or an IPv6 address with or without brackets.
    ///   - port: The port, 1 to 65535.
    /// - Returns: The route. A transport refuses an invalid name or port with ``TransportError/Code/unsupported``.
    public static func host(_ name: String, port: Int) -> Route { Route(destination: .host(name, port)) }

    /// Whether it leads to a Unix domain socket.
    package var isSocket: Bool {
        switch destination {
        case .unixSocket, .abstractSocket: true
        case .host: false
        }
    }
}

extension Route: Redacted {
    /// The destination.
    package var shown: KeyValuePairs<String, Any> {
        switch destination {
        case .unixSocket(let path): ["path": path]
        case .abstractSocket(let name): ["name": name]
        case .host(let name, let port): ["host": name, "port": port]
        }
    }
}
