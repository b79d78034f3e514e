#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

extension ProxyNetworkTests {
    /// Requests without TLS that go through a tunnel, because their connection leads to another host than their URL says.
    struct TunnelledPlainTests {
        private let proxy: LoopbackServer
        private let url = Fixture.url("http://a.example/page")

        init() throws {
            proxy = try LoopbackServer()
            // After the head of the tunnel, the same connection is the server's.
            proxy.route("CONNECT", "b.example:8080", .send("HTTP/1.1 200 Opened\r\nX-From: proxy\r\n\r\n"))
            proxy.route("/page", .response(status: 404, headers: ["X-From": "server"], body: "no page"))
        }

        private func dispatcher(user: String? = nil) throws -> URLRequestDispatcher {
            let server = try ProxyServer.local(proxy.port, user: user)
            return .through(.server(server)) {
                $0.transport.routes[Fixture.url("http://a.example")] = .host("b.example", port: 8080)
                $0.transport.eventLoops = 1
            }
        }

        @Test func theResponseIsTheServers() async throws {
            let dispatcher = try dispatcher()
            // The second uses the tunnel of the first.
            for _ in 0..<2 {
                let response = try await dispatcher.data(from: url)
                #expect(response.statusCode == .notFound)
                #expect(response.headers["X-From"] == "server")
                #expect(response.data == Data("no page".utf8))
            }
            let streamed = try await dispatcher.stream(for: URLRequest(url: url))
            #expect(streamed.statusCode == .notFound && streamed.headers["X-From"] == "server")
            #expect(try await streamed.data.collect(upTo: 100) == Data("no page".utf8))
            let folder = try DownloadFolder()
            await #expect(throws: (any Error).self) { try await dispatcher.save(url, to: folder["page"]) }
            #expect(folder.listing == [])
        }

        @Test(arguments: [302, 407, 404, 502])
        func aRefusalOfTheProxyIsNobodysResponse(_ status: Int) async throws {
            let location = "Location: http://127.0.0.1:\(proxy.port)/page"
            proxy.route(
                "CONNECT",
                "b.example:8080",
                .send("HTTP/1.1 \(status) No\r\n\(location)\r\nContent-Length: 0\r\n\r\n")
            )
            let dispatcher = try dispatcher(user: "ada")
            for _ in 0..<2 {
                let error = try await proxyError { try await dispatcher.data(from: url) }
                #expect(error.proxyFailure?.statusCode?.rawValue == status)
                #expect(error.response == nil && error.isSafeToRetry)
            }
            try await proxyError { try await dispatcher.stream(for: URLRequest(url: url)) }
            #expect(proxy.requests(for: "/page").isEmpty)
        }

        @Test func aStatus407InTheTunnelIsTheServers() async throws {
            proxy.route("/page", .response(status: 407, body: "the server's"))
            let dispatcher = try dispatcher()
            for _ in 0..<2 { #expect(try await dispatcher.data(from: url).statusCode == .proxyAuthenticationRequired) }
        }

        @Test(arguments: [false, true])
        func theServerGetsNoCredentialsOfTheProxys(_ isCallers: Bool) async throws {
            let dispatcher = try dispatcher(user: isCallers ? nil : "ada")
            var request = URLRequest(url: url)
            request.setValue("v", forHTTPHeaderField: "X-Mine")
            if isCallers { request.setValue(basic("eve"), forHTTPHeaderField: "proxy-AUTHORIZATION") }
            for _ in 0..<2 { _ = try await dispatcher.data(for: request) }
            #expect(proxy.requests(for: "b.example:8080").map(credentials) == [basic(isCallers ? "eve" : "ada")])
            #expect(proxy.requests(for: "/page").map(credentials) == ["none", "none"])
            #expect(proxy.requests(for: "/page").allSatisfy { $0.header("X-Mine") == "v" })
            #expect(proxy.requests(for: "b.example:8080").allSatisfy { $0.header("X-Mine") == nil })
        }

        @Test func anotherSpellingOfTheSameHostNeedsNone() async throws {
            let server = try ProxyServer.local(proxy.port, user: "ada")
            let dispatcher = URLRequestDispatcher.through(.server(server)) {
                $0.transport.network.resolve = ["c.example:80": ["127.0.0.1"]]
            }
            let url = Fixture.url("http://c.example./page")
            #expect(try await dispatcher.data(from: url).headers["X-From"] == "server")
            #expect(proxy.requests(for: "/page").map(credentials) == [basic("ada")])
            proxy.route("/page", .response(status: 407))
            try await proxyError { try await dispatcher.data(from: url) }
        }

        @Test func aRouteToTheSameHostNeedsNone() async throws {
            let server = try ProxyServer.local(proxy.port, user: "ada")
            let dispatcher = URLRequestDispatcher.through(.server(server)) {
                $0.transport.routes[Fixture.url("http://a.example")] = .host("A.example", port: 80)
            }
            #expect(try await dispatcher.data(from: url).headers["X-From"] == "server")
            #expect(proxy.requests(for: "/page").map(credentials) == [basic("ada")])
        }
    }
}
#endif
