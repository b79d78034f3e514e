/// The transport a dispatcher uses where it is given none.
enum PlatformTransport {
    /// Creates it.
    ///
    /// - Parameter configuration: How to connect.
    /// - Returns: libcurl on Linux, `URLSession` elsewhere; where it cannot be created, one that throws the reason.
    static func make(_ configuration: TransportConfiguration) -> any HTTPTransport {
        #if os(Linux)
        do {
            return try CurlTransport(configuration: configuration)
        } catch {
            return UnavailableTransport(error: error)
        }
        #else
        return URLSessionTransport(configuration: configuration)
        #endif
    }
}

/// Stands in for a transport that could not be created: a dispatcher's initialiser does not throw, its requests do.
struct UnavailableTransport: HTTPTransport {
    let error: any Error

    func send(_ request: TransportRequest) async throws -> TransportResponse { throw error }
    func shutdown() async {}
    func invalidateAndCancel() {}
}
