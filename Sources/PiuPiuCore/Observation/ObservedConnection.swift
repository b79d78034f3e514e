/// The connection of an exchange.
public struct ObservedConnection: Sendable, Hashable {
    private struct Values: Hashable {
        var isReused: Bool
        var localAddress: String?
        var remoteAddress: String?
        var httpVersion: String?
        var proxy: String?
    }

    private final class Box: Sendable {
        let values: Values

        init(_ values: Values) {
            self.values = values
        }
    }

    /// One object, because each event, summary and observer copies it.
    private var box: Box

    private var values: Values {
        get { box.values }
        set { box = Box(newValue) }
    }

    /// Whether the connection was already open.
    public var isReused: Bool {
        get { values.isReused }
        set { values.isReused = newValue }
    }

    /// The local address, such as `127.0.0.1:51234` or `[::1]:51234`; `nil` if it has none or it is unknown.
    public var localAddress: String? {
        get { values.localAddress }
        set { values.localAddress = newValue }
    }

    /// The address of the server, or of the proxy if one is used; `nil` if it has none or it is unknown.
    public var remoteAddress: String? {
        get { values.remoteAddress }
        set { values.remoteAddress = newValue }
    }

    /// The version of HTTP, such as `HTTP/1.1` or `HTTP/2`; `nil` if it is unknown before the response.
    public var httpVersion: String? {
        get { values.httpVersion }
        set { values.httpVersion = newValue }
    }

    /// The kind, host and port of the proxy, such as `http://proxy.example:3128`, without credentials; `nil` for none.
    public var proxy: String? {
        get { values.proxy }
        set { values.proxy = newValue }
    }

    /// Creates a description of a connection.
    ///
    /// - Parameters:
    ///   - isReused: Whether the connection was already open.
    ///   - localAddress: The local address.
    ///   - remoteAddress: The remote address.
    ///   - httpVersion: The version of HTTP.
    ///   - proxy: The proxy, without credentials.
    public init(
        isReused: Bool,
        localAddress: String? = nil,
        remoteAddress: String? = nil,
        httpVersion: String? = nil,
        proxy: String? = nil
    ) {
        box = Box(
            Values(
                isReused: isReused,
                localAddress: localAddress,
                remoteAddress: remoteAddress,
                httpVersion: httpVersion,
                proxy: proxy
            )
        )
    }

    /// Compares the descriptions of connections.
    public static func == (one: ObservedConnection, other: ObservedConnection) -> Bool {
        one.box === other.box || one.values == other.values
    }

    /// Hashes the description of the connection.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension ObservedConnection: CustomStringConvertible, CustomReflectable {
    /// The addresses, the version and the proxy.
    public var description: String {
        let parts = [
            isReused ? "reused" : "new", localAddress.map { "from \($0)" }, remoteAddress.map { "to \($0)" },
            httpVersion, proxy.map { "through \($0)" },
        ]
        return "ObservedConnection(\(parts.compactMap(\.self).joined(separator: ", ")))"
    }

    /// A mirror of the properties.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "isReused": isReused, "localAddress": localAddress as Any, "remoteAddress": remoteAddress as Any,
                "httpVersion": httpVersion as Any, "proxy": proxy as Any,
            ]
        )
    }
}
