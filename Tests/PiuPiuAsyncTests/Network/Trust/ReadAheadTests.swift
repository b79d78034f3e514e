#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import PiuPiuAsync

extension CurlEventLoop {
    /// Keeps the thread of the loop from doing anything else.
    fileprivate func block(_ begin: @Sendable () -> Void, until end: DispatchSemaphore) {
        begin()
        end.wait()
    }
}

extension NetworkTests {
    /// Bytes that libcurl takes from the system for one exchange, and that are another's.
    @Suite(.enabled(if: ReliableHTTP2.isAvailable, "python3, openssl and libcurl 8.14 are needed"))
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
                case "/answer": break
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
            let answer = Task { try await transport.send(Self.request(server, "/answer")).body }
            await server.waitForRequests(4)
            #expect(server.acceptedConnections == 1)

            // The loop finds all of it at once: that the reader goes on, and what came meanwhile.
            let goOn = DispatchSemaphore(value: 0)
            let loop = try #require(transport.loops.first)
            await withCheckedContinuation { continuation in
                Task { await loop.block({ continuation.resume() }, until: goOn) }
            }
            let (stream, other) = try exchanges.withLock { (try #require($0["/stream"]), try #require($0["/answer"])) }
            stream.peer.together {
                end.play(stream)
                other.respond(body: "answer")
            }
            await server.relay.waitForBytesSent(sent.withLock { $0 })
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
            goOn.signal()

            #expect(try await answer.value == Data("answer".utf8))
            let count = await reading.result
            if end != .reset {
                #expect(try count.get() == InboundBody.highWater + 1024 + (end == .data ? 1 : 0))
            }
        }
    }
}
#endif
