#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// The body of a redirect that is followed is nobody's: what is wrong with it is wrong for nobody.
    struct RedirectBodyTests {
        private static let head = "HTTP/1.1 302 Found\r\nLocation: /after\r\n"

        private static let bodies: [(String, [Step])] = [
            ("short", [.send(head + "Content-Length: 500\r\n\r\nshort"), .close]),
            ("unknown coding", [.send(head + "Content-Encoding: UTF-8\r\nContent-Length: 5\r\n\r\nmoved")]),
            ("no gzip", [.send(head + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nmoved")]),
            ("half a gzip", [.send(head + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\u{1F}"), .close]),
            ("bad chunk", [.send(head + "Transfer-Encoding: chunked\r\n\r\nzz\r\nmoved\r\n"), .close]),
            ("cut off chunks", [.send(head + "Transfer-Encoding: chunked\r\n\r\n5\r\nmoved\r\n"), .close]),
            ("many codings", [.send(head + "Content-Encoding: gzip,gzip,gzip,gzip,gzip,gzip\r\n\r\nx"), .close]),
            ("huge length", [.send(head + "Content-Length: 200000000\r\n\r\nx"), .hold("never")]),
            ("until the end", [.send(head + "\r\n"), .repeat(String(repeating: "x", count: 65_536), count: 3000)]),
            ("without an end", [.send(head + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"), .hold("never")]),
            ("nothing of it", [.send(head + "Content-Length: 5\r\n\r\n"), .hold("never")]),
            ("bad trailer", [.send(head + "Transfer-Encoding: chunked\r\n\r\n0\r\nno field\r\n\r\n"), .close]),
        ]

        @Test(arguments: bodies.map(\.0))
        func isNotJudged(_ name: String) async throws {
            let server = try LoopbackServer()
            defer { server.release("never") }
            server.route("/before", try #require(Self.bodies.first { $0.0 == name }).1)
            server.route("/after", .response(body: "here"))
            let dispatcher = URLRequestDispatcher.forTests {
                $0.maximumBufferedBody = 4
            }
            let response = try await dispatcher.data(from: server.url("/before"))
            #expect(response.statusCode == .ok && response.data == Data("here".utf8))
            #expect(response.history.map(\.statusCode.rawValue) == [302])
            let streamed = try await dispatcher.stream(for: URLRequest(url: server.url("/before")))
            #expect(try await streamed.data.collect(upTo: 10) == Data("here".utf8))
            // A POST becomes a GET, which is sent once, and a 307 sends the body again.
            let post = URLRequest("POST", server.url("/before"))
            let upload = try await dispatcher.upload(for: post, from: .data(Data("a".utf8))).response()
            #expect(upload.data == Data("here".utf8))
            #expect(server.requests(for: "/after").map(\.method) == ["GET", "GET", "GET"])
        }

        @Test(arguments: [0, 5, 30_000])
        func keepsItsConnectionIfItIsSmall(_ size: Int) async throws {
            let server = try LoopbackServer()
            let body = String(repeating: "x", count: size)
            server.route("/before", .response(status: 301, headers: ["Location": "/after"], body: body))
            server.route("/after", .response(body: "here"))
            let dispatcher = URLRequestDispatcher.forTests()
            for _ in 0..<3 { _ = try await dispatcher.data(from: server.url("/before")) }
            #expect(server.acceptedConnections == 1)
        }

        @Test func isDeliveredIfNobodyFollows() async throws {
            let server = try LoopbackServer()
            server.route("/a", .response(status: 302, headers: ["Location": "/after"], body: "moved"))
            server.route("/b", .response(status: 302, body: "no place"))
            server.route("/c", .response(status: 304, headers: ["Location": "/after"]))
            server.route("/d", .send(Self.head + "Content-Length: 9\r\n\r\nmoved"), .close)
            let none = URLRequestDispatcher.forTests { $0.redirects = nil }
            #expect(try await none.data(from: server.url("/a")).data == Data("moved".utf8))
            await expect(.truncatedBody) { try await none.data(from: server.url("/d")) }
            let dispatcher = URLRequestDispatcher.forTests()
            #expect(try await dispatcher.data(from: server.url("/b")).data == Data("no place".utf8))
            #expect(try await dispatcher.data(from: server.url("/c")).statusCode == .notModified)
        }

        /// A coding that nobody knows is no reason to lose a response.
        @Test(arguments: ["UTF-8", "aws-chunked", "binary", "gzip, aws-chunked"])
        func anUnknownCodingIsDeliveredAsItCame(_ coding: String) async throws {
            let server = try LoopbackServer()
            server.route("/", .response(headers: ["Content-Encoding": coding], body: "plain text"))
            server.route("/500", .response(status: 500, headers: ["Content-Encoding": coding], body: "broken"))
            let dispatcher = URLRequestDispatcher.forTests()
            for _ in 0..<2 {
                let response = try await dispatcher.data(from: server.url("/"))
                #expect(response.data == Data("plain text".utf8))
                #expect(response.headers["Content-Encoding"] == coding)
                let stream = try await dispatcher.stream(for: URLRequest(url: server.url("/")))
                #expect(stream.data.expectedLength == 10)
                #expect(try await stream.data.collect(upTo: 100) == Data("plain text".utf8))
            }
            #expect(try await dispatcher.data(from: server.url("/500")).statusCode == .internalServerError)
        }
    }
}
#endif
