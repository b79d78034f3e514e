import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Tests bytes that no request asked for, on connections that would be used again.
    struct WrongResponseTests {
        private static let stray = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray"

        /// A response that together with its head has a length, so that it can fill buffers exactly.
        private static func response(_ length: Int) -> (text: String, body: String) {
            var body = ""
            for _ in 0..<3 {
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"
                body = String(repeating: "b", count: max(1, length - head.count))
            }
            return ("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n" + body, body)
        }

        private func server(
            _ wire: Wire,
            _ configure: (inout TLSRelay.Settings) -> Void = { _ in }
        ) throws -> WiredServer {
            let server = try WiredServer(wire, configure)
            server.script.route("/next") { request in [.response(body: "next \(request.method)")] }
            return server
        }

        /// One that is given up, and one for what follows.
        private static let expectedConnections = 2

        /// Sends further requests, each of which must get its own response.
        private func checkNext(
            _ dispatcher: URLRequestDispatcher,
            _ server: WiredServer,
            by delivery: Delivery = .data
        ) async throws {
            for method in ["GET", "POST", "GET"] {
                let request = URLRequest(method, server.url("/next"), body: method == "POST" ? "x" : nil)
                #expect(try await dispatcher.receive(request, by: delivery) == Received("next \(method)"))
            }
        }

        @Test(
            "A second response in the same write is not taken for the answer to the next request",
            arguments: Wire.available,
            [60, 1 << 10, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 100_000, 1 << 17, 1 << 18]
        )
        func sameWrite(_ wire: Wire, _ length: Int) async throws {
            for delivery in Delivery.allCases {
                let server = try server(wire)
                let response = Self.response(length)
                server.script.route("/first", .send(response.text + Self.stray))
                let dispatcher = server.dispatcher()
                let first = try await dispatcher.receive(URLRequest(url: server.url("/first")), by: delivery)
                #expect(first == Received(response.body))
                await server.waitUntilSent()
                try await checkNext(dispatcher, server, by: delivery)
                #expect(server.script.acceptedConnections == Self.expectedConnections, "\(delivery)")
            }
        }

        @Test(
            "A second response behind chunks is not taken for the answer to the next request",
            arguments: Wire.available
        )
        func behindChunks(_ wire: Wire) async throws {
            for delivery in Delivery.allCases {
                for length in [5, 16_000, 1 << 14, 100_000] {
                    let server = try server(wire)
                    let body = String(repeating: "b", count: length)
                    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    let chunks = "\(String(length, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
                    server.script.route("/first", .send(head + chunks + Self.stray))
                    let dispatcher = server.dispatcher()
                    let first = try await dispatcher.receive(URLRequest(url: server.url("/first")), by: delivery)
                    #expect(first == Received(body))
                    await server.waitUntilSent()
                    try await checkNext(dispatcher, server, by: delivery)
                }
            }
        }

        @Test(
            "A second response in a TLS record of its own, read with the last bytes of a body, is not taken either",
            .enabled(if: TLSRelay.isAvailable),
            arguments: [Wire.tls12, .tls13]
        )
        func recordOfItsOwn(_ wire: Wire) async throws {
            // OpenSSL may have read the record without having decrypted it, and the kernel knows nothing of it any more.
            try await checkBehindTheBody(try server(wire) { $0.records = .atMost(4) })
        }

        @Test(
            "A second response that comes with the last bytes of a body is not taken for the next answer",
            arguments: Wire.available
        )
        func withTheBody(_ wire: Wire) async throws {
            try await checkBehindTheBody(try server(wire))
        }

        /// Has a second response sent together with the last bytes of a body, whose head was read before, so that the
        /// client knows how much it has to read and leaves the rest.
        private func checkBehindTheBody(_ server: WiredServer) async throws {
            server.script.route(
                "/first",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"),
                .hold("body"),
                .send("body" + Self.stray)
            )
            let dispatcher = server.dispatcher()
            let stream = try await dispatcher.stream(for: URLRequest(url: server.url("/first")))
            server.script.release("body")
            #expect(try await stream.data.collect(upTo: 100) == Data("body".utf8))
            await server.waitUntilSent()
            try await checkNext(dispatcher, server)
            #expect(server.script.acceptedConnections == Self.expectedConnections)
        }

        @Test(
            "A second response in the next record of TLS is not taken for the answer to the next request",
            .enabled(if: TLSRelay.isAvailable),
            arguments: [Wire.tls12, .tls13],
            [true, false]
        )
        func records(_ wire: Wire, _ isSameRecord: Bool) async throws {
            for length in [200, 1 << 12, 1 << 13] {
                let server = try server(wire) {
                    // The last record waits for the rest: both responses have the same length.
                    $0.records = isSameRecord ? .exactly(2 * length) : .atMost(length)
                }
                let (first, body) = Self.response(length)
                let stray = first.replacing(body, with: String(repeating: "s", count: body.count))
                let next = first.replacing(body, with: String(repeating: "n", count: body.count))
                server.script.route("/first", .send(first + stray))
                server.script.route("/next", .send(next + String(repeating: "\r\n", count: length / 2)), .close)
                let dispatcher = server.dispatcher()
                #expect(try await dispatcher.data(from: server.url("/first")).data == Data(body.utf8))
                await server.waitUntilSent()
                let response = try await dispatcher.data(from: server.url("/next"))
                #expect(response.data?.first == UInt8(ascii: "n"))
                #expect(server.script.acceptedConnections == 2)
            }
        }

        @Test(
            "A response that comes when the connection is idle is not taken for the answer to the next request",
            arguments: Wire.available,
            [
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray",
                "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n",
                "stray bytes",
                "\r\n",
            ]
        )
        func whileIdle(_ wire: Wire, _ stray: String) async throws {
            for closes in [false, true] {
                let server = try server(wire)
                let end: [Step] = closes ? [.close] : [.hold("for ever")]
                server.script.route(
                    "/first",
                    [.response(body: "first"), .hold("idle"), .send(stray), .hold("sent")] + end
                )
                let dispatcher = server.dispatcher()
                #expect(try await dispatcher.data(from: server.url("/first")).data == Data("first".utf8))
                await server.release("idle", sending: stray)
                if closes {
                    server.script.release("sent")
                    // The client closes too, as soon as it has noticed the end or the bytes.
                    await server.script.waitForOpenConnections(atMost: 0)
                }
                try await checkNext(dispatcher, server)
                #expect(server.script.acceptedConnections == Self.expectedConnections, "closes: \(closes)")
            }
        }

        @Test("A stray response is not taken for the answer to a POST", arguments: Wire.available)
        func post(_ wire: Wire) async throws {
            let server = try server(wire)
            server.script.route("/first", .response(body: "first"), .hold("idle"), .send(Self.stray), .hold("sent"))
            let dispatcher = server.dispatcher()
            _ = try await dispatcher.data(from: server.url("/first"))
            await server.release("idle", sending: Self.stray)
            let response = try await dispatcher.data(for: URLRequest("POST", server.url("/next"), body: "x"))
            #expect(response.data == Data("next POST".utf8))
            #expect(server.script.requests(for: "/next").count == 1)
        }

        @Test(
            "The body of a response that may have none is not taken for the answer to the next request",
            arguments: Wire.available,
            ["HEAD 200 OK", "GET 204 No Content", "GET 304 Not Modified", "GET 205 Reset Content"]
        )
        func forbiddenBody(_ wire: Wire, _ text: String) async throws {
            let words = text.split(separator: " ", maxSplits: 1).map(String.init)
            let isReset = words[1].hasPrefix("205")
            // A 205 says itself that it has no body.
            let head = "HTTP/1.1 \(words[1])\r\nContent-Length: \(isReset ? 0 : Self.stray.utf8.count)\r\n\r\n"
            let server = try server(wire)
            server.script.route("/first", .send(head + Self.stray))
            let dispatcher = server.dispatcher()
            let request = URLRequest(words[0], server.url("/first"))
            #expect(try await dispatcher.data(for: request).data == nil)
            try await checkNext(dispatcher, server)
        }
    }

    /// What must not be lost by looking at idle connections: that they are used again.
    @Suite(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
    struct StillReusedTests {
        @Test("A hundred requests in a row share a connection", arguments: Delivery.allCases)
        func reuse(_ delivery: Delivery) async throws {
            let nginx = try NginxVariant()
            let dispatcher = URLRequestDispatcher.trusting(nginx.authority, http2: true)
            let ports = [nginx.plain, nginx.http1, nginx.tls12, nginx.http2]
            for port in ports {
                for _ in 0..<100 {
                    let request = URLRequest(url: nginx.url(port, "/hello"))
                    #expect(try await dispatcher.receive(request, by: delivery).statusCode == 200)
                }
            }
            let log = nginx.finish()
            #expect(log.count == 100 * ports.count)
            #expect(Set(log.map(\.connection)).count == ports.count)
        }

        @Test(
            "A connection is used again after tickets of TLS 1.3 and frames of HTTP/2 came while it was idle",
            .enabled(if: HTTP2Support.isAvailable)
        )
        func idleFrames() async throws {
            let server = try HTTP2Script { exchange in
                exchange.respond(body: "ok")
                exchange.peer.ping()
                exchange.peer.settings([3: 100])
                exchange.peer.windowUpdate(1000)
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            for _ in 0..<50 { _ = try await dispatcher.data(from: server.url("/")) }
            #expect(server.acceptedConnections == 1)
            let tickets = try WiredServer(.tls13)
            tickets.script.route("/", .response(body: "ok"))
            let other = tickets.dispatcher()
            for _ in 0..<50 { _ = try await other.data(from: tickets.url("/")) }
            #expect(tickets.script.acceptedConnections == 1)
        }
    }
}
