import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension URLRequestDispatcher {
    /// A dispatcher that speaks HTTP/2 without TLS with the origin of a URL.
    fileprivate static func withoutTLS(
        _ url: URL,
        _ configure: (inout Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        .forTests {
            $0.transport.cleartextHTTP2 = [url]
            configure(&$0)
        }
    }

    fileprivate func text(_ request: URLRequest) async throws -> String {
        String(decoding: try await data(for: request).data ?? Data(), as: UTF8.self)
    }
}

extension ConnectionNetworkTests {
    /// HTTP/2 without TLS, by prior knowledge (RFC 9113 §3.3).
    @Suite(.enabled(if: HTTP2Support.isDefault, "nghttp2 is needed"))
    struct CleartextHTTP2Tests {
        typealias Cut = TrustNetworkTests.TruncatedHTTP2Tests.Cut
        typealias Part = TrustNetworkTests.TruncatedHTTP2Tests.Part
        typealias Refusal = TrustNetworkTests.UnprocessedRequestTests.Refusal

        @Test(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
        func requestsInParallelShareConnections() async throws {
            let nginx = try NginxVariant(http: "keepalive_requests 100000;")
            let url = nginx.url(nginx.plainHTTP2, "/hello")
            let dispatcher = URLRequestDispatcher.withoutTLS(url)
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<300 {
                    group.addTask { try await dispatcher.data(from: url).head?.httpVersion }
                }
                for try await version in group { #expect(version == "HTTP/2") }
            }
            for _ in 0..<20 { _ = try await dispatcher.data(from: url) }
            await dispatcher.shutdown()
            let log = nginx.finish()
            #expect(log.count == 320)
            #expect(log.allSatisfy { $0.version == "HTTP/2.0" && $0.status == 200 })
            #expect(Set(log.map(\.connection)).count <= 6)
        }

        @Test(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
        func streamsAndRequestsShareAConnection() async throws {
            let nginx = try NginxVariant()
            let url = nginx.url(nginx.plainHTTP2, "/hello")
            let dispatcher = URLRequestDispatcher.withoutTLS(url)
            for _ in 0..<2 {
                _ = try await dispatcher.data(from: url)
                let stream = try await dispatcher.stream(for: URLRequest(url: url))
                _ = try await stream.data.collect(upTo: 10_000)
                _ = try await dispatcher.data(from: url)
            }
            await dispatcher.shutdown()
            let connections = nginx.finish().map(\.connection)
            try #require(connections.count == 6)
            #expect(Set(connections).count == 1, "\(connections)")
        }

        @Test(.enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed"))
        func otherOriginsSpeakHTTP1() async throws {
            let nginx = try NginxVariant()
            let dispatcher = URLRequestDispatcher.withoutTLS(nginx.url(nginx.plainHTTP2, "/"))
            let response = try await dispatcher.data(from: nginx.url(nginx.plain, "/hello"))
            #expect(response.head?.httpVersion == "HTTP/1.1")
        }

        @Test(.enabled(if: NghttpdServer.withoutTLS != nil, "nghttpd and openssl are needed"))
        func everyKindOfTransferWorks() async throws {
            let server = try #require(NghttpdServer.withoutTLS)
            let dispatcher = URLRequestDispatcher.withoutTLS(server.url("/"))
            let small = URLRequest(url: server.url("/small.txt"))
            #expect(try await dispatcher.text(small) == "small")
            let mega = URLRequest(url: server.url("/mega.bin"))
            for delivery in Delivery.allCases {
                #expect(try await dispatcher.receive(mega, by: delivery).body.count == 1 << 20)
            }
            let post = URLRequest("POST", server.url("/small.txt"), body: String(repeating: "x", count: 300_000))
            #expect(try await dispatcher.text(post) == "small")
            let producer = Producer.of([Data](repeating: Data(repeating: 0x65, count: 100_000), count: 20))
            let put = URLRequest("PUT", server.url("/small.txt"))
            let upload = try await dispatcher.upload(for: put, from: .stream(producer)).response()
            #expect(upload.data == Data("small".utf8))
            #expect(upload.head?.httpVersion == "HTTP/2")
        }

        @Test(
            .enabled(if: NghttpdServer.withoutTLS != nil, "nghttpd and openssl are needed"),
            arguments: ["LOCALHOST", "localhost.", "127.1"]
        )
        func everySpellingOfAnOriginSpeaksIt(_ host: String) async throws {
            let port = try #require(NghttpdServer.withoutTLS).port
            let usual = host == "127.1" ? "127.0.0.1" : "localhost"
            let urls = [usual, host].map { Fixture.url("http://\($0):\(port)/small.txt") }
            for (known, asked) in [(urls[0], urls[1]), (urls[1], urls[0])] {
                let dispatcher = URLRequestDispatcher.withoutTLS(known)
                #expect(try await dispatcher.data(from: asked).head?.httpVersion == "HTTP/2")
            }
        }

        @Test(.enabled(if: NghttpdServer.withoutTLS != nil, "nghttpd and openssl are needed"))
        func aStreamThatIsNotReadHoldsUpNobody() async throws {
            let server = try #require(NghttpdServer.withoutTLS)
            let dispatcher = URLRequestDispatcher.withoutTLS(server.url("/")) { $0.connections.perHost = 3 }
            let mega = URLRequest(url: server.url("/mega.bin"))
            let unread = try await dispatcher.stream(for: mega)
            #expect(unread.head?.httpVersion == "HTTP/2")
            for _ in 0..<5 {
                #expect(try await dispatcher.text(URLRequest(url: server.url("/small.txt"))) == "small")
                #expect(try await dispatcher.stream(for: mega).data.collect(upTo: 2 << 20).count == 1 << 20)
            }
            #expect(try await unread.data.collect(upTo: 2 << 20).count == 1 << 20)
        }

        @Test(
            .enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"),
            arguments: Cut.allCases,
            Part.allCases
        )
        func aBodyThatIsCutOffIsAnError(_ cut: Cut, _ part: Part) async throws {
            let server = try HTTP2Script { exchange in
                part.play(exchange)
                exchange.hold("cut") { cut.play($0) }
            }
            server.release("cut")
            let url = server.urlWithoutTLS("/")
            for delivery in Delivery.allCases {
                let dispatcher = URLRequestDispatcher.withoutTLS(url)
                do {
                    let received = try await dispatcher.receive(URLRequest(url: url), by: delivery)
                    #expect(part == .wholeLength && received == Received("body"), "\(delivery): \(received)")
                } catch {
                    let code = TransportError.Code.of(error)
                    let expected: [TransportError.Code] = [.truncatedBody, .http2, .connectionLost]
                    #expect(code.map(expected.contains) == true, "\(delivery): \(error)")
                }
            }
        }

        @Test(
            .enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"),
            arguments: Refusal.allCases,
            ["GET", "POST"]
        )
        func aRequestThatWasNotProcessedIsSentAgain(_ refusal: Refusal, _ method: String) async throws {
            let refusals = Tally()
            let server = try HTTP2Script { exchange in
                if exchange.request.path == "/refused", refusals.count == 0 {
                    refusals.add()
                    refusal.play(exchange)
                } else {
                    exchange.respond(body: "processed")
                }
            }
            let dispatcher = URLRequestDispatcher.withoutTLS(server.urlWithoutTLS("/"))
            _ = try await dispatcher.data(from: server.urlWithoutTLS("/"))
            let body = method == "POST" ? "content" : nil
            let request = URLRequest(method, server.urlWithoutTLS("/refused"), body: body)
            #expect(try await dispatcher.text(request) == "processed")
            #expect(server.requests.filter { $0.path == "/refused" }.map(\.method) == [method, method])
        }

        @Test(.enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"))
        func aPOSTThatMayHaveBeenProcessedIsNotSentAgain() async throws {
            let server = try HTTP2Script { exchange in
                if exchange.request.path == "/post" { exchange.peer.abort() } else { exchange.respond(body: "fine") }
            }
            let dispatcher = URLRequestDispatcher.withoutTLS(server.urlWithoutTLS("/"))
            _ = try await dispatcher.data(from: server.urlWithoutTLS("/"))
            let error = try await failure {
                try await dispatcher.data(for: URLRequest("POST", server.urlWithoutTLS("/post"), body: "x"))
            }
            #expect([.connectionLost, .http2].contains(TransportError.Code.of(error)), "\(error)")
            #expect((error as? TransportError)?.isSafeToRetry == false)
            #expect(server.requests.filter { $0.path == "/post" }.count == 1)
        }

        @Test(.enabled(if: NghttpdServer.withoutTLS != nil, "nghttpd and openssl are needed"))
        func requestsAreCancelledAtAnyMoment() async throws {
            let server = try #require(NghttpdServer.withoutTLS)
            let dispatcher = URLRequestDispatcher.withoutTLS(server.url("/"))
            let urls = [server.url("/small.txt"), server.url("/mega.bin")]
            let errors = await storm(300, seed: 5, of: dispatcher, to: urls)
            #expect(errors == [])
            #expect(try await dispatcher.exchangeCount() == 0)
            #expect(try await dispatcher.text(URLRequest(url: urls[0])) == "small")
        }

        @Test func aProxyGetsNoRequest() async {
            await #expect(processExitsWith: .success) {
                let proxy = try LoopbackServer()
                setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
                unsetenv("no_proxy")
                let url = Fixture.url("http://a.example:8080/")
                let dispatcher = URLRequestDispatcher.forTests {
                    $0.transport.proxy = .environment
                    $0.transport.cleartextHTTP2 = [url]
                }
                let error = try await failure { try await dispatcher.data(from: url) }
                #expect(TransportError.Code.unsupported ~= error, "\(error)")
                #expect((error as? TransportError)?.reason.contains("proxy") == true)
                #expect(proxy.requests.isEmpty)
                // Other requests still pass it.
                #expect(try await dispatcher.data(from: Fixture.url("http://b.example/")).data != nil)
            }
        }
    }
}
