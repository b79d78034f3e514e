#if os(Linux)
import SuiteSupport
import Foundation
import TestSupport
import Testing

@testable import PiuPiuAsync

/// A point at which the thread of a loop stands still.
private struct Stop: Sendable {
    let isReached = Gate()
    private let end = DispatchSemaphore(value: 0)

    func stand() {
        isReached.open()
        end.wait()
    }

    func goOn() { end.signal() }
}

extension CurlEventLoop {
    /// Stands still twice.
    ///
    /// What is submitted during the first stop is done right after the second, before the loop looks at its sockets.
    fileprivate func stand(at first: Stop, _ second: Stop) {
        // In the queue when this returns, because it has the same isolation (SE-0431).
        Task { self.stand(at: second) }
        first.stand()
    }

    private func stand(at stop: Stop) { stop.stand() }
}

extension TrustNetworkTests {
    /// Bytes that libcurl takes from the system for one exchange, and that are another's.
    @Suite(.enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"))
    struct ReadAheadTests {
        private static func transport(_ server: HTTP2Script) throws -> CurlTransport {
            var configuration = TransportConfiguration()
            configuration.certificateAuthorityFile = server.authority
            configuration.proxy = .none
            configuration.http2 = .always
            configuration.streamsOverHTTP2 = true
            configuration.eventLoops = 1
            return try CurlTransport(configuration: configuration)
        }

        private static func request(_ server: HTTP2Script, _ path: String) -> TransportRequest {
            var request = TransportRequest(URLRequest(url: server.url(path)))
            // Long before libcurl looks after it by itself.
            request.options.timeouts = Timeouts(connect: .seconds(300), idle: .seconds(60), total: .seconds(60))
            return request
        }

        /// What the server does with a stream that a slow reader keeps open, in the same write as the other's response.
        enum End: CaseIterable {
            case data, trailers, reset

            func play(_ stream: HTTP2Exchange) {
                switch self {
                case .data: stream.data([0x62], ends: true)
                case .trailers: stream.trailers([HTTP2Field("x", "y")])
                case .reset: stream.reset(.cancel)
                }
            }
        }

        @Test("A response arrives that libcurl read together with the end of another stream", arguments: End.allCases)
        func behindTheEndOfAnother(_ end: End) async throws {
            let sent = Locked(0)
            let exchanges = Locked([String: HTTP2Exchange]())
            let isAsked = Gate()
            let server = try HTTP2Script(
                // What ends the stream is a record, and what follows it is another.
                tls: { $0.records = .atMost(16) },
                watch: { _, bytes in sent.withLock { $0 += bytes.count } }
            ) { exchange in
                exchanges.withLock { $0[exchange.request.path] = exchange }
                switch exchange.request.path {
                case "/stream":
                    exchange.head()
                    exchange.data([UInt8](repeating: 0x61, count: InboundBody.highWater + 1024))
                case "/answer": isAsked.open()
                default: exchange.respond(body: "ok")
                }
            }
            let transport = try Self.transport(server)
            _ = try await transport.send(Self.request(server, "/first"))
            var request = Self.request(server, "/stream")
            request.delivery = .streamed
            let body = try #require(try await transport.send(request).stream)
            // What came before this response was read, and the stream waits for its reader.
            _ = try await transport.send(Self.request(server, "/second"))
            var question = Self.request(server, "/answer")
            // Before the stream reaches a limit, after which libcurl would look at the connection.
            question.options.timeouts.total = .seconds(30)
            let answer = Task { [question] in try await transport.send(question).body }
            try await isAsked.wait()
            #expect(server.acceptedConnections == 1)

            let stops = (Stop(), Stop())
            let loop = try #require(transport.loops.first)
            Task { await loop.stand(at: stops.0, stops.1) }
            try await stops.0.isReached.wait()
            let hasRoom = Tally()
            let reading = Task {
                var count = 0
                for try await chunk in body {
                    count += chunk.count
                    if count >= InboundBody.highWater, hasRoom.count == 0 { hasRoom.add() }
                }
                return count
            }
            await hasRoom.reach(1)
            stops.0.goOn()
            try await stops.1.isReached.wait()
            // The loop goes on with the stream, which ends, while the bytes of both wait in the system.
            let (stream, other) = try exchanges.withLock { (try #require($0["/stream"]), try #require($0["/answer"])) }
            stream.peer.together {
                end.play(stream)
                other.respond(body: "answer")
            }
            await server.relay.waitForBytesSent(sent.withLock { $0 })
            stops.1.goOn()

            #expect(try await answer.value == Data("answer".utf8))
            let count = await reading.result
            if end != .reset {
                #expect(try count.get() == InboundBody.highWater + 1024 + (end == .data ? 1 : 0))
            }
        }
    }
}
#endif
