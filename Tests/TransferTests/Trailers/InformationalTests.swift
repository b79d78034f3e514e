import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// Interim responses (RFC 9110 §15.2, RFC 8297).
    struct InformationalTests {
        private static let final = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

        private let server: LoopbackServer
        private let dispatcher = URLRequestDispatcher.forTests()

        init() throws {
            server = try LoopbackServer()
        }

        private func get(_ script: String) async throws -> Response<Data?> {
            server.route("/", .send(script), .closeWrite)
            return try await dispatcher.data(from: server.url("/"))
        }

        @Test("Early hints are values of the response, without 100 Continue")
        func values() async throws {
            let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nLink: </b>\r\n\r\n"
            let others = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 104 New\r\nX: y\r\n\r\n"
            let response = try await get(hints + others + Self.final)
            #expect(response.informational.map(\.statusCode.rawValue) == [103, 102, 104])
            #expect(response.informational[0].headers == [.link: "</a>", .link: "</b>"])
            #expect(response.informational[2].headers == ["X": "y"])
            #expect(response.head?.informational == response.informational)
            #expect(response.statusCode == .ok && response.headers == [.contentLength: "5"])
            #expect(response.data == Data("hello".utf8))
            // Nothing of them is left for the next response.
            #expect(try await get(Self.final).informational.isEmpty)
        }

        @Test("They are there when the head of a stream is, and secrets in them are not shown")
        func streamed() async throws {
            let hints = "HTTP/1.1 103 Early Hints\r\nSet-Cookie: id=hunter2\r\nX-Token: hunter2\r\n\r\n"
            server.route(
                "/",
                .send(hints),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
                .hold("rest"),
                .send("hello")
            )
            var options = RequestOptions()
            options.sensitiveHeaders = ["X-Token"]
            let response = try await dispatcher.stream(for: URLRequest(url: server.url("/")), options: options)
            let hint = try #require(response.informational.first)
            #expect(hint.statusCode == .earlyHints && hint.headers["X-Token"] == "hunter2")
            var dumped = ""
            dump((hint, response), to: &dumped)
            #expect(!dumped.contains("hunter2") && !"\(hint) \(response)".contains("hunter2"))
            server.release("rest")
            #expect(try await response.data.collect(upTo: 9).count == 5)
        }

        @Test("No more than sixteen are kept, and all of them count toward the largest head")
        func bounded() async throws {
            func hints(_ count: Int) -> String {
                (0..<count).map { "HTTP/1.1 103 Early Hints\r\nX-N: \($0)\r\n\r\n" }.joined()
            }
            let response = try await get(hints(200) + Self.final)
            #expect(response.informational.map { $0.headers["X-N"] } == (0..<16).map { "\($0)" })
            server.route("/", .repeat(hints(1)))
            await expect(.headTooLarge) { try await dispatcher.data(from: server.url("/")) }
        }

        @Test("A response that ends with a hint is none", arguments: ["", "\r\n", "\r\nHTTP/1.1 200"])
        func withoutEnd(_ rest: String) async throws {
            await expect(.connectionLost) { try await get("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\(rest)") }
        }

        @Test("A hint has no body", arguments: ["Content-Length: 5\r\n\r\nhello", "\r\nhello\r\n"])
        func withBody(_ rest: String) async throws {
            await expect(.malformedHead) { try await get("HTTP/1.1 103 Early Hints\r\n\(rest)\(Self.final)") }
        }

        @Test("A change of the protocol that nobody asked for is still an error")
        func switchedProtocols() async throws {
            await expect(.malformedHead) {
                try await get("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 101 Switching Protocols\r\n\r\n")
            }
        }

        @Test("Interim responses of HTTP/2 are values too", .enabled(if: HTTP2Script.isAvailable, "python3 is needed"))
        func http2() async throws {
            let script = try HTTP2Script { exchange in
                exchange.head(103, [HTTP2Field("link", "</a>")])
                exchange.head(100)
                exchange.head(102)
                exchange.respond(200, body: "hello")
            }
            let dispatcher = URLRequestDispatcher.forTests { $0.transport.certificateAuthorityFile = script.authority }
            let response = try await dispatcher.data(from: script.url("/"))
            #expect(response.head?.httpVersion == "HTTP/2" && response.data == Data("hello".utf8))
            #expect(response.informational.map(\.statusCode.rawValue) == [103, 102])
            #expect(response.informational.first?.headers == [.link: "</a>"])
        }

        @Test(
            "node's hints and trailers are values, with HTTP/1.1 and HTTP/2",
            .enabled(if: NodeServer.shared != nil, "node and openssl are needed")
        )
        func node() async throws {
            let node = try #require(NodeServer.shared)
            let dispatcher = URLRequestDispatcher.forTests { $0.transport.certificateAuthorityFile = node.authority }
            for port in [node.plain, node.secure, node.http2] {
                let response = try await dispatcher.data(from: node.url(port, "/hints"))
                #expect(response.head?.httpVersion == (port == node.plain ? "HTTP/1.1" : "HTTP/2"))
                #expect(response.informational.map(\.statusCode.rawValue) == [102, 103])
                #expect(response.informational.last?.headers["Link"] == "</style.css>; rel=preload; as=style")
                #expect(response.data == Data("hello".utf8))
                #expect(response.trailers == ["X-Sum": "42"])
                #expect(!response.headers.contains("Link") && !response.headers.contains("Set-Cookie"))
            }
        }
    }
}
