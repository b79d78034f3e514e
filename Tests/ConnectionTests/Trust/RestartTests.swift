import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// How often a server gets the request of one call, and how fast: the table of "The transport on Linux".
    @Suite(.enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"))
    struct RestartTests {
        /// What a server does with every request but those for `/warm`.
        enum Cause: String, CaseIterable, Sendable {
            case refusedStream, goAwayAtOnce, goAwayLater, calm, http1ByReset, http1ByGoAway, closed, closedLater,
                reset

            /// Whether the connection has carried another request before.
            var isWarm: Bool { self == .goAwayLater || self == .closedLater }

            func play(_ exchange: HTTP2Exchange) {
                let stream = exchange.request.stream
                switch self {
                case .refusedStream: exchange.reset(.refusedStream)
                case .goAwayAtOnce: exchange.peer.goAway(lastStream: 0)
                case .goAwayLater: exchange.peer.goAway(lastStream: max(0, stream - 2))
                case .calm: exchange.peer.goAway(lastStream: 0, .enhanceYourCalm)
                case .http1ByReset: exchange.reset(.http11Required)
                case .http1ByGoAway: exchange.peer.goAway(lastStream: 0, .http11Required)
                case .closed, .closedLater: exchange.peer.close()
                case .reset: exchange.reset(.internalError)
                }
            }
        }

        struct Row: Sendable, CustomTestStringConvertible {
            let cause: Cause
            var methods = ["GET", "POST"]
            /// How often the server gets the request, without a policy and with two retries.
            let requests: Int
            let retried: Int
            /// Which of the requests come after a pause, counted from 0.
            var paused: [Int] = []
            /// What the error says; `nil` if there is none.
            var text: String?
            var isSafe = true

            var testDescription: String { "\(cause) \(methods)" }
        }

        static let rows = [
            Row(cause: .refusedStream, requests: 2, retried: 4, paused: [1], text: "REFUSED_STREAM"),
            Row(cause: .goAwayAtOnce, requests: 2, retried: 4, paused: [1], text: "GOAWAY, NO_ERROR"),
            Row(cause: .goAwayLater, requests: 3, retried: 5, paused: [2], text: "GOAWAY, NO_ERROR"),
            Row(cause: .calm, requests: 1, retried: 3, text: "GOAWAY, ENHANCE_YOUR_CALM"),
            Row(cause: .http1ByReset, requests: 2, retried: 2),
            Row(cause: .http1ByGoAway, requests: 2, retried: 2),
            Row(cause: .closed, methods: ["GET"], requests: 1, retried: 3, text: "closed", isSafe: false),
            Row(cause: .closedLater, methods: ["GET"], requests: 2, retried: 4, text: "closed", isSafe: false),
            Row(cause: .closedLater, methods: ["POST"], requests: 1, retried: 1, text: "closed", isSafe: false),
            Row(cause: .reset, methods: ["GET"], requests: 1, retried: 3, text: "INTERNAL_ERROR", isSafe: false),
            Row(cause: .reset, methods: ["POST"], requests: 1, retried: 1, text: "INTERNAL_ERROR", isSafe: false),
        ]

        @Test("A server gets a request as often as the table says", arguments: rows, [false, true])
        func table(_ row: Row, _ hasRetries: Bool) async throws {
            for method in row.methods {
                let arrivals = Observed<[ContinuousClock.Instant]>([])
                let server = try HTTP2Script(
                    tls: { $0.protocols = ["h2", "http/1.1"] },
                    http1: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
                ) { exchange in
                    guard exchange.request.path != "/warm" else { return exchange.respond() }
                    arrivals.update { $0.append(.now) }
                    row.cause.play(exchange)
                }
                let retries = RetryPolicy(retries: 2, backoff: Backoff(base: .zero))
                let dispatcher = URLRequestDispatcher.forTests(interceptors: hasRetries ? [retries] : []) {
                    $0.transport.certificateAuthorityFile = server.authority
                    $0.transport.speaksHTTP2 = true
                }
                if row.cause.isWarm { _ = try await dispatcher.data(from: server.url("/warm")) }
                let request = URLRequest(method, server.url("/"), body: method == "GET" ? nil : "body")
                if let text = row.text {
                    let error = try await failure { try await dispatcher.data(for: request) } as? TransportError
                    #expect(error?.underlyingDescription?.contains(text) == true, "\(error as Any)")
                    #expect(error?.isSafeToRetry == row.isSafe, "\(error as Any)")
                } else {
                    #expect(try await dispatcher.data(for: request).statusCode == .ok)
                }
                let requests = server.requests.filter { $0.path != "/warm" }
                #expect(requests.count == (hasRetries ? row.retried : row.requests))
                // A retry may use an open connection again, but a restart does not.
                if !hasRetries { #expect(Set(requests.map(\.connection)).count == requests.count) }
                for index in row.paused where index < arrivals.value.count {
                    #expect(arrivals.value[index] - arrivals.value[index - 1] >= .milliseconds(50))
                }
            }
        }

        @Test(
            "Calls that are refused together make few requests",
            arguments: [Cause.refusedStream, .goAwayAtOnce, .calm]
        )
        func together(_ cause: Cause) async throws {
            let server = try HTTP2Script { cause.play($0) }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true) {
                $0.connections = ConnectionLimits()
            }
            let failures = await withTaskGroup(of: (any Error)?.self) { group in
                for index in 0..<100 {
                    group.addTask {
                        let request = URLRequest("POST", server.url("/\(index)"), body: "x")
                        do { _ = try await dispatcher.data(for: request) } catch { return error }
                        return nil
                    }
                }
                return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
            #expect(failures.count == 100)
            #expect(failures.allSatisfy { ($0 as? TransportError)?.isSafeToRetry == true })
            let times = Dictionary(grouping: server.requests, by: \.path).values.map(\.count)
            #expect(times.max() ?? 0 <= (cause == .calm ? 1 : 2))
        }

        @Test(
            "HAProxy, which refuses the stream if its server reads a request and closes, gets it twice at most",
            .enabled(if: HAProxyServer.isAvailable, "haproxy is needed")
        )
        func haproxy() async throws {
            let arrivals = Observed<[ContinuousClock.Instant]>([])
            let server = try RawServer { connection in
                var input: [UInt8] = []
                while !String(decoding: input, as: UTF8.self).contains("order=1") { input += try connection.read() }
                arrivals.update { $0.append(.now) }
            }
            let haproxy = try HAProxyServer(tlsInFrontOf: server.port, isHTTP2: true)
            let certificates = try Certificates.shared.get()
            let dispatcher = URLRequestDispatcher.trusting(certificates.authority, http2: true)
            let url = Fixture.url("https://localhost:\(haproxy.port)/pay")
            do {
                // Newer ones answer with a 502.
                let response = try await dispatcher.data(for: URLRequest("POST", url, body: "order=1"))
                #expect(response.statusCode == .badGateway)
            } catch let error as TransportError {
                #expect(error.isSafeToRetry && "\(error)".contains("REFUSED_STREAM"), "\(error)")
            }
            #expect((1...2).contains(arrivals.value.count))
            for (first, second) in zip(arrivals.value, arrivals.value.dropFirst()) {
                #expect(second - first >= .milliseconds(50))
            }
        }
    }
}
