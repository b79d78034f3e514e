/// The connection that an exchange uses.
public struct ObservedConnection: Sendable, Hashable {
    /// Whether the connection was already open.
    public var isReused: Bool
    /// The address of this end, such as `127.0.0.1:51234` or `[::1]:51234`; `nil` if it has none or it is not known.
    public var localAddress: String?
    /// The address of the server, or of the proxy if one is used; `nil` if it has none or it is not known.
    public var remoteAddress: String?
    /// The version of HTTP that is spoken, such as `HTTP/1.1` or `HTTP/2`; `nil` if it is not known before the response.
    public var httpVersion: String?
    /// The kind, host and port of the proxy, such as `http://proxy.example:3128`, without credentials; `nil` for none.
    public var proxy: String?

    /// Creates a description of a connection.
    ///
    /// - Parameters:
    ///   - isReused: Whether the connection was already open.
    ///   - localAddress: The address of this end.
    ///   - remoteAddress: The address of the other end.
    ///   - httpVersion: The version of HTTP that is spoken.
    ///   - proxy: The proxy, without credentials.
    public init(
        isReused: Bool,
        localAddress: String? = nil,
        remoteAddress: String? = nil,
        httpVersion: String? = nil,
        proxy: String? = nil
    ) {
        self.isReused = isReused
        self.localAddress = localAddress
        self.remoteAddress = remoteAddress
        self.httpVersion = httpVersion
        self.proxy = proxy
    }
}
