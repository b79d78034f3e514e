import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// The samples of the article on proxies, and of the comments of its types.
struct ProxySamplesTests {
    @Test func article() async throws {
        typealias URLRequestDispatcher = OfflineDispatcher
        let password = "open/sesame"
        let url = Fixture.url("https://example.com/posts/1")

        var configuration = URLRequestDispatcher.Configuration()
        let proxy = try ProxyServer("http://reports:\(segment: password)@proxy.example:3128")
        configuration.transport.proxy = .server(proxy, except: "localhost,.internal.example,10.0.0.0/8")
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        configuration.transport.proxy = .choosing { url in
            url.host() == "partner.example" ? proxy : nil
        }

        let secure = try ProxyServer("https://proxy.example")
        let socks = try ProxyServer("socks5://10.0.0.1:1080")
        let parts = try ProxyServer(
            .http,
            host: "proxy.example",
            port: 3128,
            user: "reports",
            password: password,
            connectHeaders: ["X-Department": "17"]
        )
        #expect(secure.port == 443 && socks.kind == .socks5h && parts.host == proxy.host)

        do {
            _ = try await dispatcher.data(from: url)
        } catch let error as TransportError where error.code == .proxy {
            if error.proxyFailure?.statusCode == .proxyAuthenticationRequired {
                // the proxy wants other credentials
            }
        }
    }

    @Test func comments() throws {
        do {
            let proxy = try ProxyServer("http://user:password@proxy.example:3128")
            #expect(proxy.port == 3128)
        }
        let exclusions: ProxyExclusions = "localhost,.internal.example,10.0.0.0/8,fd00::/8"
        #expect(exclusions.contains("10.1.2.3") && exclusions.contains("a.internal.example"))
        let proxy = try ProxyServer("proxy.example")
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .choosing { url in url.host() == "partner.example" ? proxy : nil }
        let isNone = configuration.transport.proxy == TransportConfiguration.Proxy.none
        #expect(!isNone)
    }
}
