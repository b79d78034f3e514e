import Foundation
import PiuPiuAsync
import PiuPiuTesting
import Testing

/// What clients are told when the upstream does not answer, and how the proxy ends.
@Suite(.timeLimit(.minutes(5)))
struct FailureTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/held", .hold("gate"), .response(body: "held"))
        server.route("POST", "/", .drainBody, .hold("never"))
    }

    /// Expects a response of the proxy's own that names no server.
    private func expect(_ status: StatusCode, _ response: Response<Data?>) throws {
        #expect(response.statusCode == status)
        let text = String(decoding: response.data ?? Data(), as: UTF8.self)
        #expect(!text.isEmpty && !text.contains("127.0.0.1") && !text.contains("secret"), "\(text)")
    }

    @Test func nobodyListens() async throws {
        let port = try RefusingPort()
        let proxy = try await ProxyProcess(to: "http://127.0.0.1:\(port.port)", ["--retries", "0"])
        try expect(.badGateway, try await proxy.client.data(from: proxy.url("/?token=secret")))
        var post = URLRequest(url: try proxy.url("/"))
        post.httpMethod = "POST"
        post.httpBody = Data(repeating: 1, count: 1 << 20)
        try expect(.badGateway, try await proxy.client.data(for: post))
    }

    @Test func theUpstreamIsNoServer() async throws {
        server.route("/", .send("SSH-2.0-secret\r\n"), .close)
        let proxy = try await ProxyProcess(to: server)
        try expect(.badGateway, try await proxy.client.data(from: proxy.url("/")))
    }

    @Test func theUpstreamTakesTooLong() async throws {
        let proxy = try await ProxyProcess(to: server, ["--timeout", "0.3", "--retries", "0"])
        try expect(.gatewayTimeout, try await proxy.client.data(from: proxy.url("/held")))
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    @Test func theUpstreamStopsInTheMiddle() async throws {
        server.route("/length", .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close)
        server.route("/chunks", .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"), .close)
        let proxy = try await ProxyProcess(to: server)
        for path in ["/length", "/chunks"] {
            let response = try await proxy.client.stream(for: URLRequest(url: proxy.url(path)))
            #expect(response.statusCode == .ok)
            let error = await #expect(throws: TransportError.self) { try await response.data.collect(upTo: 100) }
            #expect(error?.code == .truncatedBody)
        }
    }

    @Test func theBodyIsTooLarge() async throws {
        let proxy = try await ProxyProcess(to: server, ["--body-limit", "1000"])
        var post = URLRequest(url: try proxy.url("/"))
        post.httpMethod = "POST"
        post.httpBody = Data(repeating: 1, count: 1001)
        try expect(.contentTooLarge, try await proxy.client.data(for: post))
        #expect(server.acceptedConnections == 0)
        let raw = try RawConnection(to: proxy.port)
        try raw.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<101 { try raw.send("a\r\n0123456789\r\n") }
        let head = await raw.read(until: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 413 "), "\(head)")
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    @Test(arguments: ["OPTIONS * HTTP/1.1", "CONNECT a:1 HTTP/1.1"])
    func aTargetThatIsNoPathIsRefused(line: String) async throws {
        let proxy = try await ProxyProcess(to: server)
        let raw = try RawConnection(to: proxy.port)
        try raw.send("\(line)\r\nHost: a\r\n\r\n")
        let head = await raw.read(until: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 400 "), "\(head)")
    }

    @Test func requestsInProgressFinishAtShutdown() async throws {
        let proxy = try await ProxyProcess(to: server)
        let request = Task { try await proxy.client.data(from: proxy.url("/held")) }
        #expect(await server.waitUntilHeld("gate"))
        proxy.terminate()
        // Until its port is closed.
        while (try? RawConnection(to: proxy.port)) != nil {}
        server.release("gate")
        #expect(try await request.value.data == Data("held".utf8))
        #expect(await proxy.status() == 0)
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    @Test func theGracePeriodEndsRequests() async throws {
        let proxy = try await ProxyProcess(to: server, ["--grace", "0.2"])
        let request = Task { try await proxy.client.data(from: proxy.url("/held")) }
        #expect(await server.waitUntilHeld("gate"))
        proxy.terminate()
        _ = await request.result
        _ = await proxy.status()
        #expect(await server.waitForOpenConnections(atMost: 0))
    }
}
