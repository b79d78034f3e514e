#if os(Linux)
import Foundation
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Servers that send frames without end, and nothing of a response (RFC 9113 §10.5).
    @Suite(.enabled(if: HTTP2Script.isAvailable, "python3 and openssl are needed"))
    struct HTTP2FloodTests {
        enum Flood: String, CaseIterable, Sendable {
            case ping, settings, emptyData, paddedData, windowUpdate, priority, unknown, continuation, informational

            var hasHead: Bool { self == .emptyData || self == .paddedData }
            /// Whether the size of heads is what limits it.
            var isHead: Bool { self == .informational }

            /// One of the frames; the first of a flood of heads begins one.
            func frame(_ number: Int, stream: Int) -> HTTP2Frame {
                switch self {
                case .ping: HTTP2Frame(.ping, payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 8))
                case .settings: HTTP2Frame(.settings)
                case .emptyData: HTTP2Frame(.data, stream: stream)
                case .paddedData: HTTP2Frame(.data, flags: HTTP2Frame.padded, stream: stream, payload: [0])
                case .unknown: .unknown
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

        /// The client reads a flood no further, and says why it goes (RFC 9113 §7).
        @Test(arguments: Flood.allCases) func aFloodEndsWithAnError(_ flood: Flood) async throws {
            // The client waits for no room to say why it goes, and a reset may overtake it: not every attempt shows it.
            var isExplained = false
            for _ in 0..<20 where !isExplained {
                let (error, reasons) = try await outcome(of: flood)
                #expect((error as? TransportError)?.code == (flood.isHead ? .headTooLarge : .http2), "\(error)")
                guard !flood.isHead else { return }
                #expect("\(error)".contains("ENHANCE_YOUR_CALM"), "\(error)")
                #expect(reasons.isEmpty || reasons == [HTTP2ErrorCode.enhanceYourCalm.rawValue])
                isExplained = !reasons.isEmpty
            }
            #expect(isExplained)
            // The dispatcher goes on.
            let other = try HTTP2Script { $0.respond(body: "fine") }
            let next = URLRequestDispatcher.trusting(other.authority, http2: true)
            #expect(try await next.data(from: other.url("/")).data == Data("fine".utf8))
        }

        /// What a request ended with, and the codes of the client's GOAWAY frames until the connection's end.
        private func outcome(of flood: Flood) async throws -> (any Error, [Int]) {
            let reasons = Observed<(codes: [Int], isOver: Bool)>(([], false))
            let server = try HTTP2Script(
                tls: nil,
                received: { _, frame in
                    guard frame.kind == HTTP2Frame.Kind.goAway.rawValue else { return }
                    reasons.update { $0.codes.append(HTTP2Frame.number(frame.payload[4..<8])) }
                },
                ended: { _ in reasons.update { $0.isOver = true } }
            ) { exchange in
                if flood.hasHead { exchange.head(200) }
                // The connection's thread has the answers to read.
                Thread.detachNewThread {
                    for round in 0..<200 {
                        exchange.peer.together {
                            for number in 0..<500 {
                                exchange.peer.send(flood.frame(round * 500 + number, stream: exchange.request.stream))
                            }
                        }
                    }
                }
            }
            let url = server.url("/")
            let dispatcher = URLRequestDispatcher.forTests { $0.transport.cleartextHTTP2 = [url] }
            let error = try await failure { try await dispatcher.data(for: URLRequest("POST", url, body: "once")) }
            #expect(await reasons.wait { $0.isOver })
            return (error, reasons.value.codes)
        }
    }
}
#endif
