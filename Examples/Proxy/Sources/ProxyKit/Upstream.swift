import Foundation

/// The server that requests are forwarded to: the scheme, the authority and the beginning of every path.
public struct Upstream: Sendable, Hashable {
    /// `http` or `https`.
    public let scheme: String
    /// The host, and the port unless it is the scheme's own.
    public let authority: String
    /// What the path of every request is appended to; it has no slash at its end.
    public let basePath: String

    /// Creates an upstream.
    ///
    /// - Parameter url: An `http` or `https` URL without user information, query and fragment. Its path is put before
    ///   those of requests.
    public init?(_ url: String) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.percentEncodedHost, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { return nil }
        self.scheme = scheme
        self.authority = host + (parts.port.map { ":\($0)" } ?? "")
        self.basePath = String(parts.percentEncodedPath.reversed().drop { $0 == "/" }.reversed())
    }
}
