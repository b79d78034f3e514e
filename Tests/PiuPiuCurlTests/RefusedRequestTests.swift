#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension LibcurlNetworkTests {
    /// How often a server gets a request that it refuses, over HTTP/2.
    @Suite(.enabled(if: HTTP2Script.isAvailable, "python3 is needed"))
    struct RefusedRequestTests {
        enum Refusal: Sendable, CaseIterable {
            case stream, connection, closed

            func play(_ exchange: HTTP2Exchange) {
                switch self {
                case .stream: exchange.reset(.refusedStream)
                case .connection: exchange.peer.goAway(lastStream: 0)
                case .closed: exchange.peer.close()
                }
            }
        }

        private func dispatcher(_ server: HTTP2Script) -> URLRequestDispatcher {
            .overLibcurl { $0.transport.certificateAuthorityFile = server.authority }
        }

        @Test(arguments: Refusal.allCases, ["GET", "POST"])
        func aRefusedRequestIsSentThreeTimesAtMost(_ refusal: Refusal, _ method: String) async throws {
            let server = try HTTP2Script { refusal.play($0) }
            let dispatcher = dispatcher(server)
            let request = URLRequest(method, server.url("/"), body: method == "GET" ? nil : "body")
            let error = try await failure { try await dispatcher.data(for: request) }
            #expect([.http2, .connectionLost].contains(TransportError.Code.of(error)), "\(error)")
            #expect((1...3).contains(server.requests.count), "\(server.requests.count): \(error)")
        }

        @Test func requestsThatWaitTogetherGetThere() async throws {
            let server = try HTTP2Script(settings: [3: 1], tls: { $0.records = .atMost(13) }) { exchange in
                if exchange.request.ordinal == 1 {
                    exchange.respond(body: exchange.request.path)
                } else {
                    exchange.reset(.refusedStream)
                }
            }
            let dispatcher = dispatcher(server)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<50 {
                    group.addTask {
                        let data = try await dispatcher.data(from: server.url("/\(index)")).data
                        #expect(data == Data("/\(index)".utf8))
                    }
                }
                try await group.waitForAll()
            }
            #expect(Dictionary(grouping: server.requests, by: \.path).values.allSatisfy { $0.count <= 3 })
        }
    }
}
#endif
