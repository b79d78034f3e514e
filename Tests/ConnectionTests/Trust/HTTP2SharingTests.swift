#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Streams, downloads and requests on shared connections of HTTP/2.
    @Suite(.enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"))
    struct HTTP2SharingTests {
        private func dispatcher(
            _ server: HTTP2Script,
            _ configure: (inout URLRequestDispatcher.Configuration) -> Void = { _ in }
        ) -> URLRequestDispatcher {
            .trusting(server.authority, http2: true, configure)
        }

        @Test func readersWhoPauseHoldUpNobody() async throws {
            let size = 600_000
            let server = try HTTP2Script { exchange in
                exchange.head(200)
                exchange.data([UInt8](repeating: 0x61, count: size), ends: true)
            }
            let dispatcher = dispatcher(server) { $0.connections.perHost = 1 }
            var unread: [ResponseBody] = []
            for _ in 0..<50 {
                unread.append(try await dispatcher.stream(for: URLRequest(url: server.url("/stream"))).data)
            }
            for _ in 0..<20 {
                #expect(try await dispatcher.data(from: server.url("/data")).data?.count == size)
            }
            #expect(server.acceptedConnections == 1)
            for body in unread { #expect(try await body.collect(upTo: size).count == size) }
        }

        @Test func aStreamThatIsCancelledIsResetAlone() async throws {
            let server = try HTTP2Script { exchange in
                if exchange.request.path == "/endless" {
                    exchange.head(200)
                    exchange.data(Array("beginning".utf8))
                } else {
                    exchange.respond(body: "other")
                }
            }
            let dispatcher = dispatcher(server)
            let endless = Task {
                let body = try await dispatcher.stream(for: URLRequest(url: server.url("/endless"))).data
                for try await _ in body {}
            }
            await server.waitForRequests(1)
            endless.cancel()
            await #expect(throws: CancellationError.self) { try await endless.value }
            await server.waitForResets(1)
            #expect(try await dispatcher.data(from: server.url("/")).data == Data("other".utf8))
            #expect(server.resets == [.cancel] && server.acceptedConnections == 1)
        }

        @Test func moreRequestsThanAConnectionTakesGetOthers() async throws {
            let server = try HTTP2Script(settings: [3: 10]) { exchange in
                if exchange.request.path == "/first" { return exchange.respond(body: "first") }
                exchange.hold("gate") { $0.respond(body: "held") }
            }
            let dispatcher = dispatcher(server) { $0.connections.perHost = 4 }
            // The server's limit arrives with the first answer; before it does, a connection takes what is usual.
            _ = try await dispatcher.data(from: server.url("/first"))
            let tasks = (0..<60).map { _ in Task { try await dispatcher.data(from: server.url("/")).data } }
            await server.waitUntilHeld("gate", count: 40)
            #expect((2...4).contains(server.acceptedConnections))
            server.release("gate")
            for task in tasks { #expect(try await task.value == Data("held".utf8)) }
            #expect((2...4).contains(server.acceptedConnections))
        }

        @Test func aRequestThatTheServerWantsOverHTTP1GetsThere() async throws {
            let server = try HTTP2Script(
                tls: { $0.protocols = ["h2", "http/1.1"] },
                http1: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\none"
            ) { exchange in
                guard exchange.request.path != "/1" else { return exchange.reset(.http11Required) }
                exchange.respond(body: "two")
            }
            let dispatcher = dispatcher(server)
            for _ in 0..<3 {
                let old = try await dispatcher.data(from: server.url("/1"))
                #expect(old.data == Data("one".utf8) && old.head?.httpVersion == "HTTP/1.1")
                let new = try await dispatcher.data(from: server.url("/2"))
                #expect(new.data == Data("two".utf8) && new.head?.httpVersion == "HTTP/2")
            }
        }

        @Test func trailersAreSentOverHTTP2() async throws {
            let server = try HTTP2Script { exchange in
                exchange.respond(body: exchange.request["x-sum"] ?? "none")
            }
            let dispatcher = dispatcher(server)
            var request = URLRequest(url: server.url("/"))
            request.httpMethod = "POST"
            let body = RequestBody.data(Data("abc".utf8)).withTrailers(["X-Sum"]) { ["X-Sum": "42"] }
            let response = try await dispatcher.upload(for: request, from: body).response()
            #expect(response.data == Data("42".utf8) && response.head?.httpVersion == "HTTP/2")
        }

        /// The other requests on the connection must not count as its own activity.
        @Test func aStalledStreamEndsAlthoughItsConnectionIsBusy() async throws {
            let server = try HTTP2Script { exchange in
                if exchange.request.path != "/stuck" { exchange.respond(body: "other") }
            }
            let dispatcher = dispatcher(server)
            var options = dispatcher.configuration.options
            options.timeouts.idle = .milliseconds(200)
            let others = Task {
                while !Task.isCancelled { _ = try await dispatcher.data(from: server.url("/other")) }
            }
            defer { others.cancel() }
            let request = URLRequest(url: server.url("/stuck"))
            let error = try await failure { try await dispatcher.data(for: request, options: options) }
            #expect((error as? TransportError)?.code == .timeout(.idle))
        }

        @Test func aSpeedLimitIsKeptOnASharedConnection() async throws {
            let size = 400_000
            let server = try HTTP2Script { exchange in
                exchange.head(200)
                exchange.data([UInt8](repeating: 0x61, count: size), ends: true)
            }
            let dispatcher = dispatcher(server)
            var options = dispatcher.configuration.options
            options.maximumReceiveRate = 1_000_000
            let start = ContinuousClock.now
            let request = URLRequest(url: server.url("/"))
            #expect(try await dispatcher.data(for: request, options: options).data?.count == size)
            #expect(ContinuousClock.now - start > .milliseconds(300))
        }

        @Test func aConnectionThatIsGoingAwayGetsNoMoreRequests() async throws {
            let server = try HTTP2Script { exchange in
                if exchange.request.path == "/last" { exchange.peer.goAway(lastStream: exchange.request.stream) }
                exchange.respond(body: "done")
            }
            let dispatcher = dispatcher(server)
            for path in ["/last", "/next", "/last", "/next"] {
                #expect(try await dispatcher.data(from: server.url(path)).data == Data("done".utf8))
            }
            #expect(server.acceptedConnections == 3)
        }
    }
}
#endif
