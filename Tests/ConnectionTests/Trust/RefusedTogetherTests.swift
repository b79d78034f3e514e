import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Requests that wait for a new HTTP/2 connection together, of which the server takes few.
    @Suite(.enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"))
    struct RefusedTogetherTests {
        /// A dispatcher whose requests end long before the limit of connecting.
        private func dispatcher(_ server: HTTP2Script) -> URLRequestDispatcher {
            URLRequestDispatcher.trusting(server.authority, http2: true) {
                $0.connections = ConnectionLimits()
                $0.options.timeouts.connect = .seconds(300)
                $0.options.timeouts.total = .seconds(60)
            }
        }

        @Test("A server that takes one request on each connection gets all of many", arguments: ["GET", "POST"])
        func oneForEachConnection(_ method: String) async throws {
            // Each frame in a record of its own, so that they are read one by one.
            let server = try HTTP2Script(settings: [3: 1], tls: { $0.records = .atMost(13) }) { exchange in
                if exchange.request.ordinal == 1 {
                    exchange.respond(body: exchange.request.path)
                } else {
                    exchange.reset(.refusedStream)
                }
            }
            let dispatcher = dispatcher(server)
            try await withThrowingTaskGroup(of: (Data?, String).self) { group in
                for index in 0..<50 {
                    group.addTask {
                        let request = URLRequest(method, server.url("/\(index)"), body: method == "POST" ? "x" : nil)
                        return (try await dispatcher.data(for: request).data, "/\(index)")
                    }
                }
                for try await (data, path) in group { #expect(data == Data(path.utf8)) }
            }
            let taken = server.requests.filter { $0.ordinal == 1 }
            #expect(Set(taken.map(\.path)).count == 50)
            #expect(taken.count == 50)
        }
    }
}
