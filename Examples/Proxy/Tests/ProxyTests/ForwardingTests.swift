import Foundation
import PiuPiuAsync
import PiuPiuTesting
import Testing

/// What arrives at the upstream, and what comes back.
@Suite(.timeLimit(.minutes(5)))
struct ForwardingTests {
    private let server: LoopbackServer
    private let proxy: ProxyProcess

    init() async throws {
        server = try LoopbackServer()
        proxy = try await ProxyProcess(to: server)
    }

    @Test func methodTargetFieldsAndBodyArrive() async throws {
        server.route("PATCH", "/a%2Fb/c", .response(status: 201, body: "made"))
        var request = URLRequest(url: try proxy.url("/a%2Fb/c?q=1&r=%20x"))
        request.httpMethod = "PATCH"
        request.httpBody = Data("changes".utf8)
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        request.setValue(trace, forHTTPHeaderField: "traceparent")
        request.setValue("vendor=1", forHTTPHeaderField: "tracestate")
        request.setValue("a=1; b=2", forHTTPHeaderField: "Cookie")
        request.setValue("192.0.2.1", forHTTPHeaderField: "X-Forwarded-For")
        let response = try await proxy.client.data(for: request)
        #expect(response.statusCode == .created)
        #expect(response.data == Data("made".utf8))
        let arrived = try #require(server.requests.first)
        #expect(arrived.method == "PATCH")
        #expect(arrived.target == "/a%2Fb/c?q=1&r=%20x")
        #expect(arrived.body == Data("changes".utf8))
        #expect(arrived.header("Host") == "127.0.0.1:\(server.port)")
        #expect(arrived.header("traceparent") == trace)
        #expect(arrived.header("tracestate") == "vendor=1")
        #expect(arrived.header("Cookie") == "a=1; b=2")
        #expect(arrived.header("Via") == "1.1 piupiu")
        #expect(arrived.header("X-Forwarded-For") == "192.0.2.1, 127.0.0.1")
        #expect(arrived.header("X-Forwarded-Host") == "127.0.0.1:\(proxy.port)")
        #expect(arrived.header("X-Forwarded-Proto") == "http")
        #expect(arrived.header("Content-Length") == "7")
    }

    @Test func fieldsOfTheConnectionAreDropped() async throws {
        server.route(
            "/",
            .send(
                """
                HTTP/1.1 200 OK\r\nConnection: x-gone, close\r\nX-Gone: 1\r\nKeep-Alive: 5\r\nUpgrade: h2c\r\n\
                Proxy-Authenticate: Basic\r\nTransfer-Encoding: chunked\r\nX-Kept: 1\r\n\r\n0\r\n\r\n
                """
            ),
            .close
        )
        let raw = try RawConnection(to: proxy.port)
        try raw.send(
            """
            GET / HTTP/1.1\r\nHost: example.com\r\nConnection: X-Gone , close\r\nX-Gone: 1\r\nKeep-Alive: 5\r\n\
            Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic c2VjcmV0\r\nTE: trailers\r\nUpgrade: websocket\r\n\
            X-Kept: 1\r\n\r\n
            """
        )
        let response = await raw.read(until: "0\r\n\r\n").lowercased()
        let arrived = try #require(server.requests.first)
        let names = ["x-gone", "keep-alive", "upgrade", "proxy-connection", "proxy-authorization", "te"]
        for name in names { #expect(arrived.header(name) == nil, "\(name)") }
        #expect(arrived.header("X-Kept") == "1")
        for name in ["x-gone", "keep-alive", "upgrade", "proxy-authenticate"] {
            #expect(!response.contains("\r\n\(name):"), "\(response)")
        }
        #expect(response.contains("\r\nx-kept: 1\r\n"))
        #expect(response.contains("\r\nvia: 1.1 piupiu\r\n"))
    }

    @Test func repeatedFieldsStayApart() async throws {
        let cookies: HeaderList = ["Set-Cookie": "a=1, b", "X-Two": "1", "Set-Cookie": "c=2", "X-Two": "2"]
        server.route("/", .response(headers: cookies))
        let response = try await proxy.client.data(from: proxy.url("/"))
        let fields = try response.makeHTTPResponse().head.headers
        #expect(fields.filter { $0.name.lowercased() == "set-cookie" }.map(\.value) == ["a=1, b", "c=2"])
        #expect(fields.filter { $0.name.lowercased() == "x-two" }.map(\.value) == ["1", "2"])
    }

    @Test func responsesWithoutABodyKeepTheConnection() async throws {
        server.route("HEAD", "/known", .response(body: "12345"))
        server.route("HEAD", "/unknown", .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))
        server.route("/none", .response(status: 204))
        server.route("/same", .send("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n"))
        server.route("/last", .response(headers: ["X-Last": "1"], body: "end"))
        let raw = try RawConnection(to: proxy.port)
        for (target, field) in [
            ("HEAD /known", "\r\ncontent-length: 5"), ("HEAD /unknown", ""), ("GET /none", ""),
            ("GET /same", "\r\netag: \"1\""),
        ] {
            try raw.send("\(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            let head = await raw.read(until: "\r\n\r\n")
            #expect(
                head.hasPrefix("HTTP/1.1 ") && (field.isEmpty || head.lowercased().contains(field)),
                "\(target): \(head)"
            )
        }
        try raw.send("GET /last HTTP/1.1\r\nHost: a\r\n\r\n")
        let last = await raw.read(until: "end")
        #expect(last.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(last)")
    }

    @Test func compressedBodiesAndRedirectsAreNotTouched() async throws {
        let bytes = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3])
        server.route("/gzip", .response(headers: ["Content-Encoding": "gzip"], body: bytes))
        server.route("/moved", .redirect(to: "/elsewhere"))
        #expect(try await proxy.client.data(from: proxy.url("/gzip")).data == bytes)
        let moved = try await proxy.client.data(from: proxy.url("/moved"))
        #expect(moved.statusCode == .found)
        #expect(server.requests(for: "/elsewhere").isEmpty)
        #expect(server.requests.allSatisfy { $0.header("Accept-Encoding") == nil })
    }

    @Test func trailersFollow() async throws {
        server.route(
            "/",
            .send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n"
            )
        )
        let response = try await proxy.client.stream(for: URLRequest(url: proxy.url("/")))
        #expect(try await response.data.collect(upTo: 10) == Data("abc".utf8))
        #expect(response.data.trailers?["X-Sum"] == "7")
    }

    @Test func aClientThatExpectsContinueGetsIt() async throws {
        server.route("POST", "/", .echo)
        let raw = try RawConnection(to: proxy.port)
        try raw.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        #expect(await raw.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try raw.send("hello")
        #expect(await raw.read(until: "hello").hasPrefix("HTTP/1.1 200 OK"))
        #expect(server.requests.first?.header("Expect") == nil)
    }

    @Test func anAbsoluteTargetIsForwardedAsAPath() async throws {
        server.route("/x", .response(body: "here"))
        let raw = try RawConnection(to: proxy.port)
        try raw.send("GET http://192.0.2.1/x?y HTTP/1.1\r\nHost: 192.0.2.1\r\n\r\n")
        #expect(await raw.read(until: "here").hasPrefix("HTTP/1.1 200 OK"))
        #expect(server.requests.first?.target == "/x?y")
        #expect(server.requests.first?.header("Host") == "127.0.0.1:\(server.port)")
    }

    @Test func theBasePathOfTheUpstreamComesFirst() async throws {
        server.route("/base/x", .response(body: "based"))
        let other = try await ProxyProcess(to: "http://127.0.0.1:\(server.port)/base/")
        #expect(try await other.client.data(from: other.url("/x?y")).data == Data("based".utf8))
        #expect(server.requests.first?.target == "/base/x?y")
    }

    @Test func idempotentRequestsAreSentAgain() async throws {
        server.sequence("/", [[.reset], [.response(body: "again")]])
        server.sequence("POST", "/post", [[.reset], [.response()]])
        #expect(try await proxy.client.data(from: proxy.url("/")).data == Data("again".utf8))
        var post = URLRequest(url: try proxy.url("/post"))
        post.httpMethod = "POST"
        #expect(try await proxy.client.data(for: post).statusCode == .badGateway)
        #expect(server.requests(for: "/post").count == 1)
    }

    @Test func itSaysThatItIsAlive() async throws {
        #expect(try await proxy.client.data(from: proxy.url("/health")).data == Data("ok\n".utf8))
        #expect(server.acceptedConnections == 0)
    }
}
