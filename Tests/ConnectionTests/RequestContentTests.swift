import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// What arrives at the server, byte for byte.
    struct RequestContentTests {
        private func sent(_ request: (LoopbackServer) -> URLRequest) async throws -> RecordedRequest {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.forTests()
            _ = try await dispatcher.data(for: request(server))
            return try #require(server.requests.first)
        }

        @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PURGE"])
        func methodArrivesAsWritten(_ method: String) async throws {
            let request = try await sent { URLRequest(method, $0.url("/")) }
            #expect(request.method == method)
            let announcesLength = ["POST", "PUT", "PATCH"].contains(method)
            #expect(request.header("Content-Length") == (announcesLength ? "0" : nil))
            #expect(request.header("Content-Type") == nil)
            #expect(request.header("Transfer-Encoding") == nil)
            #expect(request.header("Expect") == nil)
            #expect(request.header("User-Agent")?.hasPrefix("PiuPiu/") == true)
        }

        @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "PURGE"], [1, 1000, 65_536, 65_537, 5_000_000])
        func bodyArrivesWhole(_ method: String, _ count: Int) async throws {
            let body = String(repeating: "b", count: count)
            let request = try await sent {
                URLRequest(method, $0.url("/"), body: body, headers: ["Content-Type": "text/x"])
            }
            #expect(request.method == method)
            #expect(request.header("Content-Length") == "\(count)")
            #expect(request.headers.all("Content-Type") == ["text/x"])
            #expect(request.header("Expect") == nil)
            #expect(request.body.count == count)
            #expect(request.body.allSatisfy { $0 == 0x62 })
        }

        // Elasticsearch and others want one.
        @Test(arguments: [0, 5, 100_000])
        func aGETHasABodyWhereThatIsAllowed(_ count: Int) async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let body = Data(repeating: 0x62, count: count)
            let dispatcher = URLRequestDispatcher.forTests { $0.options.allowsBodyInGET = true }
            let first = URLRequest("GET", server.url("/"), body: String(decoding: body, as: UTF8.self))
            _ = try await dispatcher.data(for: first)
            _ = try await dispatcher.data(from: server.url("/"))
            _ = try await dispatcher.upload(for: URLRequest(url: server.url("/")), from: .data(body)).response()
            #expect(server.requests.map(\.method) == ["GET", "GET", "GET"])
            #expect(server.requests.map(\.body) == [body, Data(), body])
            #expect(server.requests.allSatisfy { $0.header("Content-Type") == nil && $0.header("Expect") == nil })
        }

        @Test func fieldsArriveAsWritten() async throws {
            let request = try await sent {
                URLRequest(
                    "GET",
                    $0.url("/"),
                    headers: ["X-A": "1", "X-Empty": "", "User-Agent": "mine", "X-Unicode": "é"]
                )
            }
            #expect(request.header("X-A") == "1")
            #expect(request.header("X-Empty") == "")
            #expect(request.headers.all("User-Agent") == ["mine"])
            #expect(request.head.range(of: Data("X-Unicode: é".utf8)) != nil)
        }

        @Test func targetArrivesAsWritten() async throws {
            let server = try LoopbackServer()
            let dispatcher = URLRequestDispatcher.forTests()
            let url = try #require(URL(string: "\(server.baseURL.absoluteString)/a/../b/%2F/./c?x=1&y=%0d%0a#fragment"))
            _ = try await dispatcher.data(from: url)
            #expect(server.requests.first?.target == "/a/../b/%2F/./c?x=1&y=%0d%0a")
        }

        @Test func queryWithoutAPathArrives() async throws {
            let server = try LoopbackServer()
            let dispatcher = URLRequestDispatcher.forTests()
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)?q=1"))
            _ = try await dispatcher.data(from: url)
            #expect(server.requests.first?.target == "/?q=1")
        }

        @Test func userInformationBecomesCredentialsAndNothingElse() async throws {
            let server = try LoopbackServer()
            let dispatcher = URLRequestDispatcher.forTests()
            let url = try #require(URL(string: "http://us%40er:pa%3Ass@127.0.0.1:\(server.port)/"))
            _ = try await dispatcher.data(from: url)
            let request = try #require(server.requests.first)
            #expect(request.header("Authorization") == "Basic " + Data("us@er:pa:ss".utf8).base64EncodedString())
            #expect(request.header("Host") == "127.0.0.1:\(server.port)")
            #expect(request.target == "/")
        }

        @Test func compressionIsOfferedUnlessTheCallerDoes() async throws {
            let automatic = try await sent { URLRequest("GET", $0.url("/")) }
            #expect(automatic.header("Accept-Encoding")?.contains("gzip") == true)
            let own = try await sent { URLRequest("GET", $0.url("/"), headers: ["Accept-Encoding": "identity"]) }
            #expect(own.headers.all("Accept-Encoding") == ["identity"])
        }

        @Test func nothingOfOneRequestIsLeftInTheNext() async throws {
            let server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            let dispatcher = URLRequestDispatcher.forTests()
            let first = URLRequest(
                "PUT",
                server.url("/"),
                body: "secret",
                headers: ["Authorization": "Bearer secret", "Content-Type": "text/x", "Accept-Encoding": "identity"]
            )
            _ = try await dispatcher.data(for: first)
            _ = try await dispatcher.data(for: URLRequest("HEAD", server.url("/")))
            _ = try await dispatcher.data(for: URLRequest("POST", server.url("/"), body: "b"))
            _ = try await dispatcher.data(for: URLRequest("DELETE", server.url("/")))
            _ = try await dispatcher.data(for: URLRequest("GET", server.url("/")))
            let later = server.requests.dropFirst()
            #expect(later.map(\.method) == ["HEAD", "POST", "DELETE", "GET"])
            #expect(later.map(\.body) == [Data(), Data("b".utf8), Data(), Data()])
            for request in later {
                #expect(request.head.range(of: Data("secret".utf8)) == nil)
                #expect(request.header("Content-Type") == nil)
                #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
            }
            #expect(server.acceptedConnections == 1)
        }

        @Test(arguments: [
            URLRequest("GET\r\nX: y", URL(filePath: "/")), URLRequest("", URL(filePath: "/")),
            URLRequest("GET /evil HTTP/1.1\r\n\r\n", URL(filePath: "/")),
            URLRequest("GET", URL(filePath: "/"), headers: ["X\r\nInjected: 1": "y"]),
            URLRequest("GET", URL(filePath: "/"), headers: ["X ": "y"]),
            URLRequest("POST", URL(filePath: "/"), body: "abc", headers: ["Content-Length": "5"]),
            URLRequest("POST", URL(filePath: "/"), body: "abc", headers: ["Transfer-Encoding": "chunked"]),
            URLRequest("GET", URL(filePath: "/"), headers: ["Connection": "upgrade"]),
            URLRequest("GET", URL(filePath: "/"), body: "abc"),
        ])
        func whatMayNotBeSentThrowsBeforeAByteIsSent(_ request: URLRequest) async throws {
            let server = try LoopbackServer()
            var request = request
            request.url = server.url("/")
            let refused = request
            // Foundation drops some of these itself; what is left has to be refused by us.
            guard
                refused.httpMethod != "GET" || refused.httpBody != nil || !(refused.allHTTPHeaderFields ?? [:]).isEmpty
            else { return }
            let dispatcher = URLRequestDispatcher.forTests()
            let error = try await failure { try await dispatcher.data(for: refused) }
            #expect((error as? TransportError)?.code == .invalidRequest, "\(error)")
            #expect(server.acceptedConnections == 0)
        }

        @Test func decodedJSONArrives() async throws {
            struct Post: Codable, Equatable, Sendable {
                var id: Int
                var title: String
            }
            let server = try LoopbackServer()
            server.route("POST", "/echo", .echo)
            let dispatcher = URLRequestDispatcher.forTests()
            var request = URLRequest(url: server.url("/echo"), method: .post)
            try request.setJSONBody(Post(id: 1, title: "one"))
            let post = try await dispatcher.data(for: request).validated().decode(Post.self)
            #expect(post == Post(id: 1, title: "one"))
            #expect(server.requests.first?.header("Content-Type") == "application/json")
        }
    }
}
