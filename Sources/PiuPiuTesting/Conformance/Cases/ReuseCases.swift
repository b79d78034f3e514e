import PiuPiuAsync

extension TransportConformance.Case {
    /// The requests that share a connection, and the use of a shared connection that turns out to be dead.
    static let reuse: [Self] = [
        .wire("reuse.inARow", "Requests in a row share a connection.", "RFC 9112 §9.3") { bench in
            bench.peer.answer("/", with: .response(body: "ok"))
            for _ in 0..<5 { try expect("the body", try await bench.transport.send(bench.request()).text, is: "ok") }
            try expect("the connections", try bench.server.acceptedConnections, is: 1)
        },
        .wire("reuse.closedByTheServer", "Connection: close of the server's ends it.", "RFC 9112 §9.6") { bench in
            let server = try bench.server
            server.route("/", .response(headers: ["Connection": "close"], body: "bye"), .hold("never"))
            for _ in 0..<2 { try expect("the body", try await bench.transport.send(bench.request()).text, is: "bye") }
            try expect("the connections", server.acceptedConnections, is: 2)
        },
        .wire("reuse.closedByTheCaller", "Connection: close of the caller's ends it.", "RFC 9112 §9.6") { bench in
            bench.peer.answer("/", with: .response(body: "ok"))
            for _ in 0..<2 { _ = try await bench.transport.send(bench.request(headers: ["Connection": "close"])) }
            try expect("the connections", try bench.server.acceptedConnections, is: 2)
            try expect("Connection", bench.peer.requests(for: "/").last?.headers["Connection"], is: "close")
        },
        .wire("reuse.closedWhileIdle", "A connection that was closed meanwhile is not used.", "RFC 9112 §9.5") {
            bench in
            let server = try bench.server
            server.route("/", .response(body: "ok"), .hold("close"), .close)
            server.route("POST", "/post", .echo)
            _ = try await bench.transport.send(bench.request())
            server.release("close")
            // No gate after the close: it would hide a transport that closes its side immediately.
            try expect(await server.waitForOpenConnections(atMost: 0), "a connection that the server has closed")
            let request = bench.request("/post", "POST") { $0.urlRequest.httpBody = Data("hello".utf8) }
            try expect("the body", try await bench.transport.send(request).text, is: "hello")
        },
        .wire("reuse.deadForGet", "A GET on a dead connection is sent again.", "RFC 9110 §9.2.2") { bench in
            try await bench.useConnection()
            try bench.server.sequence("GET", "/second", [[.close], [.response(body: "second")]])
            try expect("the body", try await bench.transport.send(bench.request("/second")).text, is: "second")
        },
        .wire("reuse.deadForPost", "A POST is never sent twice.", "RFC 9110 §9.2.2") { bench in
            for (path, body) in [("/content", Data("abc".utf8)), ("/none", nil)] {
                try await bench.useConnection()
                try bench.server.sequence("POST", path, [[.close], [.response(body: "second")]])
                let request = bench.request(path, "POST") { $0.urlRequest.httpBody = body }
                let error = try await expectError(.connectionLost) { try await bench.transport.send(request) }
                try expect(!error.isSafeToRetry, "a code that is not safe to retry")
                try expect("the requests that arrived", bench.peer.requests(for: path).count, is: 1)
            }
        },
        .wire("reuse.afterAnError", "A connection with a rest of a body is not used.", "RFC 9112 §9.3") { bench in
            let server = try bench.server
            server.route("/", .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabcdef"), .hold("rest"), .send("ghi"))
            server.route("/after", .response(body: "after"))
            try await expectError(.bodyTooLarge) {
                try await bench.transport.send(bench.request { $0.options.maximumBufferedBody = 3 })
            }
            server.release("rest")
            try expect("the body", try await bench.transport.send(bench.request("/after")).text, is: "after")
            try expect("its connection", server.requests(for: "/after").map(\.connection), is: [2])
        },
        .wire("reuse.afterAStream", "A stream that was read to its end leaves its connection.", "RFC 9112 §9.3") {
            bench in
            bench.peer.answer("/", with: .response(body: "abc"))
            for _ in 0..<3 {
                try expect("the body", try await bench.transport.send(streamed(bench)).streamed().text(), is: "abc")
            }
            try expect("the connections", try bench.server.acceptedConnections, is: 1)
        },
    ]
}

extension ConformanceBench {
    /// Opens a connection that later requests can reuse.
    fileprivate func useConnection() async throws {
        peer.answer("/first", with: .response(body: "first"))
        try expect("the first body", try await transport.send(request("/first")).text, is: "first")
    }
}
