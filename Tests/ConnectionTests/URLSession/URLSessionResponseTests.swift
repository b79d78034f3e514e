import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// What a `URLSessionTransport` sends and delivers.
    @Suite(.urlSession) struct URLSessionResponseTests {
        /// A hundred times `hello `, compressed with gzip.
        private static var gzip: Data? {
            Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJV8gYJUdJqpIA8zGiDVgCAAA=")
        }

        @Test func aRequestArrivesAndItsResponseComesBack() async throws {
            let server = try LoopbackServer()
            server.route("POST", "/", .echo)
            let transport = URLSessionTransport.forTests()
            let request = URLRequest("POST", server.url("/?a=b"), body: "body", headers: ["Content-Type": "text/plain"])
            let response = try await transport.send(request)
            #expect(response.head.statusCode == .ok)
            #expect(response.body == Data("body".utf8))
            #expect(response.head.headers["Content-Type"] == "text/plain")
            #expect(response.head.url == request.url)
            #expect(server.requests.first?.target == "/?a=b")
            #expect(server.requests.first?.header("User-Agent") == "PiuPiu/2.0")
        }

        @Test func anEmptyBodyIsNone() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: ""))
            let transport = URLSessionTransport.forTests()
            #expect(try await transport.get(server.url("/")).body == nil)
            #expect(try await transport.send(URLRequest("HEAD", server.url("/"))).body == nil)
        }

        #if os(Linux)
        @Test func foundationAddsNoFieldsOfItsOwn() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let transport = URLSessionTransport.forTests { $0.userAgent = nil }
            _ = try await transport.send(URLRequest("POST", server.url("/"), body: "body", headers: ["X-Empty": ""]))
            let request = try #require(server.requests.first)
            for name in ["User-Agent", "Accept-Language", "Content-Type", "Expect", "Cookie"] {
                #expect(request.header(name) == nil, "\(name)")
            }
            #expect(request.header("Content-Length") == "4")
            #expect(request.header("X-Empty") == "")
        }
        #endif

        // Foundation follows redirects, answers challenges and asks for credentials, unless it is kept from it.
        @Test(arguments: [
            200, 201, 204, 206, 300, 301, 302, 303, 304, 305, 307, 308, 400, 401, 404, 407, 500, 503, 599,
        ])
        func everyStatusIsDelivered(_ status: Int) async throws {
            let server = try LoopbackServer()
            var headers: HeaderList = ["WWW-Authenticate": #"Basic realm="r""#, "Proxy-Authenticate": "Basic realm=r"]
            if (300..<400).contains(status) { headers.append("Location", server.url("/next").absoluteString) }
            server.route("/", .response(status: status, headers: headers, body: "body"))
            let transport = URLSessionTransport.forTests()
            for delivery in [BodyDelivery.buffered, .streamed] {
                let response = try await transport.get(server.url("/")) { $0.delivery = delivery }
                #expect(response.head.statusCode.rawValue == status)
                let body = try await response.stream?.collect(upTo: 100) ?? response.body ?? Data()
                #expect(String(decoding: body, as: UTF8.self) == ([204, 304].contains(status) ? "" : "body"))
            }
            #expect(server.requests.count == 2)
            #expect(server.requests(for: "/next").isEmpty)
            #expect(server.requests.allSatisfy { $0.header("Authorization") == nil })
        }

        @Test(arguments: [
            "Basic", "Bearer", #"Bearer realm="a", Basic realm="b""#, "Negotiate", #"Digest realm="r", nonce="n""#, "",
        ])
        func everyChallengeIsDelivered(_ challenge: String) async throws {
            let server = try LoopbackServer()
            server.route("/", .response(status: 401, headers: ["WWW-Authenticate": challenge], body: "no"))
            let transport = URLSessionTransport.forTests()
            let response = try await transport.get(server.url("/"))
            #expect(response.head.statusCode == .unauthorized)
            #expect(response.body == Data("no".utf8))
            #expect(response.head.headers["WWW-Authenticate"] == challenge)
        }

        @Test(arguments: ["", "b", "//[bad", ":", "http:", "javascript:alert(1)", "?%zz", "http://h:99999/", "/%", "#"])
        func anyLocationIsDelivered(_ location: String) async throws {
            let server = try LoopbackServer()
            server.route("/", .redirect(to: location))
            let transport = URLSessionTransport.forTests()
            let response = try await transport.get(server.url("/"))
            #expect(response.head.statusCode == .found)
            #expect(response.head.headers["Location"] == location)
            #expect(server.requests.count == 1)
        }

        #if os(Linux)
        @Test func theBodyThatIsLostWithoutALocationIsAnError() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(status: 302, body: "body"))
            let transport = URLSessionTransport.forTests()
            let error = try await failure { try await transport.get(server.url("/")) }
            #expect((error as? TransportError)?.code == .unsupported)
            #expect((error as? TransportError)?.response?.statusCode == .found)
        }
        #endif

        @Test func aDispatcherFollowsRedirectsAndKeepsSecretsAtTheirOrigin() async throws {
            let server = try LoopbackServer()
            let other = try LoopbackServer()
            server.route("/", .redirect(to: other.url("/next").absoluteString, status: 307))
            other.route("/next", .echo)
            let dispatcher = URLRequestDispatcher(transport: URLSessionTransport.forTests())
            let request = URLRequest("PUT", server.url("/"), body: "body", headers: ["Authorization": "secret"])
            let response = try await dispatcher.data(for: request)
            #expect(response.data == Data("body".utf8))
            #expect(response.history.count == 1)
            #expect(other.requests.first?.header("Authorization") == nil)
            await dispatcher.shutdown()
        }

        @Test func informationalHeadsAreSkipped() async throws {
            let server = try LoopbackServer()
            server.route("/", .send("HTTP/1.1 103 Early Hints\r\n\r\n"), .response(body: "ok"))
            let transport = URLSessionTransport.forTests()
            let response = try await transport.get(server.url("/")) { $0.delivery = .streamed }
            #expect(response.head.statusCode == .ok)
            #expect(try await response.stream?.collect(upTo: 10) == Data("ok".utf8))
        }

        @Test func bodiesAreDecompressed() async throws {
            let server = try LoopbackServer()
            let body = try #require(Self.gzip)
            server.route("/", .response(headers: ["Content-Encoding": "gzip"], body: body))
            let transport = URLSessionTransport.forTests()
            let plain = Data(String(repeating: "hello ", count: 100).utf8)
            #expect(try await transport.get(server.url("/")).body == plain)
            let streamed = try await transport.get(server.url("/")) { $0.delivery = .streamed }
            #expect(streamed.stream?.expectedLength == nil)
            #expect(try await streamed.stream?.collect(upTo: 1000) == plain)
            // As it was sent, it cannot be had.
            let request = URLRequest("GET", server.url("/"), headers: ["Accept-Encoding": "gzip"])
            #expect(try await code { try await transport.send(request) } == .unsupported)
            let tooLarge = try await code {
                try await transport.get(server.url("/")) { $0.options.maximumBufferedBody = plain.count - 1 }
            }
            #expect(tooLarge == .bodyTooLarge)
        }

        @Test func cookiesAndCredentialsAreNotKept() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(headers: ["Set-Cookie": "a=1; Path=/"], body: "ok"))
            let transport = URLSessionTransport.forTests()
            for _ in 0..<2 { _ = try await transport.get(server.url("/")) }
            #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
        }

        @Test func whatMayNotBeSentIsRefused() async throws {
            let transport = URLSessionTransport.forTests { $0.http2 = .never }
            let url = try #require(URL(string: "http://127.0.0.1:1/"))
            let injected = URLRequest("GET", url, headers: ["X-Name\r\nX-Injected": "1"])
            #expect(try await code { try await transport.send(injected) } == .invalidRequest)
            #expect(try await code { try await transport.send(URLRequest("GET", url, body: "b")) } == .invalidRequest)
            let secure = try #require(URL(string: "https://127.0.0.1:1/"))
            #expect(try await code { try await transport.get(secure) } == .unsupported)
            #expect(transport.exchangeCount == 0)
        }
    }
}
