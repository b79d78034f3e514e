import PiuPiuAsync

extension TransportConformance.Case {
    /// Bodies that are read while they arrive.
    static let streams: [Self] = [
        .semantics("streams.headFirst", "The head is there before the body.", "BodyDelivery.streamed") { bench in
            bench.peer.answer("/", with: [.head(200, ["X-A": "1"]), .wait("body"), .body(Data("abc".utf8))])
            let response = try await bench.transport.send(streamed(bench))
            try expect("X-A", response.head.headers["X-A"], is: "1")
            try expect(response.stream != nil, "a stream")
            bench.peer.open("body")
            try expect("the body", try await response.streamed().text(), is: "abc")
        },
        .semantics("streams.pieces", "What has arrived can be read.", "BodyDelivery.streamed") { bench in
            let steps: [PeerStep] = [.head(200), .body(Data("abc".utf8)), .wait("rest"), .body(Data("def".utf8))]
            bench.peer.answer("/", with: steps)
            let body = try await bench.transport.send(streamed(bench)).streamed()
            var iterator = body.makeAsyncIterator()
            try expect("the first piece", try await iterator.next(), is: Data("abc".utf8))
            bench.peer.open("rest")
            try expect("the second piece", try await iterator.next(), is: Data("def".utf8))
            try expect("the end", try await iterator.next(), is: nil)
        },
        .semantics("streams.bytes", "A large body arrives byte for byte.", "BodyDelivery.streamed") { bench in
            let content = bytes(3_000_001)
            for announcesLength in [true, false] {
                bench.peer.answer("/", with: [.head(200, announcesLength: announcesLength), .body(content)])
                let body = try await bench.transport.send(streamed(bench)).streamed()
                if announcesLength { try expect("the length", body.expectedLength, is: Int64(content.count)) }
                let found = try await body.collect(upTo: 4 << 20)
                try expect(found == content, "\(content.count) bytes as they were sent", seen: "\(found.count) bytes")
            }
        },
        .semantics("streams.empty", "A body that is not there ends at once.", "RFC 9112 §6.3") { bench in
            for (method, status) in [("HEAD", 200), ("GET", 204), ("GET", 304), ("GET", 200)] {
                bench.peer.answer("/", with: status == 200 && method == "GET" ? .response() : [.head(status)])
                let body = try await bench.transport.send(streamed(bench, method)).streamed()
                try expect("the body of \(method) \(status)", try await body.text(), is: "")
            }
        },
        .semantics("streams.failure", "A failure status has a stream too.", "BodyDelivery.streamed") { bench in
            bench.peer.answer("/", with: .response(500, body: "sorry"))
            let response = try await bench.transport.send(streamed(bench))
            try expect("the status", response.head.statusCode, is: .internalServerError)
            try expect("the body", try await response.streamed().text(), is: "sorry")
        },
        .semantics("streams.noLimit", "The limit of collected bodies is not for streams.", "RequestOptions") { bench in
            bench.peer.answer("/", with: [.head(200), .body(bytes(100_000))])
            let request = bench.request {
                $0.delivery = .streamed
                $0.options.maximumBufferedBody = 1000
            }
            let body = try await bench.transport.send(request).streamed()
            try expect("the length", try await body.collect(upTo: 1 << 20).count, is: 100_000)
        },
        .wire("streams.backpressure", "A reader who does not read holds the server back.", "ResponseBody") { bench in
            let server = try bench.server
            let block = bytes(65_536)
            server.route(
                "/",
                .send("HTTP/1.1 200 OK\r\n\r\n"),
                .repeat(block, count: 2 * tooMuch / block.count),
                .close
            )
            server.route("/ping", .response())
            let body = try await bench.transport.send(streamed(bench)).streamed()
            try await bench.waitForStandstill { server.bytesSent / 65_536 * 65_536 }
            try expect(server.bytesSent < tooMuch, "a server that is held back", seen: "\(server.bytesSent) bytes")
            var count = 0
            for try await chunk in body {
                let start = count % block.count
                let piece = chunk.prefix(block.count - start)
                try expect(piece == block[start..<start + piece.count], "the bytes that were sent at \(count)")
                count += chunk.count
            }
            try expect("the length", count, is: 2 * tooMuch)
        },
        .wire("streams.decoded", "A stream is decoded, and its length is not known.", "RFC 9110 §8.4") { bench in
            let server = try bench.server
            server.route("/", .response(headers: ["Content-Encoding": "gzip"], body: gzip))
            let body = try await bench.transport.send(streamed(bench)).streamed()
            let isOffered = server.requests.first?.header("Accept-Encoding")?.contains("gzip") == true
            if isOffered { try expect("the length", body.expectedLength, is: nil) }
            let length = try await body.collect(upTo: 1 << 20).count
            try expect("the count of bytes", length, is: isOffered ? 5000 : gzip.count)
        },
    ]

    /// Ends of streams.
    static let streamEnds: [Self] = [
        .wire("streamEnds.fault", "What arrived comes before the error, and nothing after it.", "ResponseBody") {
            bench in
            let server = try bench.server
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
            server.route("/", .send(head + "abc"), .hold("end"), .close)
            let body = try await bench.transport.send(streamed(bench)).streamed()
            var iterator = body.makeAsyncIterator()
            try expect("the first piece", try await iterator.next(), is: Data("abc".utf8))
            server.release("end")
            let error = try await expectError(.truncatedBody) { try await iterator.next() }
            try expect("bytesReceived", error.bytesReceived, is: 3)
            try expect("the status", error.response?.statusCode, is: .ok)
            try expect("what comes after the error", try await iterator.next(), is: nil)
        },
        .semantics("streamEnds.dropped", "Dropping a body closes the exchange.", "ResponseBody") { bench in
            bench.peer.answer("/", with: endless)
            _ = try await bench.transport.send(streamed(bench))
            try expect(await bench.peer.waitUntilClosed(), "an exchange that is over")
        },
        .semantics("streamEnds.left", "Leaving the loop closes the exchange.", "ResponseBody") { bench in
            bench.peer.answer("/", with: endless)
            let body = try await bench.transport.send(streamed(bench)).streamed()
            for try await _ in body { break }
            try expect(await bench.peer.waitUntilClosed(), "an exchange that is over")
            withExtendedLifetime(body) {}
        },
        .semantics("streamEnds.cancelled", "Cancelling a reader closes the exchange.", "ResponseBody") { bench in
            bench.peer.answer("/", with: [.head(200, announcesLength: false), .body(Data("abc".utf8)), .hang])
            let transport = try bench.transport
            let isReading = Signal()
            let reader = Task {
                for try await _ in try await transport.send(streamed(bench)).streamed() { isReading.send() }
            }
            await isReading.wait()
            reader.cancel()
            try await expectCancellation { try await reader.value }
            try expect(await bench.peer.waitUntilClosed(), "an exchange that is over")
        },
        .semantics("streamEnds.invalidated", "Invalidating ends a body that is read.", "HTTPTransport") { bench in
            bench.peer.answer("/", with: [.head(200, announcesLength: false), .body(Data("abc".utf8)), .hang])
            let transport = try bench.transport
            let body = try await transport.send(streamed(bench)).streamed()
            var iterator = body.makeAsyncIterator()
            _ = try await iterator.next()
            transport.invalidateAndCancel()
            try await expectCancellation { try await iterator.next() }
            try expect(await bench.peer.waitUntilClosed(), "an exchange that is over")
        },
    ]

    /// Sends a request for a body that is read while it arrives.
    static func streamed(
        _ bench: ConformanceBench,
        _ method: String = "GET",
        _ configure: (inout TransportRequest) -> Void = { _ in }
    ) -> TransportRequest {
        bench.request("/", method) {
            $0.delivery = .streamed
            configure(&$0)
        }
    }

    /// An answer that is far longer than any buffer and never ends.
    private static var endless: [PeerStep] {
        [.head(200, announcesLength: false), .repeated(bytes(65_536), count: tooMuch / 65_536), .hang]
    }
}

extension ResponseBody {
    /// The rest of the body as text.
    func text() async throws -> String {
        String(decoding: try await collect(upTo: 1 << 20), as: UTF8.self)
    }
}
