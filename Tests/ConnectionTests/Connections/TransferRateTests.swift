#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import PiuPiuTesting
import TestSupport
import Testing

extension ConnectionNetworkTests {
    /// Speed limits, with lower bounds of times only: a slow machine exceeds others.
    struct TransferRateTests {
        private let clock = ContinuousClock()

        private func server(_ count: Int) throws -> LoopbackServer {
            let server = try LoopbackServer()
            server.route("/body", .response(body: String(repeating: "x", count: count)))
            server.route("PUT", "/", .echo)
            server.route("/silent", .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx"), .stall)
            return server
        }

        private func options(receive: Int? = nil, send: Int? = nil, idle: Duration = .generous) -> RequestOptions {
            var options = RequestOptions(timeouts: Timeouts(idle: idle, total: .generous))
            options.maximumReceiveRate = receive
            options.maximumSendRate = send
            return options
        }

        // A hold is longer than the idle limit.
        @Test(arguments: [false, true]) func receivingIsSlowAndIsNotIdle(_ isStreamed: Bool) async throws {
            let server = try server(6000)
            let dispatcher = URLRequestDispatcher.forTests()
            try await atSomeScale { scale in
                let options = options(receive: 2000 / scale, idle: .milliseconds(200 * scale))
                var count = 0
                let time = try await clock.measure {
                    let request = URLRequest(url: server.url("/body"))
                    if isStreamed {
                        for try await part in try await dispatcher.stream(for: request, options: options).data {
                            count += part.count
                        }
                    } else {
                        count = try await dispatcher.data(for: request, options: options).data?.count ?? 0
                    }
                }
                #expect(count == 6000)
                #expect(time > .seconds(1), "\(time)")
            }
        }

        @Test func sendingIsSlowAndIsNotIdle() async throws {
            let server = try server(1)
            let dispatcher = URLRequestDispatcher.forTests()
            try await atSomeScale { scale in
                let options = options(send: 2000 / scale, idle: .milliseconds(200 * scale))
                for (body, minimum) in [(Data(repeating: 0x79, count: 6000), Duration.seconds(1)), (Data(), .zero)] {
                    let time = try await clock.measure {
                        var request = URLRequest("PUT", server.url("/"))
                        request.httpBody = body
                        let echoed = try await dispatcher.data(for: request, options: options).data ?? Data()
                        #expect(echoed == body)
                    }
                    #expect(time > minimum, "\(time)")
                }
                let time = try await clock.measure {
                    let body = RequestBody.stream(
                        AsyncStream { continuation in
                            for _ in 0..<6 { continuation.yield(Data(repeating: 0x79, count: 1000)) }
                            continuation.finish()
                        }
                    )
                    let request = URLRequest("PUT", server.url("/"))
                    let response = try await dispatcher.upload(for: request, from: body, options: options).response()
                    #expect(response.data?.count == 6000)
                }
                #expect(time > .seconds(1), "\(time)")
            }
        }

        // At the limit of the first request, the second would take longer than its total limit.
        @Test func aLimitEndsWithItsRequest() async throws {
            let server = try server(4_000_000)
            let dispatcher = URLRequestDispatcher.forTests { $0.connections = ConnectionLimits(perHost: 1, total: 1) }
            let request = URLRequest(url: server.url("/body"))
            server.route("/small", .response(body: "small"))
            for rate in [1000, nil, 1, nil, nil] {
                let small = URLRequest(url: server.url("/small"))
                _ = try await dispatcher.data(for: small, options: options(receive: rate, send: rate))
                #expect(try await dispatcher.data(for: request, options: options()).data?.count == 4_000_000)
            }
            #expect(server.acceptedConnections == 1)
        }

        @Test func aServerThatIsSilentIsStillIdle() async throws {
            let server = try server(1)
            let request = URLRequest(url: server.url("/silent"))
            let options = options(receive: 1000, idle: .milliseconds(300))
            await expect(.timeout(.idle)) {
                try await URLRequestDispatcher.forTests().data(for: request, options: options)
            }
        }

        @Test(.enabled(if: NginxServer.shared != nil, "nginx and openssl are needed"))
        func anHTTP2StreamIsSlowAndTheOthersAreNot() async throws {
            let nginx = try #require(NginxServer.shared)
            let dispatcher = URLRequestDispatcher.forTests { $0.transport.certificateAuthorityFile = nginx.authority }
            let request = URLRequest(url: nginx.url(nginx.http2, "/mega.bin"))
            let options = options(receive: 400_000, idle: .seconds(5))
            let time = try await clock.measure {
                async let slow = dispatcher.data(for: request, options: options).data?.count
                for _ in 0..<3 {
                    let count = try await dispatcher.data(for: request).data?.count
                    #expect(count == 1 << 20)
                }
                let count = try await slow
                #expect(count == 1 << 20)
            }
            #expect(time > .seconds(1), "\(time)")
            #expect(try await dispatcher.data(for: request).data?.count == 1 << 20)
        }
    }
}
#endif
