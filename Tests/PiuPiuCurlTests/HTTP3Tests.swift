import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing
@testable import PiuPiuCurl

#if os(Linux)
extension URLRequestDispatcher {
    /// A dispatcher that uses HTTP/3.
    fileprivate static func http3(
        _ use: HTTP3Use,
        _ authority: URL?,
        _ configure: (inout Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        .overLibcurl {
            $0.transport.certificateAuthorityFile = authority
            $0.transport.http3 = use
            configure(&$0)
        }
    }

    fileprivate func text(_ url: URL) async throws -> String {
        String(decoding: try await data(from: url).data ?? Data(), as: UTF8.self)
    }
}

extension LibcurlNetworkTests {
    /// HTTP/3 with a real server (RFC 9114).
    @Suite(
        .enabled(
            if: CurlTransport.supportsHTTP3 && HTTP3Server.isAvailable,
            "libcurl 8.23 with HTTP/3, openssl and aioquic for python3 are needed"
        )
    )
    struct HTTP3Tests {
        @Test(arguments: [HTTP3Use.preferred, .required])
        func requestsOneAfterAnotherShareAConnection(_ use: HTTP3Use) async throws {
            let server = try HTTP3Server()
            let dispatcher = URLRequestDispatcher.http3(use, server.authority)
            for ordinal in 1...20 {
                let response = try await dispatcher.data(from: server.url("/hello"))
                #expect(response.head?.httpVersion == "HTTP/3")
                #expect(response.data == Data("HTTP/3 1 \(ordinal)".utf8))
            }
            #expect(server.connections == 1)
        }

        @Test(arguments: [HTTP3Use.preferred, .required])
        func fiveHundredRequestsInParallelShareConnections(_ use: HTTP3Use) async throws {
            let server = try HTTP3Server()
            let dispatcher = URLRequestDispatcher.http3(use, server.authority)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<500 {
                    group.addTask { try await dispatcher.text(server.url("/hello")).hasPrefix("HTTP/3 ") }
                }
                for try await isRight in group { #expect(isRight) }
            }
            await server.waitForRequests(500)
            #expect(server.requests.count == 500)
            #expect(server.connections <= 8)
            #expect(try await dispatcher.exchangeCount() == 0)
        }

        @Test func uploadsArriveWhole() async throws {
            let server = try HTTP3Server()
            let dispatcher = URLRequestDispatcher.http3(.required, server.authority)
            for length in [0, 1, 60_000, 1_000_000] {
                let body = String(repeating: "x", count: length)
                let response = try await dispatcher.data(for: URLRequest("POST", server.url("/count"), body: body))
                #expect(response.data == Data("\(length)".utf8))
            }
            let chunks = [Data](repeating: Data(repeating: 0x65, count: 100_000), count: 40)
            for length in [nil, 4_000_000] as [Int64?] {
                let body = RequestBody.stream(Producer.of(chunks), length: length)
                let request = URLRequest("PUT", server.url("/count"))
                #expect(try await dispatcher.upload(for: request, from: body).response().data == Data("4000000".utf8))
            }
            #expect(server.connections == 1)
        }

        @Test func anUploadThatIsNotWantedEndsWithTheResponse() async throws {
            let server = try HTTP3Server()
            let dispatcher = URLRequestDispatcher.http3(.required, server.authority) {
                $0.timeouts.afterResponse = .seconds(5)
            }
            let request = URLRequest("PUT", server.url("/early"))
            do {
                let response = try await dispatcher.upload(for: request, from: .stream(Producer.endless())).response()
                #expect(response.head?.statusCode.rawValue == 413)
            } catch let error as UnacceptableResponseError {
                #expect(error.response.statusCode.rawValue == 413)
            }
            #expect(try await dispatcher.text(server.url("/hello")).hasPrefix("HTTP/3 "))
        }

        @Test(arguments: Delivery.allCases)
        func everyKindOfTransferUsesIt(_ delivery: Delivery) async throws {
            let server = try HTTP3Server()
            let request = URLRequest(url: server.url("/mega"))
            for use in [HTTP3Use.required, .preferred] {
                let dispatcher = URLRequestDispatcher.http3(use, server.authority)
                #expect(try await dispatcher.receive(request, by: delivery).body.count == 1 << 20)
            }
            await server.waitForRequests(2)
            #expect(server.requests == ["GET /mega", "GET /mega"])
        }

        @Test func aStreamThatIsNotReadHoldsUpNobodyAndIsHeldBack() async throws {
            let server = try HTTP3Server()
            let dispatcher = URLRequestDispatcher.http3(.required, server.authority)
            let request = URLRequest(url: server.url("/large"))
            let memory = try ResidentMemory()
            let unread = try await dispatcher.stream(for: request).data
            for _ in 0..<50 {
                #expect(try await dispatcher.text(server.url("/hello")).hasPrefix("HTTP/3 1 "))
            }
            #expect(
                try await dispatcher.receive(URLRequest(url: server.url("/mega")), by: .stream).body.count == 1 << 20
            )
            // A sanitizer keeps memory of its own, and other tests run at the same time.
            if !isSanitized { #expect(try memory.growth() < 48 << 20) }
            var count = 0
            for try await chunk in unread { count += chunk.count }
            #expect(count == 64 << 20)
            #expect(server.connections == 1)
        }

        @Test func aStreamThatIsCancelledLeavesTheOthersAlone() async throws {
            let server = try HTTP3Server()
            let dispatcher = URLRequestDispatcher.http3(.required, server.authority)
            let request = URLRequest(url: server.url("/held"))
            var dropped: ResponseBody? = try await dispatcher.stream(for: request).data
            let kept = try await dispatcher.stream(for: request).data
            let waiting = Task { try await dispatcher.text(server.url("/held")) }
            let cancelled = Task { try await dispatcher.text(server.url("/held")) }
            await server.waitForRequests(4)
            withExtendedLifetime(dropped) {}
            dropped = nil
            cancelled.cancel()
            #expect(try await failure { try await cancelled.value } is CancellationError)
            await server.waitForResets(2)
            server.release()
            #expect(try await kept.collect(upTo: 100) == Data("held released".utf8))
            #expect(try await waiting.value == "held released")
            #expect(try await dispatcher.text(server.url("/hello")).hasPrefix("HTTP/3 1 "))
        }

        @Test func requestsAreCancelledAtAnyMoment() async throws {
            let server = try HTTP3Server(stream: .http1)
            for use in [HTTP3Use.preferred, .required] {
                let dispatcher = URLRequestDispatcher.http3(use, server.authority)
                let urls = [server.url("/hello"), server.url("/mega")]
                let errors = await storm(150, seed: 7, of: dispatcher, to: urls)
                #expect(errors == [])
                #expect(try await dispatcher.exchangeCount() == 0)
                #expect(try await dispatcher.text(urls[0]).hasPrefix("HTTP/"))
            }
        }

        @Test(arguments: ["/reset", "/lost", "/short"], Delivery.allCases)
        func aBodyThatIsCutOffIsAnError(_ path: String, _ delivery: Delivery) async throws {
            let server = try HTTP3Server()
            let dispatcher = URLRequestDispatcher.http3(.required, server.authority)
            let error = try await dispatcher.failureToReceive(server.url(path), by: delivery)
            #expect(TransportError.Code.truncatedBody ~= error, "\(error)")
            // The next connection is as good as a new one.
            #expect(try await dispatcher.text(server.url("/hello")).hasPrefix("HTTP/3 "))
        }

        @Test func aServerThatIsGoneEndsEveryExchangeInTime() async throws {
            let server = try HTTP3Server()
            let dispatcher = URLRequestDispatcher.http3(.required, server.authority) {
                $0.timeouts.idle = .seconds(10)
                $0.timeouts.connect = .seconds(15)
            }
            let requests = (0..<20).map { index in
                Task {
                    try await dispatcher.failureToReceive(server.url("/held"), by: index % 2 == 0 ? .data : .stream)
                }
            }
            await server.waitForRequests(20)
            await server.die()
            for request in requests {
                let code = TransportError.Code.of(try await request.value)
                #expect([.connectionLost, .truncatedBody, .timeout(.idle)].contains(code), "\(code as Any)")
            }
            let error = try await failure { try await dispatcher.data(from: server.url("/hello")) }
            let code = TransportError.Code.of(error)
            #expect([.cannotConnect, .connectionLost, .timeout(.connect)].contains(code), "\(error)")
        }

        @Test(arguments: ["wronghost", "expired", "selfsigned"])
        func aCertificateThatIsNotValidIsRefused(_ certificate: String) async throws {
            let server = try HTTP3Server(stream: .http1, certificate: certificate)
            for use in [HTTP3Use.preferred, .required] {
                let dispatcher = URLRequestDispatcher.http3(use, server.authority)
                let error = try await failure { try await dispatcher.data(from: server.url("/hello")) }
                #expect(TransportError.Code.tls ~= error, "\(error)")
            }
            #expect(server.requests.isEmpty)
        }
    }
}

extension LibcurlNetworkTests {
    /// HTTP/3 with servers that do not speak it, and networks that do not let it through.
    @Suite(
        .enabled(
            if: CurlTransport.supportsHTTP3 && HTTP3Server.isAvailable,
            "libcurl 8.23 with HTTP/3, openssl and aioquic for python3 are needed"
        )
    )
    struct HTTP3FallbackTests {
        @Test(arguments: [HTTP3Server.Datagrams.none, .silent])
        func withoutUDPAnotherVersionIsSpoken(_ datagrams: HTTP3Server.Datagrams) async throws {
            let server = try HTTP3Server(datagrams, stream: .http1)
            // Far less than the time that a handshake over QUIC takes to give up.
            try await atSomeScale { scale in
                let dispatcher = URLRequestDispatcher.http3(.preferred, server.authority) {
                    $0.timeouts.total = .seconds(2 * scale)
                }
                for _ in 0..<5 { #expect(try await dispatcher.text(server.url("/a")) == "HTTP/1.1 /a") }
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<20 { group.addTask { try await dispatcher.text(server.url("/b")) } }
                    for try await text in group { #expect(text == "HTTP/1.1 /b") }
                }
                let body = URLRequest("POST", server.url("/c"), body: "content")
                #expect(try await dispatcher.data(for: body).head?.httpVersion == "HTTP/1.1")
            }
        }

        @Test func serversThatSpeakHTTP2Share() async throws {
            let nginx = try NginxVariant()
            let dispatcher = URLRequestDispatcher.http3(.preferred, nginx.authority)
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await dispatcher.data(from: nginx.url(nginx.http2, "/hello")).head?.httpVersion
                    }
                }
                for try await version in group { #expect(version == "HTTP/2") }
            }
            await dispatcher.shutdown()
            #expect(Set(nginx.finish().map(\.connection)).count <= 6)
        }

        @Test(arguments: [HTTP3Server.Datagrams.none, .silent])
        func whatIsRequiredIsNotReplaced(_ datagrams: HTTP3Server.Datagrams) async throws {
            let server = try HTTP3Server(datagrams, stream: .http1)
            let dispatcher = URLRequestDispatcher.http3(.required, server.authority) {
                $0.timeouts.connect = .seconds(1)
            }
            for delivery in Delivery.allCases {
                let error = try await dispatcher.failureToReceive(server.url("/"), by: delivery)
                let expected: TransportError.Code = datagrams == .none ? .cannotConnect : .timeout(.connect)
                #expect(expected ~= error, "\(error)")
            }
        }

        @Test func aProxyIsNotBypassed() async {
            await #expect(processExitsWith: .success) {
                let server = try HTTP3Server(stream: .http1)
                let proxy = try LoopbackServer()
                setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1)
                unsetenv("no_proxy")
                unsetenv("NO_PROXY")
                for use in [HTTP3Use.preferred, .required] {
                    let dispatcher = URLRequestDispatcher.http3(use, server.authority) {
                        $0.transport.proxy = .environment
                    }
                    let error = try await failure { try await dispatcher.data(from: server.url("/")) }
                    let expected: TransportError.Code = use == .required ? .unsupported : .proxy
                    #expect(expected ~= error, "\(error)")
                }
                #expect(server.connections == 0)
                // A SOCKS proxy that cannot be reached.
                let refusing = try RefusingPort()
                defer { withExtendedLifetime(refusing) {} }
                setenv("https_proxy", "socks5://127.0.0.1:\(refusing.port)", 1)
                for use in [HTTP3Use.preferred, .required] {
                    let dispatcher = URLRequestDispatcher.http3(use, server.authority) {
                        $0.transport.proxy = .environment
                    }
                    let error = try await failure { try await dispatcher.data(from: server.url("/")) }
                    let code = TransportError.Code.of(error)
                    #expect([.proxy, .unsupported].contains(code), "\(error)")
                }
                #expect(server.connections == 0)
            }
        }
    }
}
#endif
