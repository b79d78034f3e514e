import PiuPiuAsync

extension TransportConformance.Case {
    /// The requests that a server receives.
    static let requests: [Self] = [
        .semantics("requests.methods", "The method arrives as it is written.", "RFC 9110 §9.1") { bench in
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PURGE", "Mixed"] {
                try expect("the method", try await bench.sent(method).method, is: method)
            }
        },
        .semantics("requests.fields", "Header fields arrive as they are written.", "RFC 9110 §5.5") { bench in
            let value = "a \"b\", c;d=e/f"
            let request = try await bench.sent(headers: ["X-One": value, "X-Two": "2", "User-Agent": "mine/1"])
            try expect("X-One", request.headers["x-one"], is: value)
            try expect("X-Two", request.headers["X-TWO"], is: "2")
            try expect("User-Agent", request.headers.values(for: "User-Agent"), is: ["mine/1"])
        },
        .semantics("requests.emptyField", "A field without a value arrives as one.", "RFC 9110 §5.5") { bench in
            let request = try await bench.sent(headers: ["X-Empty": ""])
            try expect("X-Empty", request.headers.values(for: "X-Empty"), is: [""])
        },
        .semantics("requests.target", "Path and query arrive as they are written.", "RFC 9112 §3.2.1") { bench in
            let target = "/a/b%2Fc?x=1&y=%0d%0a&z=a+b"
            try expect("the target", try await bench.sent(target: target).target, is: target)
        },
        .semantics("requests.fragment", "A fragment is not sent.", "RFC 9110 §7.1") { bench in
            let url = try expectValue("a URL", URL(string: bench.peer.url("/page?q").absoluteString + "#part"))
            bench.peer.answer("/page", with: .response())
            _ = try await bench.transport.send(TransportRequest(to: url))
            try expect("the targets", bench.peer.requests(for: "/page").map(\.target), is: ["/page?q"])
        },
        .wire("requests.host", "There is one Host, with the port.", "RFC 9112 §3.2") { bench in
            let request = try await bench.sent()
            try expect("Host", request.headers.values(for: "Host"), is: ["127.0.0.1:\(try bench.server.port)"])
        },
        .wire(
            "requests.withoutContent",
            "A request without content announces none; POST and PUT announce that it is empty.",
            "RFC 9110 §8.6"
        ) { bench in
            for (method, length) in [("GET", nil), ("HEAD", nil), ("POST", "0"), ("PUT", "0")] {
                let request = try await bench.sent(method)
                try expect("Content-Length of \(method)", request.headers["Content-Length"], is: length)
                try expect("Transfer-Encoding of \(method)", request.headers["Transfer-Encoding"], is: nil)
            }
        },
        .semantics("requests.body", "The body arrives byte for byte.", "RFC 9110 §6.4") { bench in
            for count in [1, 65_536, 1_000_003] {
                let body = bytes(count)
                let request = try await bench.sent("POST") { $0.urlRequest.httpBody = body }
                try expect(
                    request.body == body,
                    "\(count) bytes as they were sent",
                    seen: "\(request.body.count) bytes"
                )
            }
        },
        .wire("requests.contentLength", "A body in memory is announced with its length.", "RFC 9110 §8.6") { bench in
            let request = try await bench.sent("POST", headers: ["Content-Type": "text/x"]) {
                $0.urlRequest.httpBody = Data("hello".utf8)
            }
            try expect("Content-Length", request.headers.values(for: "Content-Length"), is: ["5"])
            try expect("Transfer-Encoding", request.headers["Transfer-Encoding"], is: nil)
            try expect("Content-Type", request.headers.values(for: "Content-Type"), is: ["text/x"])
        },
        .semantics("requests.isolated", "Nothing of one request is left in the next.", "RFC 9110 §3.3") { bench in
            let transport = try bench.transport
            bench.peer.answer("/", with: .response(body: "ok"))
            let first = bench.request("/", "PUT", headers: ["X-Token": "secret", "Content-Type": "text/x"]) {
                $0.urlRequest.httpBody = Data("secret".utf8)
            }
            for request in [first, bench.request(), bench.request("/", "POST")] {
                _ = try await transport.send(request)
            }
            for request in bench.peer.requests(for: "/").dropFirst() {
                try expect("X-Token", request.headers["X-Token"], is: nil)
                try expect("Content-Type", request.headers["Content-Type"] == "text/x", is: false)
                try expect("the body", request.body, is: Data())
            }
        },
        .semantics(
            "requests.userInformation",
            "User information of the URL is sent neither in the target nor in Host.",
            "RFC 9110 §4.2.4"
        ) { bench in
            var parts = URLComponents(url: bench.peer.url("/"), resolvingAgainstBaseURL: false)
            parts?.user = "ada"
            parts?.password = "hush"
            let url = try expectValue("a URL", parts?.url)
            bench.peer.answer("/", with: .response())
            _ = try await bench.transport.send(TransportRequest(to: url))
            let request = try expectValue("a request", bench.peer.requests(for: "/").first)
            try expect("the target", request.target, is: "/")
            try expect(request.headers["Host"]?.contains("hush") != true, "a Host without it")
        },
    ]

    /// Requests that must not be sent.
    static let refusals: [Self] = [
        .semantics("refusals.method", "A method that is no token is refused, and not sent.", "RFC 9110 §9.1") { bench in
            for method in ["", "G T", "GET / HTTP/1.1\r\nX: y"] {
                var request = bench.request()
                request.urlRequest.httpMethod = method
                // Foundation may have replaced the method by GET.
                guard request.urlRequest.httpMethod == method else { continue }
                try await expectRefused(request, bench, .invalidRequest)
            }
        },
        .semantics(
            "refusals.fields",
            "A field name that is no token and a value with a line break are refused, and not sent.",
            "RFC 9110 §5.5"
        ) { bench in
            for (name, value) in [("X ", "y"), ("X\r\nInjected", "y"), ("X", "a\r\nInjected: b"), ("X", "a\nb")] {
                let request = bench.request(headers: [name: value])
                guard request.urlRequest.allHTTPHeaderFields?[name] == value else { continue }
                try await expectRefused(request, bench, .invalidRequest)
            }
        },
        .semantics(
            "refusals.framing",
            "Framing of the caller's that does not agree with the body is refused, and not sent.",
            "RFC 9112 §6.3"
        ) { bench in
            for (name, value) in [("Content-Length", "5"), ("Content-Length", "-1"), ("Transfer-Encoding", "chunked")] {
                let request = bench.request("/", "POST", headers: [name: value]) {
                    $0.urlRequest.httpBody = Data("abc".utf8)
                }
                try await expectRefused(request, bench, .invalidRequest)
            }
        },
        .semantics("refusals.contentOfGet", "A GET or HEAD with a body is refused.", "RFC 9110 §9.3.1") { bench in
            for method in ["GET", "HEAD"] {
                let request = bench.request("/", method) { $0.urlRequest.httpBody = Data("abc".utf8) }
                try await expectRefused(request, bench, .invalidRequest)
            }
        },
        .semantics("refusals.twoBodies", "A request with two bodies is refused.", "TransportRequest.body") { bench in
            let request = bench.request("/", "POST") {
                $0.urlRequest.httpBody = Data("abc".utf8)
                $0.body = .data(Data("def".utf8))
            }
            try await expectRefused(request, bench, .invalidRequest)
        },
        .semantics("refusals.scheme", "A scheme that is not http or https is refused.", "RFC 9110 §4.2") { bench in
            for text in ["ftp://127.0.0.1/", "file:///etc/hostname", "data:,hello"] {
                let url = try expectValue("a URL", URL(string: text))
                try await expectError(.unsupportedScheme) {
                    try await bench.transport.send(TransportRequest(to: url))
                }
            }
        },
    ]

    private static func expectRefused(
        _ request: TransportRequest,
        _ bench: ConformanceBench,
        _ code: TransportError.Code
    ) async throws {
        try await expectError(code) { try await bench.transport.send(request) }
        try expect("the requests that arrived", bench.peer.requests(for: "/").count, is: 0)
    }
}

/// Creates bytes that differ by position, so that a test notices a misplaced piece.
func bytes(_ count: Int) -> Data {
    var state: UInt32 = 0x2545_F491
    // A prime, so that the repetition does not coincide with buffer sizes.
    let block = (0..<4093).map { _ in
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return UInt8(truncatingIfNeeded: state)
    }
    var data = Data(capacity: count + block.count)
    while data.count < count { data.append(contentsOf: block) }
    return data.prefix(count)
}
