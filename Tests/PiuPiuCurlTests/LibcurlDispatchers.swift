#if os(Linux)
import PiuPiuCurl
import TestSupport

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
}
#endif
