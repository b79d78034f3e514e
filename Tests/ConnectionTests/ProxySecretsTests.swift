#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import PiuPiuTesting
import TestSupport
import Testing

extension NetworkTests {
    /// What a proxy is told, what only the origin is told, and what an error tells of a proxy.
    ///
    /// The environment names the proxy, so that each of these tests has a process of its own.
    struct ProxySecretsTests {
        private static func request(_ url: String, _ credentials: String?) -> URLRequest {
            var request = URLRequest(url: Fixture.url(url), method: .get)
            if let credentials { request.setValue(credentials, forHTTPHeaderField: "Proxy-Authorization") }
            return request
        }

        /// Names the proxy of a scheme, and no exception.
        private static func setProxy(of scheme: String, to proxy: String) {
            setenv("\(scheme)_proxy", proxy, 1)
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
        }

        @Test func theProxyOfATunnelGetsTheFieldThatIsForIt() async {
            await #expect(processExitsWith: .success) {
                let proxy = try LoopbackServer()
                ProxySecretsTests.setProxy(of: "https", to: "http://127.0.0.1:\(proxy.port)")
                let dispatcher = URLRequestDispatcher.forTests { $0.transport.proxy = .environment }
                for credentials in ["Basic mine", nil, "Basic other"] {
                    // The server refuses to open a tunnel.
                    let error = try await #require(throws: TransportError.self) {
                        try await dispatcher.data(for: ProxySecretsTests.request("https://a.example/", credentials))
                    }
                    #expect(!Fixture.allTexts(of: error).contains("mine"))
                }
                let received = proxy.requests(for: "a.example:443").map { $0.header("Proxy-Authorization") }
                #expect(received == ["Basic mine", nil, "Basic other"])
            }
        }

        @Test func theProxyOfAPlainRequestGetsTheFieldAsBefore() async {
            await #expect(processExitsWith: .success) {
                let proxy = try LoopbackServer()
                ProxySecretsTests.setProxy(of: "http", to: "http://127.0.0.1:\(proxy.port)")
                let dispatcher = URLRequestDispatcher.forTests { $0.transport.proxy = .environment }
                _ = try await dispatcher.data(for: ProxySecretsTests.request("http://a.example/b", "Basic mine"))
                #expect(proxy.requests(for: "/b").map { $0.header("Proxy-Authorization") } == ["Basic mine"])
            }
        }

        @Test(.enabled(if: TLSRelay.isAvailable, "python3 and openssl are needed"))
        func theOriginDoesNotGetTheFieldThatIsForTheProxy() async throws {
            let server = try LoopbackServer()
            server.route("/", .response())
            let relay = try TLSRelay(to: server.port)
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.certificateAuthorityFile = relay.authority
                $0.transport.http2 = .never
            }
            let url = relay.url("/").absoluteString
            _ = try await dispatcher.data(for: Self.request(url, "Basic mine"))
            #expect(server.requests(for: "/").map { $0.header("Proxy-Authorization") } == [nil])
        }

        /// Proxies that no transport can use, each with a password.
        private static let faultyProxies = [
            "user:pl4nted-S3cret@127.0.0.1:99999", "http:/user:pl4nted-S3cret@127.0.0.1:99999",
            "http://user:a//pl4nted-S3cret@127.0.0.1:99999", "xyz://user:pl4nted-S3cret@127.0.0.1",
        ]

        private static func expectNoPassword(
            of proxy: String,
            inErrorsOf make: () throws -> any HTTPTransport
        ) async throws {
            setProxy(of: "http", to: proxy)
            // The environment is read when a transport is created.
            let transport = try make()
            let request = TransportRequest(request("http://a.example/", nil))
            let error = try await #require(throws: TransportError.self) { try await transport.send(request) }
            #expect(SecretSearch.showings(of: error).allSatisfy { !$0.tells }, "\(error)")
        }

        @Test(arguments: faultyProxies)
        func noErrorQuotesThePasswordOfAProxy(_ proxy: String) async {
            await #expect(processExitsWith: .success) { [proxy] in
                try await ProxySecretsTests.expectNoPassword(
                    of: proxy,
                    inErrorsOf: { try SocketTransport(configuration: TransportConfiguration()) }
                )
            }
        }

        @Test(arguments: faultyProxies)
        func noErrorOfURLSessionQuotesThePasswordOfAProxy(_ proxy: String) async {
            await #expect(processExitsWith: .success) { [proxy] in
                try await ProxySecretsTests.expectNoPassword(of: proxy, inErrorsOf: { URLSessionTransport() })
            }
        }
    }
}
#endif
