import Foundation
import PiuPiuTesting
import Testing

@Suite(.timeLimit(.generous))
struct ConversationTests {
    @Test
    func twoRequestsShareAConnection() throws {
        let server = try LoopbackServer()
        server.sequence("/a", [[.response(body: "one")], [.json("2", status: 201)]])
        let client = try RawClient(port: server.port)
        try client.write("GET /a?x=1 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.readResponse().body == "one")
        for _ in 0..<2 {
            try client.write("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabcd")
            let response = try client.readResponse()
            #expect(response.status == "HTTP/1.1 201 Created")
            #expect(response.body == "2")
        }
        #expect(server.acceptedConnections == 1)
        #expect(server.requests(for: "/a").map(\.target) == ["/a?x=1", "/a", "/a"])
        #expect(server.requests.map(\.connection) == [1, 1, 1])
        #expect(server.requests.last?.body == Data("abcd".utf8))
    }

    @Test
    func pipelinedRequestsAreAnsweredInOrder() throws {
        let server = try LoopbackServer()
        server.route("/slow", .sleep(.milliseconds(20)), .response(body: "slow"))
        server.route("/fast", .response(body: "fast"))
        let client = try RawClient(port: server.port)
        try client.write("GET /slow HTTP/1.1\r\n\r\nGET /fast HTTP/1.1\r\n\r\n")
        #expect(try client.readResponse().body == "slow")
        #expect(try client.readResponse().body == "fast")
    }

    @Test
    func headArrivesByteByByteAndIsRecordedAsItWas() throws {
        let server = try LoopbackServer()
        server.route("PATCH", "/p", .response(status: 204))
        let client = try RawClient(port: server.port)
        let head = "PATCH /p?q HTTP/1.1\r\nhOST:  h \r\nX-Two: 1\r\nX-Two: 2\r\nX-Empty:\r\n\r\n"
        for byte in head.utf8 {
            try client.write([byte])
        }
        #expect(try client.read(until: "\r\n\r\n") == "HTTP/1.1 204 No Content\r\n\r\n")
        let request = try #require(server.requests.first)
        #expect(request.head == Data(head.utf8))
        #expect(request.method == "PATCH")
        #expect(request.version == "HTTP/1.1")
        #expect(request.header("Host") == "h")
        #expect(request.headers.map(\.name) == ["hOST", "X-Two", "X-Two", "X-Empty"])
        #expect(request.headers.all("x-two") == ["1", "2"])
        #expect(request.isBodyComplete)
    }

    @Test
    func emptyLinesBeforeARequestDoNotCountHoweverTheyArrive() throws {
        let server = try LoopbackServer()
        server.route("/p", .response(status: 204))
        let client = try RawClient(port: server.port)
        for byte in "\r\n\r\nGET /p HTTP/1.1\r\nHost: h\r\n\r\n".utf8 { try client.write([byte]) }
        #expect(try client.read(until: "\r\n\r\n") == "HTTP/1.1 204 No Content\r\n\r\n")
    }

    @Test
    func chunkedBodyIsDecoded() throws {
        let server = try LoopbackServer()
        server.route("/echo", .echo)
        let client = try RawClient(port: server.port)
        try client.write("POST /echo HTTP/1.1\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n")
        let parts = [
            "4\r", "\nWi", "ki\r\n", "6;name=value\r\npedia \r", "\nE\r\nin \r\n\r\nchunks.\r\n", "0\r\nX: y\r\n",
        ]
        for part in parts + ["\r\n"] {
            try client.write(part)
        }
        let response = try client.readResponse()
        #expect(response.body == "Wikipedia in \r\n\r\nchunks.")
        #expect(response.head.contains("Content-Type: a/b\r\n"))
        #expect(server.requests.first?.bodyLength == 24)
        try client.write("GET /none HTTP/1.1\r\n\r\n")
        #expect(try client.readResponse().status == "HTTP/1.1 404 Not Found")
    }

    @Test
    func unknownPathIsAnsweredWithJSON() throws {
        let server = try LoopbackServer()
        server.route("POST", "/here", .response())
        let client = try RawClient(port: server.port)
        try client.write("GET /here HTTP/1.1\r\n\r\n")
        let response = try client.readResponse()
        #expect(response.status == "HTTP/1.1 404 Not Found")
        #expect(response.body == #"{"error":"not found"}"#)
    }

    @Test
    func headGetsNoBody() throws {
        let server = try LoopbackServer()
        server.route("/a", .response(headers: ["X": "y"], body: "body"))
        let client = try RawClient(port: server.port)
        try client.write("HEAD /a HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\n\r\n")
        let head = "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 4\r\n\r\n"
        #expect(try client.read(until: "\r\n\r\n") == head)
        #expect(try client.read(until: "\r\n\r\nbody") == head + "body")
    }

    @Test
    func connectionEndsWhenTheClientAsksForIt() throws {
        let server = try LoopbackServer()
        server.route("/a", .response(body: "x"))
        for request in ["GET /a HTTP/1.1\r\nConnection: Close\r\n\r\n", "GET /a HTTP/1.0\r\n\r\n"] {
            let client = try RawClient(port: server.port)
            try client.write(request)
            let (text, ending) = client.readAll()
            #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx")
            #expect(ending == .closed)
        }
        let client = try RawClient(port: server.port)
        for _ in 0..<2 {
            try client.write("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try client.readResponse().head.contains("Connection: keep-alive\r\n"))
        }
    }

    @Test
    func expectationIsMetBeforeTheBodyIsRead() throws {
        let server = try LoopbackServer()
        server.route("/a", .echo)
        let client = try RawClient(port: server.port)
        try client.write("PUT /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.write("ok")
        #expect(try client.readResponse().body == "ok")
    }

    @Test
    func scriptsAreMadeFromRequests() throws {
        let server = try LoopbackServer()
        server.route("POST", "/twice") { request in [.response(body: request.body + request.body)] }
        server.route("/show", .echoRequest)
        server.route("/old", .redirect(to: "/new", status: 308))
        let client = try RawClient(port: server.port)
        try client.write("POST /twice HTTP/1.1\r\nContent-Length: 2\r\n\r\nab")
        #expect(try client.readResponse().body == "abab")
        let request = "POST http://host/show HTTP/1.1\r\nContent-Length: 2\r\n\r\nab"
        try client.write(request)
        #expect(try client.readResponse().body == request)
        try client.write("GET /old HTTP/1.1\r\n\r\n")
        #expect(try client.readResponse().head.contains("308 Permanent Redirect\r\nLocation: /new\r\n"))
    }

    @Test
    func largeBodiesGoBothWays() throws {
        let server = try LoopbackServer()
        server.route("/echo", .echo)
        let client = try RawClient(port: server.port)
        let body = [UInt8](repeating: 65, count: 3_000_000)
        try client.write("POST /echo HTTP/1.1\r\nContent-Length: \(body.count)\r\n\r\n")
        try client.write(body)
        #expect(try client.readResponse().body.utf8.count == body.count)
    }

    @Test(arguments: [
        ("/a b", "/a%20b"), ("x", "/x"), ("/ü?q=%41 ", "/%C3%BC?q=%41%20"), ("?q", "/?q"), ("", "/"),
        ("/%#", "/%25%23"),
    ])
    func everyTargetMakesAURL(_ target: String, _ expected: String) throws {
        let server = try LoopbackServer()
        #expect(server.url(target).absoluteString == "http://127.0.0.1:\(server.port)" + expected)
        #expect(server.baseURL.absoluteString == "http://127.0.0.1:\(server.port)")
    }
}
