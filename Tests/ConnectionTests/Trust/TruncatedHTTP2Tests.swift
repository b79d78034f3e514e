import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Bodies over HTTP/2 that end without END_STREAM.
    @Suite(.enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"))
    struct TruncatedHTTP2Tests {
        /// What comes in the place of the end.
        enum Cut: String, CaseIterable, Sendable {
            case resetWithoutError, cancel, internalError, refused
            case goAwayAndClose, gracefulGoAwayAndClose, close, abort, malformedFrame

            /// Whether the server closes the connection, which comes after what was written.
            var closes: Bool { [.goAwayAndClose, .gracefulGoAwayAndClose, .close, .abort].contains(self) }

            func play(_ exchange: HTTP2Exchange) {
                let stream = exchange.request.stream
                switch self {
                case .resetWithoutError: exchange.reset(.noError)
                case .cancel: exchange.reset(.cancel)
                case .internalError: exchange.reset(.internalError)
                case .refused: exchange.reset(.refusedStream)
                case .goAwayAndClose:
                    exchange.peer.goAway(lastStream: stream, .internalError)
                    exchange.peer.close()
                case .gracefulGoAwayAndClose:
                    exchange.peer.goAway(lastStream: stream)
                    exchange.peer.close()
                case .close: exchange.peer.close()
                case .abort: exchange.peer.abort()
                case .malformedFrame:
                    // A frame of settings on a stream is an error of the connection.
                    exchange.peer.send(HTTP2Frame(.settings, stream: stream, payload: [1, 2, 3]))
                }
            }
        }

        /// What was sent before.
        enum Part: String, CaseIterable, Sendable {
            case headOnly, someBytes, manyBytes, wholeLength

            func play(_ exchange: HTTP2Exchange) {
                let fields = self == .wholeLength ? [HTTP2Field("content-length", "4")] : []
                exchange.head(200, fields)
                switch self {
                case .headOnly: break
                case .someBytes, .wholeLength: exchange.data(Array("body".utf8))
                case .manyBytes: exchange.data([UInt8](repeating: 0x62, count: 100_000))
                }
            }
        }

        private func check(_ server: HTTP2Script, _ delivery: Delivery, _ part: Part, _ path: String) async throws {
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            do {
                let received = try await dispatcher.receive(URLRequest(url: server.url(path)), by: delivery)
                // A length that was reached is the end as well.
                #expect(part == .wholeLength && received == Received("body"), "\(delivery) succeeded: \(received)")
            } catch {
                let code = TransportError.Code.of(error)
                let expected: [TransportError.Code] = [.truncatedBody, .http2, .connectionLost]
                #expect(code.map(expected.contains) == true, "\(delivery): \(error)")
            }
        }

        @Test("A body that is cut off without END_STREAM is an error", arguments: Cut.allCases, Part.allCases)
        func cut(_ cut: Cut, _ part: Part) async throws {
            for isTogether in [true, false] {
                let server = try HTTP2Script { exchange in
                    if isTogether {
                        exchange.peer.together {
                            part.play(exchange)
                            if !cut.closes { cut.play(exchange) }
                        }
                        if cut.closes { cut.play(exchange) }
                    } else {
                        part.play(exchange)
                        exchange.hold("cut") { cut.play($0) }
                    }
                }
                server.release("cut")
                for delivery in Delivery.allCases { try await check(server, delivery, part, "/") }
            }
        }

        @Test("A POST does not wait for the response on a connection that the server has broken, but leaves open")
        func postWithoutAnEnd() async throws {
            let server = try HTTP2Script { Cut.malformedFrame.play($0) }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            let request = URLRequest("POST", server.url("/"), body: "x")
            let error = try await failure { try await dispatcher.data(for: request) }
            #expect([.http2, .connectionLost].contains(TransportError.Code.of(error)), "\(error)")
            #expect(server.requests.count == 1)
        }

        @Test("A streamed body that is cut off later is an error", arguments: Cut.allCases)
        func cutLater(_ cut: Cut) async throws {
            let server = try HTTP2Script { exchange in
                Part.someBytes.play(exchange)
                exchange.hold("cut") { cut.play($0) }
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            var body = try await dispatcher.stream(for: URLRequest(url: server.url("/"))).data.makeAsyncIterator()
            #expect(try await body.next() == Data("body".utf8))
            server.release("cut")
            let error = try await failure { try await body.next() }
            let expected: [TransportError.Code] = [.truncatedBody, .http2]
            #expect(TransportError.Code.of(error).map(expected.contains) == true, "\(error)")
        }

        @Test("A stream that is cut off does not harm the others of its connection")
        func others() async throws {
            let server = try HTTP2Script { exchange in
                if exchange.request.path == "/cut" {
                    Part.someBytes.play(exchange)
                    exchange.hold("cut") { $0.reset(.noError) }
                } else {
                    exchange.hold("rest") { $0.respond(body: "whole") }
                }
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            let cut = Task { try await dispatcher.failureToReceive(server.url("/cut")) }
            await server.waitUntilHeld("cut")
            let whole = (0..<10).map { _ in Task { try await dispatcher.data(from: server.url("/whole")).data } }
            await server.waitUntilHeld("rest", count: 10)
            server.release("cut")
            let error = try await cut.value
            let code = TransportError.Code.of(error)
            #expect(code == .truncatedBody || code == .http2, "\(error)")
            server.release("rest")
            for task in whole { #expect(try await task.value == Data("whole".utf8)) }
        }

        @Test("A body shorter than its length is an error, although END_STREAM came", arguments: Delivery.allCases)
        func shorterThanAnnounced(_ delivery: Delivery) async throws {
            let server = try HTTP2Script { exchange in
                exchange.head(200, [HTTP2Field("content-length", "10")])
                exchange.data(Array("short".utf8), ends: true)
            }
            try await check(server, delivery, .someBytes, "/")
        }

        @Test("A body with its end is whole, whatever comes afterwards", arguments: Delivery.allCases)
        func whole(_ delivery: Delivery) async throws {
            let server = try HTTP2Script { exchange in
                exchange.peer.together {
                    exchange.head()
                    exchange.data(Array("bo".utf8))
                    switch exchange.request.path {
                    case "/empty-end":
                        exchange.data(Array("dy".utf8))
                        exchange.data([], ends: true)
                    case "/trailers":
                        exchange.data(Array("dy".utf8))
                        exchange.trailers([HTTP2Field("x-trailer", "1")])
                    case "/reset":
                        exchange.data(Array("dy".utf8), ends: true)
                        exchange.reset(.noError)
                    default:
                        exchange.data(Array("dy".utf8), ends: true)
                        exchange.peer.goAway(lastStream: exchange.request.stream)
                    }
                }
                if exchange.request.path == "/close" { exchange.peer.close() }
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            for path in ["/empty-end", "/trailers", "/reset", "/go-away", "/close", "/empty-end"] {
                let request = URLRequest(url: server.url(path))
                #expect(try await dispatcher.receive(request, by: delivery) == Received("body"), "\(path)")
            }
        }
    }
}
