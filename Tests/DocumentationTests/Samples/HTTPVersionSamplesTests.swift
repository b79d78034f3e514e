import PiuPiuAsync
import PiuPiuCurl
import SuiteSupport
import TestSupport
import Testing

/// The samples of the article on versions of HTTP.
struct HTTPVersionSamplesTests {
    @Test func http2WithoutTLS() async {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.cleartextHTTP2 = [URL(string: "http://localhost:8080")!]
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        await dispatcher.shutdown()
        #expect(configuration.transport.cleartextHTTP2.count == 1)
    }

    #if os(Linux)
    @Test func http3() async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.http3 = .preferred
        let transport = try CurlTransport(configuration: configuration.transport)
        let dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)

        #expect(transport.configuration.http3 == .preferred)
        await dispatcher.shutdown()
    }

    @Test func http3WhereItIsAdvertised() {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.http3 = .altSvc

        #expect(configuration.transport.http3 == .altSvc)
    }
    #endif
}
