import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension TrustNetworkTests {
    /// Heads of responses over HTTP/2, up to many times the receive buffer of 16 KiB and less.
    @Suite(.enabled(if: HTTP2Support.isAvailable, "python3, openssl and nghttp2 are needed"))
    struct HTTP2HeadTests {
        /// Fields of a size together, each of at most 2,000 bytes.
        static func fields(_ size: Int) -> [HTTP2Field] {
            stride(from: 0, to: size, by: 2000).enumerated().map { index, start in
                HTTP2Field("x-large-\(index)", String(repeating: "x", count: min(2000, size - start)))
            }
        }

        static func size(of headers: HTTPHeaderFields) -> Int {
            headers.filter { $0.name.hasPrefix("x-large") }.reduce(0) { $0 + $1.value.utf8.count }
        }

        /// Answers `/N` with a head of N bytes and `/one/N` with one field of N bytes.
        private func server() throws -> HTTP2Script {
            try HTTP2Script { exchange in
                let words = exchange.request.path.split(separator: "/")
                let size = Int(words.last ?? "") ?? 0
                let one = [HTTP2Field("x-large", String(repeating: "x", count: size))]
                exchange.respond(200, words.count > 1 ? one : Self.fields(size), body: "body")
            }
        }

        private func dispatcher(_ server: HTTP2Script) -> URLRequestDispatcher {
            .trusting(server.authority, http2: true)
        }

        @Test("A head larger than the receive buffer arrives, on any request of a connection", arguments: [4, 17, 40])
        func sizes(_ kibibytes: Int) async throws {
            let server = try server()
            let dispatcher = dispatcher(server)
            for path in ["/\(kibibytes << 10)", "/one/\(kibibytes << 10)", "/0", "/\(kibibytes << 10)"] {
                let response = try await dispatcher.data(from: server.url(path))
                #expect(response.data == Data("body".utf8))
                #expect(Self.size(of: response.headers) == (path == "/0" ? 0 : kibibytes << 10))
                #expect(response.head?.httpVersion == "HTTP/2")
            }
        }

        @Test(
            "A streamed or downloaded response may have a large head",
            arguments: [17, 40],
            [
                Delivery.stream, .download,
            ]
        )
        func deliveries(_ kibibytes: Int, _ delivery: Delivery) async throws {
            let server = try server()
            let dispatcher = dispatcher(server)
            for _ in 0..<3 {
                let request = URLRequest(url: server.url("/\(kibibytes << 10)"))
                #expect(try await dispatcher.receive(request, by: delivery) == Received("body"))
            }
        }

        @Test("A head of 100 KiB arrives or is too large", arguments: ["/102400", "/one/102400"])
        func large(_ path: String) async throws {
            let server = try server()
            let dispatcher = dispatcher(server)
            for _ in 0..<2 {
                do {
                    let response = try await dispatcher.data(from: server.url(path))
                    #expect(Self.size(of: response.headers) == 100 << 10)
                } catch {
                    #expect(TransportError.Code.of(error) == .headTooLarge, "\(error)")
                }
                #expect(try await dispatcher.data(from: server.url("/0")).data == Data("body".utf8))
            }
        }

        @Test("A head over every limit is too large", arguments: Delivery.allCases)
        func tooLarge(_ delivery: Delivery) async throws {
            let server = try server()
            let dispatcher = dispatcher(server)
            for size in [300 << 10, 1 << 20] {
                let error = try await dispatcher.failureToReceive(server.url("/\(size)"), by: delivery)
                #expect(TransportError.Code.of(error) == .headTooLarge, "\(error)")
                #expect(try await dispatcher.data(from: server.url("/0")).data == Data("body".utf8))
            }
        }

        @Test("A head over the limit of the request is too large")
        func limit() async throws {
            let server = try server()
            let dispatcher = URLRequestDispatcher.trusting(server.authority, http2: true) {
                $0.options.maximumHead = 32 << 10
            }
            for _ in 0..<2 {
                let error = try await dispatcher.failureToReceive(server.url("/40960"))
                #expect(TransportError.Code.of(error) == .headTooLarge, "\(error)")
                let response = try await dispatcher.data(from: server.url("/17408"))
                #expect(Self.size(of: response.headers) == 17 << 10)
            }
        }

        /// Sends requests at once and counts the responses whose heads are whole.
        private func count(_ requests: Int, of size: Int, _ dispatcher: URLRequestDispatcher, _ url: URL) async -> Int {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<requests {
                    group.addTask {
                        guard let response = try? await dispatcher.data(from: url) else { return false }
                        return Self.size(of: response.headers) == size && response.data == Data("body".utf8)
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }

        private func nginx() throws -> NginxVariant {
            func lines(_ fields: [HTTP2Field]) -> String {
                fields.map { "add_header \($0.name) \($0.value);" }.joined(separator: " ")
            }
            return try NginxVariant(
                http: "http2_max_concurrent_streams 200;",
                server: """
                    location /4 { \(lines(Self.fields(4000))) return 200 body; }
                    location /17 { \(lines(Self.fields(17 << 10))) return 200 body; }
                    """
            )
        }

        @Test("Of 100 requests at once with heads of 17 KiB none is lost", .enabled(if: NginxVariant.isAvailable))
        func hundred() async throws {
            let nginx = try nginx()
            let dispatcher = URLRequestDispatcher.trusting(nginx.authority, http2: true)
            for _ in 0..<2 {
                #expect(await count(100, of: 17 << 10, dispatcher, nginx.url(nginx.http2, "/17")) == 100)
            }
            #expect(nginx.finish().count { $0.status == 200 } == 200)
        }

        @Test("Of 2,000 requests at once with heads of 4 KB none is lost", .enabled(if: NginxVariant.isAvailable))
        func thousands() async throws {
            let nginx = try nginx()
            let dispatcher = URLRequestDispatcher.trusting(nginx.authority, http2: true)
            #expect(await count(2000, of: 4000, dispatcher, nginx.url(nginx.http2, "/4")) == 2000)
            #expect(nginx.finish().count { $0.status == 200 } == 2000)
        }
    }
}
