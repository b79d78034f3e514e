#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

extension ProxyNetworkTests {
    /// How proxies refuse, and what the errors say.
    struct ProxyFailureTests {
        private let secure = Fixture.url("https://a.example/")
        private let plain = Fixture.url("http://a.example/")

        @Test(arguments: [407, 403, 502, 511])
        func aRefusedTunnelHasTheProxysStatusAndFields(_ status: Int) async throws {
            let proxy = try LoopbackServer()
            let fields: HeaderList = [
                "Proxy-Authenticate": "Basic realm=r", "X-Why": "no", "Set-Cookie": SecretSearch.secret,
            ]
            proxy.route("CONNECT", "a.example:443", .response(status: status, headers: fields, body: "not for anyone"))
            let dispatcher = URLRequestDispatcher.through(.server(try .local(proxy.port, user: "ada")))
            for _ in 0..<2 {
                let error = try await proxyError { try await dispatcher.data(from: secure) }
                let failure = try #require(error.proxyFailure)
                #expect(
                    failure.statusCode?.rawValue == status && failure.host == "127.0.0.1" && failure.port == proxy.port
                )
                #expect(failure.headers["X-Why"] == "no" && failure.headers["Proxy-Authenticate"] == "Basic realm=r")
                #expect(error.reason.contains("127.0.0.1:\(proxy.port)") && error.reason.contains("\(status)"))
                // Nothing of it is the server's response.
                #expect(error.response == nil && error.bytesReceived == 0 && error.isSafeToRetry)
                expectNoSecret(in: failure)
            }
        }

        @Test func aPlainRequestThatIsRefusedWith407IsAnErrorToo() async throws {
            let proxy = try LoopbackServer()
            proxy.route("/", .response(status: 407, headers: ["Proxy-Authenticate": "Basic realm=r"], body: "body"))
            let dispatcher = URLRequestDispatcher.through(.server(try .local(proxy.port, user: "ada")))
            let error = try await proxyError { try await dispatcher.data(from: plain) }
            #expect(error.proxyFailure?.statusCode == .proxyAuthenticationRequired)
            #expect(error.response?.headers["Proxy-Authenticate"] == "Basic realm=r")
            #expect(error.response?.statusCode == .proxyAuthenticationRequired && !error.isSafeToRetry)
            try await proxyError { try await dispatcher.stream(for: URLRequest(url: plain)) }
            // A server's own is a response like any other, and so are other refusals of a proxy.
            #expect(try await URLRequestDispatcher.forTests().data(from: proxy.url("/")).statusCode.rawValue == 407)
            proxy.route("/", .response(status: 403))
            #expect(try await dispatcher.data(from: plain).statusCode == .forbidden)
        }

        @Test func aProxyThatCannotBeReachedOrFoundIsNamed() async throws {
            let port = try RefusingPort()
            for kind in ProxyServer.Kind.allCases {
                for host in ["127.0.0.1", "proxy.invalid"] {
                    let hasPassword = kind != .socks4 && kind != .socks4a
                    let proxy = try ProxyServer(
                        kind,
                        host: host,
                        port: port.port,
                        user: "ada",
                        password: hasPassword ? SecretSearch.secret : ""
                    )
                    let dispatcher = URLRequestDispatcher.through(.server(proxy))
                    for url in ["http://127.0.0.1:1/", "https://127.0.0.1:1/"] {
                        let error = try await proxyError { try await dispatcher.data(from: Fixture.url(url)) }
                        #expect(
                            error.isSafeToRetry && error.reason.contains("\(host):\(port.port)"),
                            "\(kind) \(error)"
                        )
                        #expect(error.proxyFailure?.kind == kind && error.proxyFailure?.statusCode == nil)
                    }
                }
            }
        }

        private static let answers: [String] = [
            "", "SSH-2.0-x\r\n", "HTTP/1.1 \r\n\r\n", "HTTP/1.1 200", "HTTP/1.1 407 x\r\nX: y",
            "HTTP/1.1 999 x\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "\0\0\0\0",
        ]

        @Test(arguments: answers)
        func anAnswerToConnectThatIsNoneIsAnError(_ answer: String) async throws {
            let proxy = try RawServer { connection in
                _ = try connection.read()
                connection.write(Array(answer.utf8))
                connection.finishSending()
                _ = try connection.read()
            }
            let dispatcher = URLRequestDispatcher.through(.server(try .local(proxy.port, user: "ada")))
            let error = try await proxyError { try await dispatcher.data(from: secure) }
            #expect(error.response == nil && error.isSafeToRetry, "\(String(reflecting: error))")
        }

        @Test func whatFailsInAnOpenTunnelIsNotTheProxysFault() async throws {
            let proxy = try RawServer { connection in
                _ = try connection.read()
                connection.write(Array("HTTP/1.1 200 OK\r\nX-Head: proxy\r\n\r\n".utf8))
                _ = try connection.read()
                connection.write(Array("this is not TLS at all".utf8))
                connection.finishSending()
                _ = try? connection.read()
            }
            let dispatcher = URLRequestDispatcher.through(.server(try .local(proxy.port, user: "ada")))
            let error = try await failure { try await dispatcher.data(from: secure) }
            #expect((error as? TransportError)?.code == .tls, "\(error)")
            #expect((error as? TransportError)?.proxyFailure == nil)
            expectNoSecret(in: error)
        }
    }
}
#endif
