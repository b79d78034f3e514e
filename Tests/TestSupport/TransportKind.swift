#if os(Linux)
import PiuPiuAsync

/// The transports that a test runs over, as its argument.
package enum TransportKind: String, CaseIterable, Codable, Sendable {
    case libcurl, sockets

    /// Creates a transport.
    ///
    /// - Parameter configuration: The configuration of connections.
    /// - Returns: The transport.
    /// - Throws: What its initializer throws.
    package func make(_ configuration: TransportConfiguration) throws -> any HTTPTransport {
        switch self {
        case .libcurl: return try CurlTransport(configuration: configuration)
        case .sockets: return try SocketTransport(configuration: configuration)
        }
    }
}

extension URLRequestDispatcher {
    /// A dispatcher for tests over one of the transports; see ``forTests(interceptors:_:)``.
    ///
    /// - Throws: What the transport's initializer throws.
    package static func forTests(
        over kind: TransportKind,
        _ configure: (inout Configuration) throws -> Void = { _ in }
    ) throws -> URLRequestDispatcher {
        var configuration = Configuration.forTests
        try configure(&configuration)
        return URLRequestDispatcher(configuration: configuration, transport: try kind.make(configuration.transport))
    }
}
#endif
