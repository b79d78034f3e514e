#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuValues

extension ProxyNetworkTests {
    /// squid, tinyproxy, microsocks, dante and haproxy, in front of nginx.
    @Suite(.enabled(if: NginxServer.shared != nil, "nginx and openssl are needed"))
    struct RealProxyTests {
        private let nginx: NginxServer

        init() throws {
            nginx = try #require(NginxServer.shared)
        }

        private func dispatcher(_ proxy: ProxyServer, _ http2: HTTP2Use = .always) -> URLRequestDispatcher {
            .through(.server(proxy)) {
                // A proxy that is told an address is told the first one only, and nginx listens on one of IPv4.
                if proxy.needsAddresses { $0.transport.network.ipVersion = .v4 }
                $0.transport.certificateAuthorityFile = nginx.authority
                $0.transport.http2 = http2
            }
        }

        /// Sends requests to nginx over every protocol, at once and one after the other.
        private func expectWork(_ proxy: ProxyServer) async throws {
            for http2 in [HTTP2Use.always, .never] {
                let dispatcher = dispatcher(proxy, http2)
                for port in [nginx.plain, nginx.http1, nginx.http2] {
                    let name = port == nginx.http2 && http2 == .always ? "HTTP/2.0" : "HTTP/1.1"
                    try await withThrowingTaskGroup(of: String.self) { group in
                        for _ in 0..<20 {
                            group.addTask { try await dispatcher.data(from: nginx.url(port, "/hello")).decodeString() }
                        }
                        for try await text in group { #expect(text.hasPrefix(name), "\(proxy): \(text)") }
                    }
                    for _ in 0..<5 { _ = try await dispatcher.data(from: nginx.url(port, "/hello")) }
                    let large = try await dispatcher.data(from: nginx.url(port, "/mega.bin"))
                    #expect(large.data?.count == 1 << 20)
                    let streamed = try await dispatcher.stream(for: URLRequest(url: nginx.url(port, "/mega.bin")))
                    #expect(try await streamed.data.collect(upTo: 2 << 20).count == 1 << 20)
                }
            }
        }

        @Test(.enabled(if: ProxyProgram.canSquidCheckPasswords, "squid and openssl are needed"))
        func squidTakesOurCredentialsAndOpensTunnels() async throws {
            let squid = try ProxyProgram.squid()
            try await expectWork(try .local(squid.port, user: ProxyProgram.user))
            let wrong = dispatcher(try .local(squid.port, user: "bob"))
            let none = dispatcher(try .local(squid.port))
            for dispatcher in [wrong, none] {
                for port in [nginx.plain, nginx.http2] {
                    let error = try await proxyError { try await dispatcher.data(from: nginx.url(port, "/hello")) }
                    #expect(error.proxyFailure?.statusCode?.rawValue == 407)
                    #expect(error.proxyFailure?.headers["Proxy-Authenticate"]?.contains("realm") == true)
                }
            }
            let known = dispatcher(try .local(squid.port, user: ProxyProgram.user))
            let error = try await proxyError { try await known.data(from: Fixture.url("https://localhost:1/")) }
            #expect(error.proxyFailure?.statusCode == .forbidden)
            #expect(error.proxyFailure?.headers["X-Squid-Error"]?.contains("ERR_ACCESS_DENIED") == true)
            // The request's own credentials.
            var request = URLRequest(url: nginx.url(nginx.http2, "/hello"))
            request.setValue(basic(ProxyProgram.user), forHTTPHeaderField: "Proxy-Authorization")
            let sent = request
            _ = try await none.data(for: sent)
            _ = try await wrong.data(for: sent)
        }

        @Test(.enabled(if: ProxyProgram.isInstalled("tinyproxy"), "tinyproxy is needed"))
        func tinyproxyPassesOnAndOpensTunnels() async throws {
            let tinyproxy = try ProxyProgram.tinyproxy()
            try await expectWork(try .local(tinyproxy.port))
        }

        @Test(
            .enabled(
                if: ProxyProgram.isInstalled("tinyproxy") && TLSRelay.isAvailable,
                "tinyproxy, python3 and openssl are needed"
            )
        )
        func theServerBehindATunnelGetsNothingThatIsForTheProxy() async throws {
            let origin = try LoopbackServer()
            origin.route("/", .response(body: "ok"))
            let relay = try TLSRelay(to: origin.port)
            let tinyproxy = try ProxyProgram.tinyproxy()
            let proxy = try ProxyServer.local(tinyproxy.port, user: ProxyProgram.user, headers: ["X-Tunnel": "t"])
            let dispatcher = URLRequestDispatcher.through(.server(proxy)) {
                $0.transport.certificateAuthorityFile = relay.authority
                $0.transport.http2 = .never
            }
            for credentials in [nil, "Basic mine", nil] {
                var request = URLRequest(url: relay.url("/"))
                request.setValue(credentials, forHTTPHeaderField: "Proxy-Authorization")
                let sent = request
                #expect(try await dispatcher.data(for: sent).decodeString() == "ok")
            }
            let received = origin.requests(for: "/")
            #expect(received.count == 3)
            for request in received {
                for name in ["Proxy-Authorization", "X-Tunnel", "Proxy-Connection"] {
                    #expect(request.header(name) == nil)
                }
            }
        }

        @Test(.enabled(if: ProxyProgram.isInstalled("microsocks"), "microsocks is needed"))
        func microsocksTakesOurCredentialsAndResolvesNames() async throws {
            let microsocks = try ProxyProgram.microsocks()
            for version in [ProxyServer.Kind.socks5, .socks5h] {
                try await expectWork(try .local(microsocks.port, user: ProxyProgram.user, version))
            }
            let known = dispatcher(try .local(microsocks.port, user: ProxyProgram.user, .socks5h))
            try await proxyError { try await known.data(from: Fixture.url("http://nonexistent.test/")) }
            for proxy in [
                try ProxyServer.local(microsocks.port, user: "bob", .socks5h), try .local(microsocks.port, .socks5h),
            ] {
                let error = try await proxyError {
                    try await dispatcher(proxy).data(from: nginx.url(nginx.plain, "/hello"))
                }
                #expect(error.proxyFailure?.socksReply != nil, "\(error)")
            }
        }

        // dante knows no names in SOCKS 4 (4a); `SOCKSTests` has them.
        @Test(.enabled(if: ProxyProgram.isInstalled("danted"), "dante-server is needed"))
        func danteSpeaksSOCKS4() async throws {
            let dante = try ProxyProgram.dante()
            let proxy = try ProxyServer(.socks4, host: "127.0.0.1", port: dante.port, user: "ada")
            try await expectWork(proxy)
            let error = try await proxyError {
                try await dispatcher(proxy).data(from: Fixture.url("http://127.0.0.1:1/"))
            }
            #expect(error.proxyFailure?.socksReply != nil, "\(error)")
            // The name is looked up here.
            await expect(.cannotResolveHost) {
                try await dispatcher(proxy).data(from: Fixture.url("http://nonexistent.invalid/"))
            }
            // SOCKS 5 is not spoken there.
            let newer = try ProxyServer(.socks5, host: "127.0.0.1", port: dante.port)
            try await proxyError { try await dispatcher(newer).data(from: nginx.url(nginx.plain, "/hello")) }
        }

        @Test(.enabled(if: ProxyProgram.isInstalled("tinyproxy", "haproxy"), "tinyproxy and haproxy are needed"))
        func aProxyOverTLSIsVerified() async throws {
            let tinyproxy = try ProxyProgram.tinyproxy()
            let relay = try ProxyProgram.overTLS(tinyproxy)
            try await expectWork(try ProxyServer(.https, host: "localhost", port: relay.port))
            // Its own authorities, apart from the server's.
            let own = try ProxyServer(.https, host: "localhost", port: relay.port, authorityFile: nginx.authority)
            let plain = URLRequestDispatcher.through(.server(own))
            _ = try await plain.data(from: nginx.url(nginx.plain, "/hello"))
            await expect(.tls) { try await plain.data(from: nginx.url(nginx.http2, "/hello")) }
            // Without them, it is not trusted, and nothing is sent.
            let unknown = URLRequestDispatcher.through(
                .server(try ProxyServer(.https, host: "localhost", port: relay.port))
            )
            let wrongName = try ProxyProgram.overTLS(tinyproxy, certificate: "wronghost")
            let misnamed = dispatcher(try ProxyServer(.https, host: "localhost", port: wrongName.port))
            for dispatcher in [unknown, misnamed] {
                for port in [nginx.plain, nginx.http2] {
                    let error = try await proxyError { try await dispatcher.data(from: nginx.url(port, "/hello")) }
                    #expect(error.isSafeToRetry && error.underlyingDescription?.isEmpty == false)
                }
            }
        }

        @Test(
            .enabled(
                if: ProxyProgram.isInstalled("tinyproxy", "haproxy", "microsocks"),
                "tinyproxy, haproxy and microsocks are needed"
            ),
            arguments: 0..<2
        )
        func requestsThatAreGivenUpLeaveNothing(_ seed: Int) async throws {
            let relay = try ProxyProgram.overTLS(try ProxyProgram.tinyproxy())
            let microsocks = try ProxyProgram.microsocks()
            for proxy in [
                try ProxyServer.local(microsocks.port, user: ProxyProgram.user, .socks5h),
                try ProxyServer(.https, host: "localhost", port: relay.port),
            ] {
                let dispatcher = dispatcher(proxy, .never)
                let urls = [nginx.plain, nginx.http1].flatMap { port in
                    ["/hello", "/mega.bin"].map { nginx.url(port, $0) }
                }
                let errors = await storm(100, seed: seed, of: dispatcher, to: urls)
                #expect(errors == [])
                #expect(try await dispatcher.exchangeCount() == 0)
                await dispatcher.shutdown()
            }
        }
    }
}
#endif
