import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Requests over HTTP/2 that the server says it has not processed (RFC 9113 §8.7).
    @Suite(.enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"))
    struct UnprocessedRequestTests {
        /// How a server says so.
        enum Refusal: String, CaseIterable, Sendable {
            case goAway, goAwayAndClose, goAwayAndReset, goAwayWithError, refusedStream

            func play(_ exchange: HTTP2Exchange) {
                let last = exchange.request.stream - 2
                switch self {
                case .goAway: exchange.peer.goAway(lastStream: max(0, last))
                case .goAwayAndClose:
                    exchange.peer.goAway(lastStream: max(0, last))
                    exchange.peer.close()
                case .goAwayAndReset:
                    exchange.peer.together {
                        exchange.peer.goAway(lastStream: max(0, last))
                        exchange.reset(.refusedStream)
                    }
                case .goAwayWithError:
                    exchange.peer.goAway(lastStream: max(0, last), .internalError)
                    exchange.peer.close()
                case .refusedStream: exchange.reset(.refusedStream)
                }
            }
        }

        /// Answers everything but the first request for `/refused`.
        private func server(_ refusal: Refusal) throws -> HTTP2Script {
            let refusals = Tally()
            return try HTTP2Script { exchange in
                if exchange.request.path == "/refused", refusals.count == 0 {
                    refusals.add()
                    refusal.play(exchange)
                } else {
                    exchange.respond(body: "processed \(exchange.request.body.count)")
                }
            }
        }

        @Test(
            "A request that was not processed is sent again, whatever its method",
            arguments: Refusal.allCases,
            ["GET", "POST", "PATCH"]
        )
        func again(_ refusal: Refusal, _ method: String) async throws {
            for (isFirst, length) in [(true, 5), (false, 5), (false, 0), (false, 100_000)] {
                let server = try server(refusal)
                let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
                if !isFirst { _ = try await dispatcher.data(from: server.url("/")) }
                let body = method == "GET" ? nil : String(repeating: "x", count: length)
                let request = URLRequest(method, server.url("/refused"), body: body)
                let response = try await dispatcher.data(for: request)
                let text = String(decoding: response.data ?? Data(), as: UTF8.self)
                #expect(text == "processed \(body?.utf8.count ?? 0)")
                #expect(server.requests.filter { $0.path == "/refused" }.map(\.method) == [method, method])
            }
        }

        @Test("A GOAWAY that arrives together with the end of the handshake is noticed")
        func goAwayAtOnce() async throws {
            let goAway = HTTP2Frame(.goAway, payload: [UInt8](repeating: 0, count: 8)).bytes
            let silent = try RawServer { connection in while true { _ = try connection.read() } }
            let relay = try TLSRelay(to: silent.port) {
                $0.protocols = ["h2"]
                // With TLS 1.3, the last message of the handshake is the client's.
                $0.version = .tls12
                $0.greeting = HTTP2Frame(.settings).bytes + goAway
            }
            let dispatcher = URLRequestDispatcher.trusting(relay.authority, http2: true)
            let request = URLRequest("POST", relay.url("/"), body: "x")
            let error = try #require(try await failure { try await dispatcher.data(for: request) } as? TransportError)
            #expect(error.code == .http2, "\(error)")
            #expect(error.isSafeToRetry)
        }

        @Test("A connection that ends together with its handshake is lost, and not opened again")
        func endAtOnce() async throws {
            let silent = try RawServer { connection in while true { _ = try connection.read() } }
            let relay = try TLSRelay(to: silent.port) {
                $0.protocols = ["h2"]
                $0.version = .tls12
                $0.greeting = HTTP2Frame(.settings).bytes
                $0.closesAfterGreeting = true
            }
            let dispatcher = URLRequestDispatcher.trusting(relay.authority, http2: true)
            let error = try await failure { try await dispatcher.data(from: relay.url("/")) }
            #expect(TransportError.Code.connectionLost ~= error, "\(error)")
            await relay.waitForHandshakes(1)
            #expect(relay.agreedProtocols == ["h2"])
        }

        @Test("Of many POSTs on a connection, those above the last stream of a GOAWAY are sent again, and no other")
        func manyStreams() async throws {
            let processed = Tally()
            let server = try HTTP2Script { exchange in
                guard exchange.request.path != "/warm" else { return exchange.respond(body: "warm") }
                // The first ten are answered after the GOAWAY, and so is what comes over another connection.
                if exchange.request.connection > 1 || exchange.request.ordinal <= 11 {
                    exchange.hold("answers") { exchange in
                        processed.add()
                        exchange.respond(body: exchange.request.path)
                    }
                } else if exchange.request.ordinal == 12 {
                    exchange.peer.goAway(lastStream: exchange.request.stream - 2)
                }
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            // It is known that the server speaks HTTP/2, so that all share the connection.
            _ = try await dispatcher.data(from: server.url("/warm"))
            let posts = (0..<50).map { index in
                Task {
                    try await dispatcher.data(for: URLRequest("POST", server.url("/\(index)"), body: "\(index)")).data
                }
            }
            // The refused ones come again, on another connection.
            await server.waitUntilHeld("answers", count: 50)
            server.release("answers")
            for (index, post) in posts.enumerated() { #expect(try await post.value == Data("/\(index)".utf8)) }
            #expect(processed.count == 50)
        }

        @Test("GETs on a connection that ends without a word are sent again", arguments: [true, false])
        func endsWithoutAWord(_ isReset: Bool) async throws {
            let ends = Tally()
            let server = try HTTP2Script { exchange in
                guard exchange.request.path == "/late", ends.count == 0 else { return exchange.respond(body: "ok") }
                ends.add()
                isReset ? exchange.peer.abort() : exchange.peer.close()
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            _ = try await dispatcher.data(from: server.url("/"))
            try await withThrowingTaskGroup(of: Data?.self) { group in
                for _ in 0..<20 { group.addTask { try await dispatcher.data(from: server.url("/late")).data } }
                for try await data in group { #expect(data == Data("ok".utf8)) }
            }
        }

        @Test("A request that must be sent over HTTP/1.1 is sent over HTTP/1.1", arguments: ["GET", "POST"])
        func http11Required(_ method: String) async throws {
            let server = try HTTP2Script(
                tls: { $0.protocols = ["h2", "http/1.1"] },
                http1: "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHTTP/1"
            ) { $0.reset(.http11Required) }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            for _ in 0..<2 {
                let request = URLRequest(method, server.url("/"), body: method == "GET" ? nil : "body")
                #expect(try await dispatcher.data(for: request).data == Data("HTTP/1".utf8))
            }
            let processed = server.requests.filter { $0.stream == 0 }
            #expect(processed.map(\.method) == [method, method])
            #expect(processed.allSatisfy { $0.body == Array((method == "GET" ? "" : "body").utf8) })
        }

        @Test("A body that can be read once is not sent again, and the error says that it is safe to retry")
        func oneShotBody() async throws {
            let server = try server(.refusedStream)
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            let chunks = AsyncStream<Data> { continuation in
                for _ in 0..<3 { continuation.yield(Data("chunk".utf8)) }
                continuation.finish()
            }
            let error = try await failure {
                let request = URLRequest("POST", server.url("/refused"))
                return try await dispatcher.upload(for: request, from: .stream(chunks)).response()
            }
            #expect((error as? TransportError)?.mayBeSentAgain == true, "\(error)")
            #expect(server.requests.count == 1)
        }

        @Test(
            "A POST that may have been processed is not sent again",
            arguments: [
                TruncatedHTTP2Tests.Cut.close, .abort, .gracefulGoAwayAndClose, .goAwayAndClose, .internalError,
                .cancel,
                .resetWithoutError,
            ]
        )
        func mayHaveBeenProcessed(_ cut: TruncatedHTTP2Tests.Cut) async throws {
            for isFirst in [true, false] {
                // The last stream of a GOAWAY may have been processed.
                let server = try HTTP2Script { exchange in
                    if exchange.request.path == "/post" { cut.play(exchange) } else { exchange.respond(body: "ok") }
                }
                let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
                if !isFirst { _ = try await dispatcher.data(from: server.url("/")) }
                let request = URLRequest("POST", server.url("/post"), body: "x")
                let error = try await failure { try await dispatcher.data(for: request) }
                let code = TransportError.Code.of(error)
                #expect(code == .connectionLost || code == .http2, "\(error)")
                #expect((error as? TransportError)?.mayBeSentAgain == false)
                #expect(server.requests.count { $0.path == "/post" } == 1)
            }
        }
    }

    /// Requests against an nginx that closes its connections after a number of requests.
    @Suite(
        .enabled(if: HTTP2Support.isDefault && NginxVariant.isAvailable, "nginx, openssl and nghttp2 are needed")
    )
    struct GracefulGoAwayTests {
        @Test(
            "Of 2,000 POSTs over connections that close after a number of requests none is lost",
            arguments: [100, 10]
        )
        func posts(_ requestsPerConnection: Int) async throws {
            let nginx = try NginxVariant(
                http: "keepalive_requests \(requestsPerConnection);",
                server: "location /post { return 200 $request_uri; }"
            )
            let dispatcher = URLRequestDispatcher.trusting(nginx.authority, http2: true)
            let failures = await withTaskGroup(of: [String].self) { group in
                for worker in 0..<50 {
                    group.addTask {
                        var failures: [String] = []
                        for index in 0..<40 {
                            let path = "/post/\(worker)/\(index)"
                            let request = URLRequest("POST", nginx.url(nginx.http2, path), body: "x")
                            do {
                                let data = try await dispatcher.data(for: request).data
                                if data != Data(path.utf8) { failures.append("\(path): wrong answer") }
                            } catch {
                                failures.append("\(path): \(error)")
                            }
                        }
                        return failures
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(failures.isEmpty, "\(failures.count) of 2,000, such as \(failures.first ?? "")")
            let log = nginx.finish()
            #expect(log.count == 2000)
            #expect(Set(log.map(\.target)).count == 2000)
            #expect(log.allSatisfy { $0.method == "POST" && $0.status == 200 && $0.version == "HTTP/2.0" })
        }
    }
}
