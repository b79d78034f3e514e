/// The default transport of a dispatcher.
package enum PlatformTransport {
    /// Creates the transport.
    ///
    /// - Parameter configuration: The settings for connections.
    /// - Returns: On Linux a ``SocketTransport``, elsewhere a ``URLSessionTransport``. If it cannot be created, a transport
    ///   that throws the reason.
    package static func make(_ configuration: TransportConfiguration) -> any HTTPTransport {
        guard configuration.protocolClasses.isEmpty else {
            // A test that intercepts requests this way must not reach real servers.
            let names = configuration.protocolClasses.joined(separator: ", ")
            let reason = "protocolClasses of a URLSessionConfiguration (\(names)); an HTTPTransport takes their place"
            return UnavailableTransport(error: TransportError(.unsupported, reason: "Not supported: \(reason)"))
        }
        #if os(Linux)
        do {
            return try SocketTransport(configuration: configuration)
        } catch {
            return UnavailableTransport(error: error)
        }
        #else
        return URLSessionTransport(configuration: configuration)
        #endif
    }
}

/// A replacement for a transport that could not be created: every request throws the reason.
///
/// It is needed because a dispatcher's initializer does not throw.
struct UnavailableTransport: HTTPTransport {
    let error: any Error

    func send(_ request: TransportRequest) async throws -> TransportResponse { throw error }
    func shutdown() async {}
    func invalidateAndCancel() {}
}
