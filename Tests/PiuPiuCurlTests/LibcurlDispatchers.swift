#if os(Linux)
import PiuPiuCurl
import TestSupport
import Testing

@testable import PiuPiuAsync

extension URLRequestDispatcher {
    /// A dispatcher for tests over libcurl; see ``forTests(interceptors:_:)``.
    ///
    /// If there is no transport, every request throws the reason.
    static func overLibcurl(_ configure: (inout Configuration) -> Void = { _ in }) -> URLRequestDispatcher {
        var configuration = Configuration.forTests
        configure(&configuration)
        let transport: any HTTPTransport
        do {
            transport = try CurlTransport(configuration: configuration.transport)
        } catch {
            transport = UnavailableTransport(error: error)
        }
        return URLRequestDispatcher(configuration: configuration, transport: transport)
    }

    /// Reconfigures the transport over libcurl.
    nonisolated func reconfigure(_ change: (inout TransportConfiguration) throws -> Void) throws {
        let transport = try #require(core.transport as? CurlTransport)
        var configuration = transport.configuration
        try change(&configuration)
        try transport.reconfigure(configuration)
    }
}
#endif
