import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuValues

extension TransferNetworkTests {
    /// Fields that follow a body (RFC 9110 §6.5).
    struct ResponseTrailersTests {
        private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n"

        private let server: LoopbackServer
        private let dispatcher = URLRequestDispatcher.forTests()

        init() throws {
            server = try LoopbackServer()
        }

        /// Sends what follows a head in chunks.
        private func get(_ rest: String, head: String = Self.chunked) async throws -> Response<Data?> {
            server.route("/", .send(head + rest))
            return try await dispatcher.data(from: server.url("/"))
        }

        @Test("Trailers are values, in their order, and no part of the header fields")
        func values() async throws {
            let response = try await get(
                "5\r\nhello\r\n0\r\nX-Sum: 42\r\nServer-Timing: db;dur=53\r\nX-sum:  43 \r\n\r\n"
            )
            #expect(response.data == Data("hello".utf8))
            #expect(response.trailers == ["X-Sum": "42", "Server-Timing": "db;dur=53", "X-Sum": "43"])
            #expect(response.headers.map(\.name) == ["Transfer-Encoding", "Content-Type"])
            #expect(try response.makeHTTPResponse().trailers == response.trailers)
        }

        @Test("A trailer that would change the meaning of the message is ignored")
        func forbidden() async throws {
            let fields = TrailerFields.forbidden.sorted().map { "\($0.capitalized): 9\r\n" }.joined()
            let response = try await get("3\r\nabc\r\n0\r\nX-A: 1\r\n\(fields)Content-Length : 9\r\nX-B: 2\r\n\r\n")
            #expect(response.trailers == ["X-A": "1", "X-B": "2"])
            #expect(response.data == Data("abc".utf8) && response.headers.count == 2)
            // The connection can be used again.
            #expect(try await get("0\r\n\r\n").trailers.isEmpty)
            #expect(server.acceptedConnections == 1)
        }

        @Test("A line that is no field is left out, and one without a colon is refused")
        func unusual() async throws {
            let lines = "X-A: 1\r\nX-B:\r\nbad name: 3\r\n: 4\r\nHTTP/1.1 500 No: x\r\n"
            let response = try await get("3\r\nabc\r\n0\r\n\(lines)\r\n")
            #expect(response.trailers == ["X-A": "1", "X-B": ""] && response.statusCode == .ok)
            for line in ["no field\r\n", "HTTP/1.1 500 No\r\n"] {
                await expect(.malformedBody) { try await get("3\r\nabc\r\n0\r\nX-A: 1\r\n\(line)\r\n") }
            }
        }

        @Test("A folded trailer is one value, or refused", arguments: ["X-A", "Content-Length"])
        func folded(_ name: String) async throws {
            do {
                let response = try await get("3\r\nabc\r\n0\r\n\(name): 1\r\n  2\r\nX-B: 3\r\n\r\n")
                #expect(response.trailers == (name == "X-A" ? ["X-A": "1 2", "X-B": "3"] : ["X-B": "3"]))
            } catch let error as TransportError {
                // The newest libcurl knows no obs-fold in trailers.
                #expect(error.code == .malformedBody, "\(error)")
            }
        }

        @Test("Trailers count toward the largest head")
        func tooLarge() async throws {
            let line = "X-A: \(String(repeating: "a", count: 993))\r\n"
            let lines = String(repeating: line, count: 5)
            server.route("/", .send(Self.chunked + "3\r\nabc\r\n0\r\n\(lines)\r\n"))
            var options = RequestOptions()
            options.maximumHead = 5_000
            let request = URLRequest(url: server.url("/"))
            await expect(.headTooLarge) { try await dispatcher.data(for: request, options: options) }
            options.maximumHead = 6_000
            #expect(try await dispatcher.data(for: request, options: options).trailers.count == 5)
            // Without an end, too.
            server.route("/", .send(Self.chunked + "0\r\n"), .repeat("X-A: 1\r\n"))
            await expect(.headTooLarge) { try await dispatcher.data(for: request, options: options) }
        }

        @Test("What follows a body with a length is not its trailers", arguments: ["GET", "HEAD"])
        func afterLength(_ method: String) async throws {
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"
            server.route("/", .send(head + (method == "HEAD" ? "" : "abc") + "X-A: 1\r\n\r\n"))
            var request = URLRequest(url: server.url("/"))
            request.httpMethod = method
            let response = try await dispatcher.data(for: request)
            #expect(response.trailers.isEmpty && response.headers.count == 1)
        }

        @Test("Trailers that are cut off fail like a body that is")
        func cutOff() async throws {
            server.route("/", .send(Self.chunked + "3\r\nabc\r\n0\r\nX-A: 1\r\n"), .close)
            await expect(.truncatedBody) { try await dispatcher.data(from: server.url("/")) }
        }

        @Test("Trailers of a compressed body are there after it was decompressed")
        func compressed() async throws {
            let text = Data(repeating: 0x61, count: 100_000)
            let bytes = try #require(try await GzipEncoder.compressed([text]))
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
            let size = String(bytes.count, radix: 16)
            server.route("/", .send(head + "\(size)\r\n"), .send(bytes), .send("\r\n0\r\nX-Sum: 42\r\n\r\n"))
            let response = try await dispatcher.data(from: server.url("/"))
            #expect(response.data == text && response.trailers == ["X-Sum": "42"])
            let stream = try await dispatcher.stream(for: URLRequest(url: server.url("/")))
            #expect(try await stream.data.collect(upTo: 1 << 20) == text && stream.data.trailers == ["X-Sum": "42"])
        }

        @Test("The trailers of a stream are there after its end, however slowly it is read")
        func streamed() async throws {
            let chunk = "10000\r\n\(String(repeating: "x", count: 0x10000))\r\n"
            let end = "0\r\nX-Sum: 42\r\nX-Token: hunter2\r\nSet-Cookie: a=b\r\n\r\n"
            server.route("/", .send(Self.chunked), .repeat(chunk, count: 40), .send(end))
            var options = RequestOptions()
            options.sensitiveHeaders = ["X-Token"]
            let response = try await dispatcher.stream(for: URLRequest(url: server.url("/")), options: options)
            var count = 0
            for try await chunk in response.data {
                count += chunk.count
                #expect(response.data.trailers == nil && response.trailers.isEmpty)
                await Task.yield()
            }
            #expect(count == 40 * 0x10000)
            let trailers = try #require(response.data.trailers)
            #expect(trailers == ["X-Sum": "42", "X-Token": "hunter2"] && response.trailers == trailers)
            #expect(!"\(trailers)".contains("hunter2"))
        }

        @Test("A stream without trailers has an empty list, and one that fails or is abandoned has none")
        func withoutTrailers() async throws {
            server.route("/", .send(Self.chunked + "3\r\nabc\r\n0\r\n\r\n"))
            server.route("/broken", .send(Self.chunked + "3\r\nabc\r\n0\r\nX-A: 1\r\n"), .close)
            let whole = try await dispatcher.stream(for: URLRequest(url: server.url("/"))).data
            #expect(try await whole.collect(upTo: 9).count == 3 && whole.trailers == [:])
            let broken = try await dispatcher.stream(for: URLRequest(url: server.url("/broken"))).data
            await expect(.truncatedBody) { try await broken.collect(upTo: 9) }
            #expect(broken.trailers == nil)
        }

        @Test("An observed body has the trailers of the body below")
        func observed() async throws {
            let body = ResponseBody(Data("abc".utf8), trailers: ["X-Sum": "42"])
            struct Observer: BodyObserver {
                func observe(_ chunk: Data) {}
                func finish() async throws {}
                func fail(_ error: any Error) {}
                func close() {}
            }
            let observed = body.observed(by: Observer())
            #expect(observed.trailers == nil)
            #expect(try await observed.collect(upTo: 9).count == 3 && observed.trailers == ["X-Sum": "42"])
        }

        @Test(
            "Trailers of HTTP/2 are values too",
            .enabled(
                if: HTTP2Support.isAvailable,
                "python3, openssl and nghttp2 are needed"
            )
        )
        func http2() async throws {
            let script = try HTTP2Script { exchange in
                exchange.head(200)
                exchange.data(Array("hello".utf8))
                exchange.trailers([HTTP2Field("x-sum", "42"), HTTP2Field("set-cookie", "a=b")])
            }
            let dispatcher = URLRequestDispatcher.forTests { $0.transport.certificateAuthorityFile = script.authority }
            let response = try await dispatcher.data(from: script.url("/"))
            #expect(response.head?.httpVersion == "HTTP/2" && response.data == Data("hello".utf8))
            #expect(response.trailers == ["X-Sum": "42"] && response.headers.isEmpty)
            let stream = try await dispatcher.stream(for: URLRequest(url: script.url("/"))).data
            #expect(try await stream.collect(upTo: 9).count == 5 && stream.trailers == ["X-Sum": "42"])
        }

        @Test(
            "nghttpd's trailers are values, over TLS and without it",
            .enabled(
                if: NghttpdServer.withTrailers != nil && HTTP2Support.isDefault,
                "nghttpd, openssl and nghttp2 are needed"
            ),
            arguments: [true, false]
        )
        func nghttpd(_ isSecure: Bool) async throws {
            let server = try #require(
                isSecure ? NghttpdServer.withTrailers : NghttpdServer.withTrailersWithoutTLS
            )
            let dispatcher = URLRequestDispatcher.forTests {
                $0.transport.certificateAuthorityFile = server.authority
                if !isSecure { $0.transport.cleartextHTTP2 = [server.url("/")] }
            }
            for request in [
                URLRequest(url: server.url("/small.txt")), URLRequest(url: server.url("/mega.bin")),
                URLRequest("POST", server.url("/small.txt"), body: String(repeating: "x", count: 100_000)),
            ] {
                let size = request.url?.path == "/mega.bin" ? 1 << 20 : 5
                let response = try await dispatcher.data(for: request)
                #expect(response.head?.httpVersion == "HTTP/2" && response.data?.count == size)
                #expect(response.trailers == ["X-Sum": "42"] && response.headers["X-Sum"] == nil)
                guard request.httpBody == nil else { continue }
                let stream = try await dispatcher.stream(for: request)
                guard stream.head?.httpVersion == "HTTP/2" else {
                    // nghttpd has no HTTP/1.1.
                    Issue.record("\(stream.head?.httpVersion ?? "")")
                    continue
                }
                #expect(stream.trailers.isEmpty)
                #expect(try await stream.data.collect(upTo: 2 << 20).count == size)
                #expect(stream.data.trailers == ["X-Sum": "42"])
            }
            let head = try await dispatcher.data(for: URLRequest("HEAD", server.url("/small.txt")))
            #expect(head.trailers.isEmpty && head.statusCode == .ok)
        }

        @Test(
            "nginx passes the trailers on, compressed or not",
            .enabled(if: NginxVariant.isAvailable, "nginx and openssl are needed")
        )
        func nginx() async throws {
            let text = String(repeating: "all work and no play ", count: 50)
            let nginx = try NginxVariant(
                server: """
                    gzip on; gzip_types *; gzip_min_length 1; gzip_proxied any;
                    location /text { return 200 "\(text)"; add_trailer X-Status $status; add_trailer X-Two "a b"; }
                    """
            )
            let dispatcher = URLRequestDispatcher.forTests { $0.transport.certificateAuthorityFile = nginx.authority }
            for port in [nginx.plain, nginx.http1, nginx.http2] {
                for coding in [nil, "identity"] {
                    var request = URLRequest(url: nginx.url(port, "/text"))
                    request.setValue(coding, forHTTPHeaderField: "Accept-Encoding")
                    let response = try await dispatcher.data(for: request)
                    #expect(try response.decodeString() == text)
                    let expected: HTTPHeaderFields = ["X-Status": "200", "X-Two": "a b"]
                    #expect(response.trailers == expected, "\(port), \(coding ?? "gzip")")
                    #expect(!response.headers.contains("X-Status"))
                    request.httpMethod = "HEAD"
                    #expect(try await dispatcher.data(for: request).trailers.isEmpty)
                }
            }
        }
    }
}
