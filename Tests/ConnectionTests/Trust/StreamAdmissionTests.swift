import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Tests streams and downloads if a server speaks HTTP/2 only, and if they would take every connection.
    struct StreamAdmissionTests {
        @Test(
            "Streams and downloads work with a server that speaks HTTP/2 only",
            .enabled(
                if: HTTP2Support.isDefault && NghttpdServer.shared != nil,
                "nghttpd, openssl and nghttp2 are needed"
            ),
            arguments: Delivery.allCases,
            ["GET", "POST"]
        )
        func nghttpd(_ delivery: Delivery, _ method: String) async throws {
            let server = try #require(NghttpdServer.shared)
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            for _ in 0..<3 {
                let small = URLRequest(method, server.url("/small.txt"), body: method == "POST" ? "body" : nil)
                #expect(try await dispatcher.receive(small, by: delivery) == Received("small"))
                let large = URLRequest(method, server.url("/mega.bin"), body: method == "POST" ? "body" : nil)
                let received = try await dispatcher.receive(large, by: delivery)
                #expect(received == Received(body: Data(repeating: 0x78, count: 1 << 20)))
            }
        }

        @Test(
            "Streams and downloads work with a server that refuses HTTP/1.1 in its own way",
            .enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"),
            arguments: [TLSRelay.Settings.Mismatch.close, .ignore, .alert],
            Delivery.allCases
        )
        func refusals(_ mismatch: TLSRelay.Settings.Mismatch, _ delivery: Delivery) async throws {
            let server = try HTTP2Script(tls: { $0.mismatch = mismatch }) { exchange in
                exchange.respond(body: "\(exchange.request.method) \(exchange.request.body.count)")
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true)
            for _ in 0..<3 {
                let get = URLRequest(url: server.url("/"))
                #expect(try await dispatcher.receive(get, by: delivery) == Received("GET 0"))
                let post = URLRequest("POST", server.url("/"), body: "body")
                #expect(try await dispatcher.receive(post, by: delivery) == Received("POST 4"))
            }
            #expect(server.requests.count == 6)
        }

        /// Opens streams that are not read, and checks that requests are answered all the same.
        private func check(_ count: Int, _ dispatcher: URLRequestDispatcher, _ stream: URL, _ request: URL) async throws
        {
            var options = dispatcher.configuration.options
            options.timeouts.total = .seconds(120)
            var streams: [ResponseBody] = []
            for _ in 0..<count {
                streams.append(try await dispatcher.stream(for: URLRequest(url: stream), options: options).data)
            }
            for _ in 0..<3 {
                let response = try await dispatcher.data(for: URLRequest(url: request), options: options)
                #expect(response.statusCode == .ok)
            }
            withExtendedLifetime(streams) {}
        }

        @Test(
            "Open streams that nobody reads do not keep a request from its answer",
            .enabled(if: NginxServer.shared != nil, "nginx and openssl are needed"),
            arguments: [8, 50],
            ["http2", "http1", "plain"]
        )
        func nginx(_ count: Int, _ kind: String) async throws {
            let nginx = try #require(NginxServer.shared)
            let port = kind == "http2" ? nginx.http2 : kind == "http1" ? nginx.http1 : nginx.plain
            for isWarm in [false, true] {
                let dispatcher = URLRequestDispatcher.trusting(nginx.authority, http2: true) {
                    $0.connections = ConnectionLimits()
                }
                if isWarm { _ = try await dispatcher.data(from: nginx.url(port, "/hello")) }
                try await check(count, dispatcher, nginx.url(port, "/mega.bin"), nginx.url(port, "/hello"))
            }
        }

        @Test("Event streams that say nothing do not keep a request from its answer", arguments: [8, 50])
        func silent(_ count: Int) async throws {
            let server = try LoopbackServer()
            server.route("/events", .send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"), .stall)
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.trusting(nil) { $0.connections = ConnectionLimits() }
            try await check(count, dispatcher, server.url("/events"), server.url("/"))
        }

        @Test(
            "Event streams of a server that speaks HTTP/2 only do not keep a request from its answer",
            .enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"),
            arguments: [8, 50]
        )
        func silentHTTP2(_ count: Int) async throws {
            let server = try HTTP2Script { exchange in
                if exchange.request.path == "/events" { exchange.head() } else { exchange.respond(body: "ok") }
            }
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true) {
                $0.connections = ConnectionLimits()
            }
            try await check(count, dispatcher, server.url("/events"), server.url("/"))
        }
    }
}
