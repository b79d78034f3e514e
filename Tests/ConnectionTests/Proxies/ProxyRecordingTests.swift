#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import PiuPiuTesting
import TestSupport
import Testing

extension ProxyNetworkTests {
    /// What recording proxies and servers are told, hop by hop.
    struct ProxyRecordingTests {
        private func request(_ url: String, _ credentials: String? = nil) -> URLRequest {
            URLRequest("GET", Fixture.url(url), headers: credentials.map { ["Proxy-Authorization": $0] } ?? [:])
        }

        @Test func aPlainRequestGoesToTheProxyWithItsCredentialsAndWithoutTheFieldsOfTunnels() async throws {
            let proxy = try LoopbackServer()
            proxy.route("/a", .response(body: "ok"))
            let server = try ProxyServer.local(proxy.port, user: "ada", headers: ["X-Tunnel": "t"])
            let dispatcher = URLRequestDispatcher.through(.server(server))
            for value in [nil, "Basic mine", nil] {
                let response = try await dispatcher.data(for: request("http://a.example/a", value))
                #expect(try response.decodeString() == "ok")
            }
            let received = proxy.requests(for: "/a")
            #expect(received.map(\.target) == Array(repeating: "http://a.example/a", count: 3))
            // Once each, and the request's own takes precedence.
            #expect(received.map { credentials($0) } == [basic("ada"), "Basic mine", basic("ada")])
            #expect(received.map { $0.header("X-Tunnel") } == [nil, nil, nil])
        }

        @Test func aTunnelIsOpenedWithTheCredentialsAndFieldsThatAreForTheProxy() async throws {
            let proxy = try LoopbackServer()
            proxy.route("CONNECT", "a.example:443", .response(status: 403))
            let server = try ProxyServer.local(proxy.port, user: "ada", headers: ["X-Tunnel": "t", "X-Tunnel": "u"])
            let dispatcher = URLRequestDispatcher.through(.server(server))
            for value in [nil, "Basic mine", nil] {
                var request = request("https://a.example/secret-path", value)
                request.setValue("Bearer b", forHTTPHeaderField: "Authorization")
                request.setValue("c=d", forHTTPHeaderField: "Cookie")
                let sent = request
                try await proxyError { try await dispatcher.data(for: sent) }
            }
            let received = proxy.requests
            #expect(received.map(\.method) == ["CONNECT", "CONNECT", "CONNECT"])
            #expect(received.map { credentials($0) } == [basic("ada"), "Basic mine", basic("ada")])
            for request in received {
                #expect(request.headers.filter { $0.name == "X-Tunnel" }.map(\.value) == ["t", "u"])
                for name in ["Authorization", "Cookie"] { #expect(request.header(name) == nil) }
                #expect(!String(decoding: request.head, as: UTF8.self).contains("secret-path"))
            }
        }

        @Test func redirectsAreSentThroughTheProxyOfEachHopWithItsCredentialsOnly() async throws {
            let (first, second, origin) = (try LoopbackServer(), try LoopbackServer(), try LoopbackServer())
            first.route("/1", .redirect(to: "http://b.example/2"))
            second.route("/2", .redirect(to: origin.url("/3").absoluteString))
            origin.route("/3", .redirect(to: "https://a.example/4"))
            let ada = try ProxyServer.local(first.port, user: "ada")
            let bob = try ProxyServer.local(second.port, user: "bob")
            let urls = Notes()
            let dispatcher = URLRequestDispatcher.through(
                .choosing { url in
                    urls.add(url.absoluteString)
                    return switch url.host() {
                    case "a.example": ada
                    case "b.example": bob
                    default: nil
                    }
                }
            )
            try await proxyError {
                try await dispatcher.data(for: request("http://u:\(SecretSearch.secret)@a.example/1#f"))
            }
            #expect(
                first.requests.map { "\($0.method) \($0.target)" } == [
                    "GET http://a.example/1", "CONNECT a.example:443",
                ]
            )
            #expect(first.requests.map { credentials($0) } == [basic("ada"), basic("ada")])
            #expect(second.requests.map { credentials($0) } == [basic("bob")])
            #expect(origin.requests.map { credentials($0) } == ["none"])
            #expect(origin.requests.map(\.target) == ["/3"])
            let expected = [
                "http://a.example/1", "http://b.example/2", origin.url("/3").absoluteString, "https://a.example/4",
            ]
            #expect(urls.lines == expected)
        }

        @Test func excludedServersAreReachedDirectly() async throws {
            let (proxy, origin) = (try LoopbackServer(), try LoopbackServer())
            origin.route("/", .response(body: "direct"))
            let server = try ProxyServer.local(proxy.port, user: "ada", headers: ["X-Tunnel": "t"])
            let dispatcher = URLRequestDispatcher.through(.server(server, except: "example.com,127.0.0.0/8"))
            #expect(try await dispatcher.data(from: origin.url("/")).decodeString() == "direct")
            #expect(proxy.acceptedConnections == 0)
            for name in ["Proxy-Authorization", "X-Tunnel", "Proxy-Connection"] {
                #expect(origin.requests.allSatisfy { $0.header(name) == nil })
            }
        }

        @Test func connectionsOfOneUserAreNeverUsedForAnother() async throws {
            let proxy = try LoopbackServer()
            proxy.route("/", respond: { _ in [.response(body: "ok")] })
            let ada = try ProxyServer.local(proxy.port, user: "ada")
            let bob = try ProxyServer.local(proxy.port, user: "bob")
            let plain = try ProxyServer.local(proxy.port)
            let dispatcher = URLRequestDispatcher.through(
                .choosing { url in
                    switch url.query() {
                    case "ada": ada
                    case "bob": bob
                    default: plain
                    }
                }
            )
            for user in ["ada", "bob", "none", "bob", "ada", "none", "ada"] {
                _ = try await dispatcher.data(from: Fixture.url("http://a.example/?\(user)"))
            }
            let users = Dictionary(grouping: proxy.requests, by: \.connection).values.map { requests in
                Set(requests.map { credentials($0) })
            }
            #expect(users.count == 3 && users.allSatisfy { $0.count == 1 })
        }

        @Test func anErrorOfTheFunctionFailsTheRequestAndNothingIsSent() async throws {
            struct Refusal: Error, Equatable {}
            let origin = try LoopbackServer()
            let dispatcher = URLRequestDispatcher.through(.choosing { _ in throw Refusal() })
            let error = try await failure { try await dispatcher.data(from: origin.url("/")) }
            #expect(error is Refusal)
            #expect(origin.acceptedConnections == 0)
        }

        @Test func theEnvironmentIsReadOnceAndByNobodyElse() async {
            await #expect(processExitsWith: .success) {
                let (proxy, origin) = (try LoopbackServer(), try LoopbackServer())
                proxy.route("/", .response(body: "proxy"))
                origin.route("/", .response(body: "direct"))
                for name in [
                    "http_proxy", "https_proxy", "all_proxy", "no_proxy", "NO_PROXY", "ALL_PROXY", "HTTPS_PROXY",
                ] {
                    unsetenv(name)
                }
                setenv("HTTP_PROXY", "http://127.0.0.1:\(proxy.port)", 1)
                let without = URLRequestDispatcher.through(.environment)
                let none = URLRequestDispatcher.through(.none)
                let function = URLRequestDispatcher.through(.choosing { _ in nil })
                let fixed = URLRequestDispatcher.through(.server(try .local(proxy.port)))
                _ = try await without.data(from: origin.url("/"))
                setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
                setenv("ALL_PROXY", "http://127.0.0.1:\(proxy.port)", 1)
                for dispatcher in [without, none, function] {
                    #expect(try await dispatcher.data(from: origin.url("/")).decodeString() == "direct")
                }
                let with = URLRequestDispatcher.through(.environment)
                #expect(try await with.data(from: origin.url("/")).decodeString() == "proxy")
                setenv("no_proxy", "*", 1)
                #expect(try await with.data(from: origin.url("/")).decodeString() == "proxy")
                #expect(try await fixed.data(from: origin.url("/")).decodeString() == "proxy")
                let excluded = URLRequestDispatcher.through(.environment)
                #expect(try await excluded.data(from: origin.url("/")).decodeString() == "direct")
            }
        }

        @Test func aVariableThatNamesNoProxyNeverMeansADirectConnection() async throws {
            await #expect(processExitsWith: .success) {
                let origin = try LoopbackServer()
                unsetenv("no_proxy")
                unsetenv("NO_PROXY")
                for value in ["http://u:\(SecretSearch.secret)@127.0.0.1:x", "ftp://127.0.0.1", "a b"] {
                    setenv("http_proxy", value, 1)
                    let dispatcher = URLRequestDispatcher.through(.environment)
                    let error = try await proxyError { try await dispatcher.data(from: origin.url("/")) }
                    #expect(error.reason.contains("http_proxy"))
                }
                #expect(origin.acceptedConnections == 0)
            }
        }

        @Test func urlSessionRefusesAProxyOfItsOwn() async throws {
            let origin = try LoopbackServer()
            let request = TransportRequest(URLRequest(url: origin.url("/")))
            for proxy in [TransportConfiguration.Proxy.server(try .local(1)), .choosing { _ in nil }] {
                let transport = URLSessionTransport(configuration: TransportConfiguration(proxy: proxy))
                await expect(.unsupported) { try await transport.send(request) }
            }
            #expect(origin.acceptedConnections == 0)
        }
    }
}
#endif
