import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// What a `URLSessionTransport` makes of servers that misbehave, and of time.
    @Suite(.urlSession) struct URLSessionFaultTests {
        @Test(arguments: [
            ("", TransportError.Code.connectionLost),
            ("hello", .malformedHead),
            ("HTTP/1.1 000 X\r\nContent-Length: 2\r\n\r\nok", .malformedHead),
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nok", .malformedHead),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nok123", .malformedHead),
            ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nok", .malformedHead),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok", .truncatedBody),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab", .truncatedBody),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nabc", .malformedBody),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nok", .malformedBody),
            ("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 5\r\n\r\nok", .truncatedBody),
            ("HTTP/1.1 100 Continue\r\n\r\n", .connectionLost),
        ])
        func aBrokenResponseIsAnError(_ text: String, _ expected: TransportError.Code) async throws {
            let server = try LoopbackServer()
            server.route("/", .send(text), .close)
            let transport = URLSessionTransport.forTests()
            for delivery in [BodyDelivery.buffered, .streamed] {
                let code = try await code {
                    let response = try await transport.get(server.url("/")) { $0.delivery = delivery }
                    return try await response.stream?.collect(upTo: 100)
                }
                #expect(code == expected, "\(delivery)")
            }
            await transport.idle()
        }

        @Test func aResetIsAnError() async throws {
            let server = try LoopbackServer()
            server.route("/before", .reset)
            server.route("/inside", .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .reset)
            let transport = URLSessionTransport.forTests()
            #expect(try await code { try await transport.get(server.url("/before")) } == .connectionLost)
            let error = try await failure { try await transport.get(server.url("/inside")) }
            #expect((error as? TransportError)?.code == .truncatedBody)
            #expect((error as? TransportError)?.response?.statusCode == .ok)
        }

        @Test func nobodyListens() async throws {
            let port = try RefusingPort()
            let transport = URLSessionTransport.forTests()
            #expect(try await code { try await transport.get(port.url) } == .cannotConnect)
        }

        @Test func aHeadBeyondTheLimitIsRefused() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(headers: ["X-Field": String(repeating: "x", count: 5000)], body: "ok"))
            let transport = URLSessionTransport.forTests()
            #expect(
                try await code { try await transport.get(server.url("/")) { $0.options.maximumHead = 5000 } }
                    == .headTooLarge
            )
            _ = try await transport.get(server.url("/"))
        }

        @Test func moreThanMayBeCollectedClosesTheConnection() async throws {
            let server = try LoopbackServer()
            // With pauses: Foundation on Linux takes seconds to cancel while bytes come without end.
            let bytes = String(repeating: "x", count: 20_000)
            server.route("/", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat(bytes, every: .milliseconds(1)))
            let transport = URLSessionTransport.forTests()
            let error = try await failure {
                try await transport.get(server.url("/")) { $0.options.maximumBufferedBody = 100_000 }
            }
            #expect((error as? TransportError)?.code == .bodyTooLarge)
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        // MARK: Decompression

        @Test func aRatioIsRefusedBeforeAnythingIsSent() async throws {
            let server = try LoopbackServer()
            server.route("/", .response())
            let transport = URLSessionTransport.forTests()
            let code = try await code {
                try await transport.get(server.url("/")) { $0.options.decompression = .automatic(maximumRatio: 10) }
            }
            #expect(code == .unsupported)
            #expect(server.acceptedConnections == 0)
        }

        @Test func withoutDecompressionNoCodingIsAskedFor() async throws {
            let server = try LoopbackServer()
            server.route("/", .response())
            let data = Compressed.gzip.data
            server.route("/gzip", .head(data.count, "Content-Encoding: gzip"), .send(data))
            let transport = URLSessionTransport.forTests()
            _ = try await transport.get(server.url("/")) { $0.options.decompression = .off }
            #expect(server.requests.last?.header("Accept-Encoding") == "identity")
            let code = try await code {
                try await transport.get(server.url("/gzip")) { $0.options.decompression = .off }
            }
            #expect(code == .unsupported)
        }

        // MARK: Time

        @Test(arguments: [TimeoutPhase.queue, .head, .idle, .total])
        func eachLimitHolds(_ phase: TimeoutPhase) async throws {
            let server = try LoopbackServer()
            server.route("/", .hold("here"), .stall)
            server.route(
                "/slow",
                .send("HTTP/1.1 200 OK\r\n\r\n"),
                .repeat("x", every: .milliseconds(30))
            )
            let transport = URLSessionTransport.forTests { if phase == .queue { $0.connections.perHost = 1 } }
            let occupant = phase == .queue ? Task { try await transport.get(server.url("/")) } : nil
            if occupant != nil { await server.waitUntilHeld("here") }
            let start = ContinuousClock.now
            let code = try await code {
                try await transport.get(server.url(phase == .total ? "/slow" : "/")) { request in
                    request.options.timeouts.total = nil
                    switch phase {
                    case .queue: request.options.timeouts.queue = .milliseconds(300)
                    case .head: request.options.timeouts.head = .milliseconds(300)
                    case .total: request.deadline = .now.advanced(by: .milliseconds(300))
                    default: request.options.timeouts.idle = .milliseconds(300)
                    }
                }
            }
            #expect(code == .timeout(phase))
            #expect(ContinuousClock.now - start >= .milliseconds(299))
            occupant?.cancel()
            _ = await occupant?.result
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func bytesThatComeKeepAnExchangeAlive() async throws {
            try await atSomeScale { scale in
                let server = try LoopbackServer()
                server.route(
                    "/",
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"),
                    .repeat("x", count: 10, every: .milliseconds(100 * scale))
                )
                let transport = URLSessionTransport.forTests()
                let response = try await transport.get(server.url("/")) {
                    $0.options.timeouts.idle = .milliseconds(700 * scale)
                }
                #expect(response.body?.count == 10)
            }
        }

        // MARK: Connections that die

        @Test func whatMayBeSentAgainSurvivesAConnectionThatDied() async throws {
            let server = try LoopbackServer()
            let reply: [Step] = [.response(body: "ok")]
            server.sequence("/", [reply, [.reset], reply])
            let transport = URLSessionTransport.forTests()
            _ = try await transport.get(server.url("/"))
            let response = try await transport.send(URLRequest("PUT", server.url("/"), body: "body"))
            #expect(response.body == Data("ok".utf8))
            // Whole, that is: what Foundation began to send without a body was given up, and may be recorded last.
            let whole = server.requests.filter { $0.method == "PUT" && $0.isBodyComplete }
            #expect(whole.map(\.body) == [Data("body".utf8), Data("body".utf8)])
        }

        #if os(Linux)
        @Test func whatMayNotBeSentAgainIsAnErrorAtOnce() async throws {
            let server = try LoopbackServer()
            server.sequence("/", [[.response(body: "ok")], [.reset], [.response(body: "twice")]])
            let transport = URLSessionTransport.forTests()
            _ = try await transport.get(server.url("/"))
            let code = try await code { try await transport.send(URLRequest("POST", server.url("/"), body: "body")) }
            #expect(code == .connectionLost)
            #expect(server.requests.filter { $0.method == "POST" && $0.isBodyComplete }.count == 1)
        }
        #endif
    }
}
