#if os(Linux)
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

extension TrustNetworkTests {
    /// Servers that send frames without end, and nothing of a response (RFC 9113 §10.5).
    @Suite(.enabled(if: HTTP2Script.isAvailable, "python3 and openssl are needed"))
    struct HTTP2FloodTests {
        enum Flood: String, CaseIterable, Sendable {
            case ping, settings, emptyData, windowUpdate, priority, continuation, informational

            /// One of the frames; the first of a flood of heads begins one.
            func frame(_ number: Int, stream: Int) -> HTTP2Frame {
                switch self {
                case .ping: HTTP2Frame(.ping, payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 8))
                case .settings: HTTP2Frame(.settings)
                case .emptyData: HTTP2Frame(.data, stream: stream)
                case .windowUpdate: HTTP2Frame(.windowUpdate, stream: stream, payload: [0, 0, 0, 1])
                case .priority: HTTP2Frame(.priority, stream: stream, payload: [0, 0, 0, 0, 1])
                case .continuation:
                    // A field that is in no table, again and again.
                    HTTP2Frame(
                        number == 0 ? .headers : .continuation,
                        stream: stream,
                        payload: number == 0 ? [0x88] : [0, 1, 0x78, 1, 0x79]
                    )
                case .informational:
                    // ":status: 103", not indexed.
                    HTTP2Frame(
                        .headers,
                        flags: HTTP2Frame.endHeaders,
                        stream: stream,
                        payload: [0x08, 3, 0x31, 0x30, 0x33]
                    )
                }
            }
        }

        @Test(arguments: Flood.allCases) func aFloodEndsWithAnError(_ flood: Flood) async throws {
            let server = try HTTP2Script { exchange in
                if flood == .emptyData { exchange.head(200) }
                for round in 0..<200 {
                    exchange.peer.together {
                        for number in 0..<500 {
                            exchange.peer.send(flood.frame(round * 500 + number, stream: exchange.request.stream))
                        }
                    }
                }
                exchange.peer.close()
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            let error = try await failure { try await dispatcher.data(from: server.url("/")) }
            let codes: [TransportError.Code] = [.http2, .headTooLarge, .connectionLost, .truncatedBody]
            #expect((error as? TransportError).map { codes.contains($0.code) } == true, "\(error)")
            // The dispatcher goes on.
            let other = try HTTP2Script { $0.respond(body: "fine") }
            let next = URLRequestDispatcher.trusting(other.authority, http2: true)
            #expect(try await next.data(from: other.url("/")).data == Data("fine".utf8))
        }
    }
}
#endif
