import PiuPiuAsync

extension TransportConformance.Case {
    /// Heads of responses.
    static let heads: [Self] = [
        .semantics("heads.status", "Every final status is a response, and none an error.", "RFC 9110 §15") { bench in
            for status in [200, 201, 299, 400, 404, 418, 500, 503, 599] {
                let response = try await bench.response(with: .response(status, body: "abc"))
                try expect("the status", response.head.statusCode.rawValue, is: status)
                try expect("the body of \(status)", response.text, is: "abc")
            }
        },
        .semantics("heads.fields", "Fields arrive, with names in any case.", "RFC 9110 §5.1") { bench in
            let fields: HTTPHeaderFields = ["Content-Type": "text/plain; charset=utf-8", "x-lower": "1", "X-Empty": ""]
            let head = try await bench.response(with: .response(headers: fields, body: "abc")).head
            try expect("content-type", head.headers["content-type"], is: "text/plain; charset=utf-8")
            try expect("X-LOWER", head.firstValue(of: "X-LOWER"), is: "1")
            try expect("X-Empty", head.headers["X-Empty"], is: "")
            try expect("X-Missing", head.headers["X-Missing"], is: nil)
        },
        .semantics("heads.lines", "Lines of one name stay apart, in their order.", "RFC 6265 §3") { bench in
            let fields: HTTPHeaderFields = ["Set-Cookie": "a=1; Path=/", "X": "1", "Set-Cookie": "b=2, 3", "X": "2"]
            let head = try await bench.response(with: .response(headers: fields)).head
            try expect("Set-Cookie", head.headers.values(for: "Set-Cookie"), is: ["a=1; Path=/", "b=2, 3"])
            try expect("X", head.headers.values(for: "X"), is: ["1", "2"])
        },
        .semantics("heads.request", "The response names the URL and the request.", "TransportResponse") { bench in
            bench.peer.answer("/here", with: .response())
            let request = bench.request("/here?x=1", headers: ["X-One": "1"])
            let response = try await bench.transport.send(request)
            try expect("the URL of the head", response.head.url, is: bench.peer.url("/here?x=1"))
            try expect("the URL of the request", response.urlRequest.url, is: bench.peer.url("/here?x=1"))
            try expect("the redirects", response.history.count, is: 0)
        },
        .raw("heads.noReason", "A reason phrase may be missing.", "RFC 9112 §4", "200\r\n" + abc, gives: "abc"),
        .raw(
            "heads.whiteSpace",
            "White space around a value is not part of it, and none is needed.",
            "RFC 9112 §5.1",
            "200 OK\r\nX-A:1\r\nX-B: \t 2 \t\r\n" + abc,
            gives: "abc",
            fields: ["X-A": "1", "X-B": "2"]
        ),
        .raw(
            "heads.folded",
            "A folded line continues the value before it.",
            "RFC 9112 §5.2",
            "200 OK\r\nX-A: one\r\n two\r\n" + abc,
            gives: "abc",
            fields: ["X-A": "one two"]
        ),
        .raw(
            "heads.dribble",
            "A head that comes byte by byte is the same.",
            "RFC 9112 §2.2",
            .dribble("HTTP/1.1 200 OK\r\nX-A: 1\r\n\(abc)"),
            gives: "abc",
            fields: ["X-A": "1"]
        ),
        .wire("heads.latin1", "A value that is not UTF-8 is no error.", "RFC 9110 §5.5") { bench in
            let head = Data("HTTP/1.1 200 OK\r\nX-A: caf".utf8) + [0xE9] + Data("\r\n\(abc)".utf8)
            let response = try await bench.response(toScript: [.send(head)])
            try expect("the body", response.text, is: "abc")
            try expect("X-A", response.head.headers["X-A"], is: "café")
        },
        .raw("heads.notHTTP", "What is not HTTP is a malformed head.", "RFC 9112 §4", fails: .malformedHead) {
            [.send("SSH-2.0-OpenSSH_9.2\r\n\r\n"), .close]
        },
        .raw("heads.http09", "HTTP/0.9 is a malformed head.", "RFC 9112 §4", fails: .malformedHead) {
            [.send("hello"), .close]
        },
        .raw("heads.status000", "A status below 100 is a malformed head.", "RFC 9110 §15", fails: .malformedHead) {
            [.send("HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n"), .close]
        },
        .raw("heads.nul", "NUL in a head is a malformed head.", "RFC 9110 §5.5", fails: .malformedHead) {
            [.send("HTTP/1.1 200 OK\r\nX-A: a\0b\r\n\(abc)"), .close]
        },
        .raw("heads.http10", "HTTP/1.0 ends a body by closing.", "RFC 9112 §6.3", gives: "abc") {
            [.send("HTTP/1.0 200 OK\r\n\r\nabc"), .close]
        },
    ]

    /// Collected bodies.
    static let bodies: [Self] = [
        .semantics("bodies.empty", "An empty body is nil.", "TransportResponse.body") { bench in
            try expect("the body", try await bench.response(with: .response()).body, is: nil)
        },
        .semantics("bodies.bytes", "Every value of a byte arrives.", "RFC 9110 §6.4") { bench in
            let body = Data((0...255).map { UInt8($0) })
            try expect("the body", try await bench.response(with: [.head(200), .body(body)]).body, is: body)
        },
        .semantics("bodies.pieces", "Pieces are joined in their order.", "RFC 9110 §6.4") { bench in
            let steps: [PeerStep] = [.head(200), .body(Data("abc".utf8)), .wait("rest"), .body(Data("def".utf8))]
            bench.peer.answer("/", with: steps)
            let transport = try bench.transport
            async let response = transport.send(bench.request())
            _ = await bench.peer.waitUntilWaiting(at: "rest", count: 1)
            bench.peer.open("rest")
            try expect("the body", try await response.text, is: "abcdef")
        },
        .semantics("bodies.large", "A large body arrives byte for byte.", "RFC 9110 §6.4") { bench in
            let body = bytes(3_000_001)
            for announcesLength in [true, false] {
                let steps: [PeerStep] = [.head(200, announcesLength: announcesLength), .body(body)]
                let found = try await bench.response(with: steps).body
                try expect(found == body, "\(body.count) bytes as they were sent", seen: "\(found?.count ?? 0) bytes")
            }
        },
        .semantics("bodies.parallel", "Responses that come at once are not mixed up.", "RFC 9110 §3.3") { bench in
            let transport = try bench.transport
            for index in 0..<40 { bench.peer.answer("/\(index)", with: .response(body: "body \(index)")) }
            try await withThrowingTaskGroup(of: (Int, String?).self) { group in
                for index in 0..<40 {
                    group.addTask { (index, try await transport.send(bench.request("/\(index)")).text) }
                }
                for try await (index, text) in group { try expect("the body", text, is: "body \(index)") }
            }
        },
    ]

    /// Responses that have no body, regardless of their header fields.
    static let withoutBody: [Self] = [
        .semantics("withoutBody.head", "A response to HEAD has no body.", "RFC 9110 §9.3.2") { bench in
            let response = try await bench.response(to: "HEAD", with: .response(body: "abc"))
            try expect("the body", response.body, is: nil)
            try expect("Content-Length", response.head.headers["Content-Length"], is: "3")
        },
        .semantics("withoutBody.noContent", "204 has no body.", "RFC 9110 §15.3.5") { bench in
            let response = try await bench.response(with: [.head(204)])
            try expect("the status", response.head.statusCode, is: .noContent)
            try expect("the body", response.body, is: nil)
        },
        .semantics("withoutBody.notModified", "304 is a response without a body.", "RFC 9110 §15.4.5") { bench in
            let steps: [PeerStep] = [.head(304, ["ETag": "\"1\"", "Content-Length": "3"])]
            let response = try await bench.response(with: steps, headers: ["If-None-Match": "\"1\""])
            try expect("the status", response.head.statusCode, is: .notModified)
            try expect("the body", response.body, is: nil)
        },
        .wire(
            "withoutBody.lengths",
            "A length in front of no body is not waited for, and the connection stays in step.",
            "RFC 9112 §6.3"
        ) { bench in
            let server = try bench.server
            server.route("HEAD", "/head", .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"))
            server.route("/204", .send("HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n"))
            server.route("/304", .send("HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n"))
            server.route("/after", .response(body: "after"))
            let transport = try bench.transport
            for (method, path) in [("HEAD", "/head"), ("GET", "/204"), ("GET", "/304")] {
                try expect("the body of \(path)", try await transport.send(bench.request(path, method)).body, is: nil)
                try expect("the next body", try await transport.send(bench.request("/after")).text, is: "after")
            }
        },
    ]

    /// Interim responses before the final one.
    static let interimResponses: [Self] = [
        .wire("interim.skipped", "Interim responses are skipped, with their fields.", "RFC 9110 §15.2") { bench in
            let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
            let hints = "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"
            let response = try await bench.response(toScript: [
                .send(interim + hints), .send("HTTP/1.1 200 OK\r\n" + abc),
            ])
            try expect("the status", response.head.statusCode, is: .ok)
            try expect("the body", response.text, is: "abc")
            try expect("Link", response.head.headers["Link"], is: nil)
        },
        .raw("interim.many", "There may be many of them.", "RFC 9110 §15.2", gives: "abc") {
            [
                .repeat("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n", count: 100),
                .send("HTTP/1.1 200 OK\r\n" + abc),
            ]
        },
        .raw("interim.upgrade", "101 that nobody asked for is refused.", "RFC 9110 §15.2.2", fails: .malformedHead) {
            [.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc"), .close]
        },
    ]

    /// The rest of a head, and a body.
    private static let abc = "Content-Length: 3\r\n\r\nabc"
}
