import Foundation
import PiuPiuAsync
import PiuPiuTesting
import Testing

/// Bodies that are streams, at the pace of the slower side.
@Suite(.timeLimit(.minutes(5)))
struct StreamingTests {
    /// More than the buffers of two connections hold.
    private static let tooMuch = 96 << 20
    private static let chunk = Data(repeating: 0x65, count: 65_536)

    private let server: LoopbackServer
    private let proxy: ProxyProcess

    init() async throws {
        server = try LoopbackServer()
        proxy = try await ProxyProcess(to: server)
    }

    private func routeDownload(_ path: String, size: Int) {
        server.route(
            path,
            .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
            .repeat(Self.chunk, count: size / Self.chunk.count)
        )
    }

    @Test func aClientThatDoesNotReadHoldsTheUpstreamBack() async throws {
        routeDownload("/large", size: Self.tooMuch)
        let response = try await proxy.client.stream(for: URLRequest(url: proxy.url("/large")))
        let sent = try await proxy.standstill { server.bytesSent }
        #expect(sent > 0 && sent < Self.tooMuch / 2, "\(sent)")
        var received = 0
        for try await chunk in response.data { received += chunk.count }
        #expect(received == Self.tooMuch)
    }

    @Test func anUpstreamThatDoesNotReadHoldsTheClientBack() async throws {
        server.route("PUT", "/held", .ignoreBody, .hold("here"), .drainBody, .response(body: "ok"))
        let producer = Producer(Self.chunk, count: Self.tooMuch / Self.chunk.count)
        var request = URLRequest(url: try proxy.url("/held"))
        request.httpMethod = "PUT"
        let upload = Task { [request] in try await proxy.client.stream(for: request, from: .stream(producer)) }
        #expect(await server.waitUntilHeld("here"))
        let given = try await proxy.standstill { producer.given }
        #expect(given > 0 && given < Self.tooMuch / 2, "\(given)")
        server.release("here")
        #expect(try await upload.value.data.collect(upTo: 10) == Data("ok".utf8))
        #expect(producer.given == Self.tooMuch)
    }

    @Test func memoryDoesNotGrow() async throws {
        let size = 256 << 20
        routeDownload("/warm", size: 32 << 20)
        routeDownload("/large", size: size)
        server.route("PUT", "/upload", .drainBody, .response())
        for path in ["/warm", "/warm"] {
            for try await _ in try await proxy.client.stream(for: URLRequest(url: proxy.url(path))).data {}
        }
        let before = try proxy.memory("VmRSS")
        var received = 0
        for try await chunk in try await proxy.client.stream(for: URLRequest(url: proxy.url("/large"))).data {
            received += chunk.count
        }
        #expect(received == size)
        let down = try proxy.memory("VmHWM") - before
        #expect(down < 8 << 20, "\(down)")
        var request = URLRequest(url: try proxy.url("/upload"))
        request.httpMethod = "PUT"
        let producer = Producer(Self.chunk, count: size / Self.chunk.count)
        let response = try await proxy.client.stream(for: request, from: .stream(producer, length: Int64(size)))
        #expect(response.statusCode == .ok)
        let both = try proxy.memory("VmHWM") - before
        #expect(both < 8 << 20, "\(both)")
    }

    @Test func aClientThatGoesAwayClosesTheUpstream() async throws {
        routeDownload("/large", size: Self.tooMuch)
        server.route("/held", .hold("gate"), .response())
        do {
            let response = try await proxy.client.stream(for: URLRequest(url: proxy.url("/large")))
            #expect(response.statusCode == .ok)
        }
        #expect(await server.waitForOpenConnections(atMost: 0))
        // Before the head has arrived.
        let request = Task { try await proxy.client.data(from: proxy.url("/held")) }
        #expect(await server.waitUntilHeld("gate"))
        request.cancel()
        _ = await request.result
        #expect(await server.waitForOpenConnections(atMost: 0))
        // A client that only says that it sends nothing more.
        let raw = try RawConnection(to: proxy.port)
        try raw.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await server.waitForRequests(2, path: "/held"))
        raw.finish()
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    @Test(arguments: ["Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "Content-Length: 10\r\n\r\nhello"])
    func anUploadThatStopsIsNotComplete(start: String) async throws {
        server.route("POST", "/", .echo)
        do {
            let raw = try RawConnection(to: proxy.port)
            try raw.send("POST / HTTP/1.1\r\nHost: a\r\n\(start)")
            while server.openConnections == 0 { _ = try await proxy.client.data(from: proxy.url("/health")) }
        }
        #expect(await server.waitForOpenConnections(atMost: 0))
        #expect(server.requests.allSatisfy { !$0.isBodyComplete })
    }

    @Test func theResponseMayComeBeforeTheEndOfTheRequest() async throws {
        server.route("POST", "/early", .drainBody, .response(body: "early"))
        let raw = try RawConnection(to: proxy.port)
        try raw.send("POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello")
        #expect(await raw.read(until: "early").hasPrefix("HTTP/1.1 200 OK\r\n"))
        try raw.send("world")
        server.route("/next", .response(body: "next"))
        try? raw.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        let next = await raw.read(until: "next")
        // The connection goes on, or was closed because the body was late; nothing else.
        #expect(next.isEmpty || next.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(next)")
    }
}
