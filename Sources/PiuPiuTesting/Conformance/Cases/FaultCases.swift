import PiuPiuAsync

extension TransportConformance.Case {
    /// Connections that break.
    static let faults: [Self] = [
        .raw("faults.closedBeforeTheHead", "No answer is a lost connection.", lost, fails: .connectionLost) {
            [.close]
        },
        .raw("faults.resetBeforeTheHead", "A reset is a lost connection.", lost, fails: .connectionLost) { [.reset] },
        .raw("faults.halfClosed", "A half closed connection is a lost one.", lost, fails: .connectionLost) {
            [.closeWrite, .stall]
        },
        .raw("faults.resetInsideTheHead", "Half a head is a lost connection.", lost, fails: .connectionLost) {
            [.send("HTTP/1.1 200 OK\r\n"), .reset]
        },
        .raw("faults.closedInsideTheHead", "A head without its end is none.", lost, fails: .connectionLost) {
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n"), .close]
        },
        .raw("faults.closedInsideTheBody", "A body that is too short is an error.", short, fails: .truncatedBody) {
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .close]
        },
        .raw(
            "faults.resetInsideTheBody",
            "A body that is cut off by a reset is an error.",
            short,
            fails: .truncatedBody
        ) {
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .reset]
        },
        .raw("faults.closedInsideAChunk", "A chunk that is too short is an error.", short, fails: .truncatedBody) {
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\nabc"), .close]
        },
        .raw("faults.lastChunkMissing", "Chunks without the last one are an error.", short, fails: .truncatedBody) {
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"), .close]
        },
        .wire("faults.refused", "A refused connection is safe to try again.", "TransportError.Code") { bench in
            let port = try RefusingPort()
            let transport = try bench.transport
            let error = try await expectError(.cannotConnect) {
                try await transport.send(TransportRequest(to: port.url))
            }
            try expect(error.isSafeToRetry, "a code that is safe to retry")
        },
        .wire("faults.plainAnswerToTLS", "A server that speaks no TLS is a TLS error.", "TransportError.Code") {
            bench in
            let server = try LoopbackServer(onConnect: [.send("HTTP/1.1 400 Bad Request\r\n\r\n"), .close])
            let url = try expectValue("a URL", URL(string: "https://127.0.0.1:\(server.port)/"))
            try await expectError(.tls) { try await bench.transport.send(TransportRequest(to: url)) }
        },
        .wire("faults.knowWhatArrived", "An error knows what had arrived.", "TransportError") { bench in
            let script: [Step] = [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nX-A: 1\r\n\r\nabc"), .close]
            let error = try await expectError(.truncatedBody) { try await bench.response(toScript: script) }
            try expect("bytesReceived", error.bytesReceived, is: 3)
            try expect("the status", error.response?.statusCode, is: .ok)
            try expect("X-A", error.response?.headers["X-A"], is: "1")
            try expect("the URL", error.request?.url, is: bench.peer.url("/raw"))
        },
        .semantics("faults.noSecrets", "An error shows no secret.", "TransportError.request") { bench in
            bench.peer.answer("/", with: [.hang])
            let headers = ["Authorization": "Bearer hush", "Cookie": "a=hush", "X-Key": "hush"]
            let request = bench.request("/?key=hush", "POST", headers: headers) {
                $0.urlRequest.httpBody = Data("hush".utf8)
                $0.options.sensitiveHeaders = ["X-Key"]
                $0.options.timeouts.total = .milliseconds(100)
            }
            let error = try await expectError(.timeout(.total)) { try await bench.transport.send(request) }
            let fields = error.request?.allHTTPHeaderFields ?? [:]
            for text in ["\(error)", String(reflecting: error), "\(fields)"] {
                try expect(!text.contains("hush"), "no secret", seen: text)
            }
            try expect("the body of the error's request", error.request?.httpBody, is: nil)
        },
    ]

    private static let lost = "TransportError.Code.connectionLost"
    private static let short = "RFC 9112 §8"
}
