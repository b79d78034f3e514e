#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// What the error of a time limit says of what the call was doing.
    struct TimeoutTextTests {
        /// Checks the end of the text, with longer limits as long as the machine is too slow to come so far.
        private func expect(_ text: String, _ fail: (Duration) async throws -> any Error) async throws {
            var last = ""
            for scale in [1, 4, 16, 64] {
                last = "\(try await fail(.milliseconds(250 * scale)))"
                if last.hasSuffix(": " + text) { return }
            }
            Issue.record("\(last)")
        }

        @Test func aHandshake() async throws {
            let server = try LoopbackServer(onConnect: [.stall])
            let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
            try await expect("the TLS handshake was not complete") { limit in
                let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.connect = limit }
                return try await failure { try await dispatcher.data(from: url) }
            }
        }

        @Test func aResponse() async throws {
            let server = try LoopbackServer(onConnect: [.stall])
            for isTotal in [true, false] {
                try await expect("the response had not begun") { limit in
                    let dispatcher = URLRequestDispatcher.forTests {
                        if isTotal { $0.timeouts.total = limit } else { $0.timeouts.idle = limit }
                    }
                    return try await failure { try await dispatcher.data(from: server.baseURL) }
                }
            }
        }

        @Test func aBody() async throws {
            let server = try LoopbackServer()
            server.route("/part", .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart"), .stall)
            try await expect("the body was arriving, 4 bytes so far") { limit in
                let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.total = limit }
                return try await failure { try await dispatcher.data(from: server.url("/part")) }
            }
        }

        @Test func aCallWithoutTime() async throws {
            let server = try LoopbackServer()
            let dispatcher = URLRequestDispatcher.forTests()
            var options = RequestOptions()
            options.deadline = .now
            let error = try await failure { [options] in
                try await dispatcher.data(for: URLRequest(url: server.url("/")), options: options)
            }
            #expect(TransportError.Code.timeout(.total) ~= error)
            #expect(!"\(error)".contains("no connection was free"), "\(error)")
        }

        @Test func aRequest() async throws {
            // It reads nothing.
            let listener = try AddressListener("127.0.0.2")
            let dispatcher = URLRequestDispatcher.forTests { $0.timeouts.idle = .milliseconds(250) }
            let url = try #require(URL(string: "http://127.0.0.2:\(listener.port)/"))
            let request = URLRequest("PUT", url, body: String(repeating: "x", count: 32 << 20))
            let error = try await failure { try await dispatcher.data(for: request) }
            #expect("\(error)".contains(": the request was being sent, "), "\(error)")
        }
    }
}
#endif
