#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Servers of HTTP/2 that fall silent, or say nothing that matters.
    @Suite(.enabled(if: HTTP2Support.isDefault, "nghttp2 is needed"))
    struct HTTP2SilenceTests {
        private func dispatcher(_ server: HTTP2Script) -> URLRequestDispatcher {
            let url = server.url("/")
            return .forTests { $0.transport.cleartextHTTP2 = [url] }
        }

        @Test(
            "A connection whose server fell silent gets no more requests",
            arguments: [600, 1500],
            [("GET", 1), ("POST", 1), ("GET", 20), ("POST", 20)]
        )
        func silence(_ milliseconds: Int, _ requests: (method: String, count: Int)) async throws {
            var result = try await runs(.milliseconds(milliseconds), requests)
            // A busy machine reads the server's last bytes so late that it has not been silent for long.
            for scale in [4, 16] where !result.isRight {
                result = try await runs(.milliseconds(milliseconds * scale), requests)
            }
            #expect(result.isRight, "\(result)")
        }

        /// What became of requests that a silent connection does not answer, and of those after them.
        private struct Runs {
            var count: Int
            var first: [TransportError.Code?]
            var second: [TransportError.Code?]
            var connections: Int

            var isRight: Bool {
                first.count >= max(1, count - 1) && first.allSatisfy { $0 == .timeout(.head) } && second.isEmpty
                    && connections == 2
            }
        }

        private func runs(_ limit: Duration, _ requests: (method: String, count: Int)) async throws -> Runs {
            let server = try HTTP2Script(tls: nil) { exchange in
                guard exchange.request.connection == 1 else { return exchange.respond(body: "fine") }
                // A window update for the content of a POST has gone out before, and one of many gets an answer.
                if requests.count > 1 { exchange.respond(body: "the last one") }
                while (try? exchange.peer.connection.read()) != nil {}
            }
            let dispatcher = dispatcher(server)
            func run(limit: Duration) async -> [TransportError.Code?] {
                var options = dispatcher.configuration.options
                options.timeouts.head = limit
                let isPOST = requests.method == "POST"
                let request = URLRequest(requests.method, server.url("/"), body: isPOST ? "content" : nil)
                return await withTaskGroup(of: TransportError.Code??.self) { [options] group in
                    for _ in 0..<requests.count {
                        group.addTask {
                            do {
                                _ = try await dispatcher.data(for: request, options: options)
                                return .none
                            } catch {
                                return .some((error as? TransportError)?.code)
                            }
                        }
                    }
                    return await group.reduce(into: []) { list, code in if let code { list.append(code) } }
                }
            }
            return Runs(
                count: requests.count,
                first: await run(limit: limit),
                second: await run(limit: max(.seconds(10), limit * 4)),
                connections: server.acceptedConnections
            )
        }

        enum Drip: CaseIterable, Sendable {
            case emptyData, paddedData, windowUpdate, ping, unknown

            func send(_ exchange: HTTP2Exchange) {
                let stream = exchange.request.stream
                switch self {
                case .emptyData: exchange.data([])
                case .paddedData:
                    exchange.peer.send(HTTP2Frame(.data, flags: HTTP2Frame.padded, stream: stream, payload: [0]))
                case .windowUpdate: exchange.peer.windowUpdate(1, stream: stream)
                case .ping: exchange.peer.ping()
                case .unknown: exchange.peer.send(.unknown)
                }
            }
        }

        @Test(arguments: Drip.allCases, ["GET", "POST"])
        func framesWithoutContentDoNotPutTheIdleLimitOff(_ drip: Drip, _ method: String) async throws {
            let isOver = Observed(false)
            defer { isOver.update { $0 = true } }
            let server = try HTTP2Script(tls: nil) { exchange in
                exchange.head(200)
                Task {
                    while !isOver.value {
                        drip.send(exchange)
                        try await Task.sleep(for: .milliseconds(40))
                    }
                }
            }
            let dispatcher = dispatcher(server)
            var options = dispatcher.configuration.options
            options.timeouts.idle = .milliseconds(300)
            options.timeouts.total = .seconds(5)
            let request = URLRequest(method, server.url("/"), body: method == "POST" ? "content" : nil)
            let error = try await failure { try await dispatcher.data(for: request, options: options) }
            #expect((error as? TransportError)?.code == .timeout(.idle), "\(error)")
        }
    }
}
#endif
