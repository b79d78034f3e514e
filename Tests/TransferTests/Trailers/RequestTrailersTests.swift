import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// Fields that follow the content of a request (RFC 9110 §6.5).
    struct RequestTrailersTests {
        private struct Failure: Error {}

        /// A server that takes requests in chunks, and answers each with the next of some heads.
        private static func server(
            _ received: Locked<[String]>,
            answers: [String] = ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"]
        ) throws -> RawServer {
            try RawServer { connection in
                while true {
                    var bytes: [UInt8] = []
                    func text() -> String { String(decoding: bytes, as: UTF8.self) }
                    while !(text().contains("\r\n0\r\n") && text().hasSuffix("\r\n\r\n")) {
                        bytes += try connection.read()
                    }
                    let count = received.withLock { received in
                        received.append(text())
                        return received.count
                    }
                    connection.write(Array(answers[min(count, answers.count) - 1].utf8))
                }
            }
        }

        private static func request(_ server: RawServer) -> URLRequest {
            var request = URLRequest(url: Fixture.url("http://127.0.0.1:\(server.port)/"))
            request.httpMethod = "POST"
            return request
        }

        private static func stream(_ chunks: [String]) -> RequestBody {
            .stream(
                AsyncStream { continuation in
                    for chunk in chunks { continuation.yield(Data(chunk.utf8)) }
                    continuation.finish()
                }
            )
        }

        private static func fieldsAfterBody(_ message: String) -> [Substring] {
            guard let end = message.firstRange(of: "\r\n0\r\n") else { return [] }
            return message[end.upperBound...].split(separator: "\r\n")
        }

        private let received = Locked<[String]>([])
        private let dispatcher = URLRequestDispatcher.forTests()

        @Test("Trailers follow the last chunk, and are announced in the head")
        func values() async throws {
            let server = try Self.server(received)
            let sent = Locked(0)
            let body = Self.stream(["hello", " ", "world"])
                .withTrailers(["X-Sum", "X-Two"], from: 0) {
                    $0 += $1.count
                } compute: { sum in
                    sent.withLock { $0 += 1 }
                    return ["X-Sum": "\(sum)", "X-Two": "schön", "x-sum": ""]
                }
            #expect(body.length == nil)
            #expect(try await dispatcher.upload(for: Self.request(server), from: body).response().statusCode == .ok)
            let message = try #require(received.withLock { $0.first })
            #expect(message.contains("\r\nTrailer: X-Sum, X-Two\r\n") && message.contains("chunked"))
            #expect(!message.contains("Content-Length"))
            #expect(Self.fieldsAfterBody(message) == ["X-Sum: 11", "X-Two: schön", "x-sum: "])
            #expect(sent.withLock { $0 } == 1)
        }

        @Test("The closure runs after the last bytes were produced, and the connection is used again")
        func order() async throws {
            let server = try Self.server(received)
            let isOver = Locked(false)
            for _ in 0..<3 {
                isOver.withLock { $0 = false }
                let bytes = AsyncStream<Data>(unfolding: {
                    if isOver.withLock({ $0 }) { return nil }
                    isOver.withLock { $0 = true }
                    return Data("abc".utf8)
                })
                let body = RequestBody.stream(bytes, length: 3).withTrailers(["X-Over"]) {
                    ["X-Over": "\(isOver.withLock { $0 })"]
                }
                _ = try await dispatcher.upload(for: Self.request(server), from: body).response()
            }
            let messages = received.withLock { $0 }
            #expect(messages.map(Self.fieldsAfterBody) == Array(repeating: ["X-Over: true"], count: 3))
        }

        @Test("Bodies in memory and files have trailers too, over the bytes that are sent")
        func kinds() async throws {
            let server = try Self.server(received)
            let folder = try DownloadFolder()
            let file = folder.url.appending(path: "file")
            let bytes = Data(repeating: 0x61, count: 300_000)
            try bytes.write(to: file)
            let plain = [RequestBody.data(bytes), .file(file), .stream(AsyncStream<Data>.of(bytes), length: 300_000)]
            let compressed = [RequestBody.data(bytes), .file(file), .stream(AsyncStream<Data>.of(bytes))]
            for body in plain + compressed.map({ $0.gzipped() }) {
                let body = body.withTrailers(["X-Count"], from: 0) {
                    $0 += $1.count
                } compute: {
                    ["X-Count": "\($0)"]
                }
                _ = try await dispatcher.upload(for: Self.request(server), from: body).response()
            }
            let small = try #require(try await GzipEncoder.compressed([bytes])).count
            let counts = received.withLock { $0 }.map { Self.fieldsAfterBody($0).first ?? "" }
            #expect(counts.prefix(3) == Array(repeating: "X-Count: 300000", count: 3)[...])
            // zlib's output depends a little on how the input is cut.
            for count in counts.dropFirst(3) {
                let count = try #require(Int(count.dropFirst(9)))
                #expect(abs(count - small) < 200 && count < 3_000)
            }
            #expect(received.withLock { $0 }.suffix(3).allSatisfy { $0.contains("Content-Encoding: gzip") })
        }

        @Test("A body that is sent again has its trailers computed again")
        func again() async throws {
            let redirect = "HTTP/1.1 307 Temporary Redirect\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n"
            let server = try Self.server(received, answers: [redirect, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
            let runs = Locked(0)
            let body = RequestBody.data(Data("hello".utf8)).withTrailers(["X-Run"], from: 0) {
                $0 += $1.count
            } compute: { count in
                ["X-Run": "\(runs.withLock { $0 += 1; return $0 }), \(count)"]
            }
            #expect(try await dispatcher.upload(for: Self.request(server), from: body).response().statusCode == .ok)
            let fields = received.withLock { $0 }.map(Self.fieldsAfterBody)
            #expect(fields == [["X-Run: 1, 5"], ["X-Run: 2, 5"]])
        }

        @Test("Trailers that may be missing are missing, and other uploads have none")
        func none() async throws {
            let server = try Self.server(received)
            let body = Self.stream(["abc"])
            _ = try await dispatcher.upload(
                for: Self.request(server),
                from: body.withTrailers(["X-A"]) { ["X-A": "1"] }
            )
            .response()
            _ = try await dispatcher.upload(for: Self.request(server), from: Self.stream(["abc"])).response()
            _ = try await dispatcher.upload(
                for: Self.request(server),
                from: Self.stream([]).withTrailers(["X-A"]) { [:] }
            )
            .response()
            let messages = received.withLock { $0 }
            #expect(messages.map(Self.fieldsAfterBody) == [["X-A: 1"], [], []])
            #expect(messages.map { $0.contains("Trailer:") } == [true, false, true])
        }

        @Test(
            "Names that must not be trailers are refused before anything is sent",
            arguments: [
                [], [""], ["a b"], ["X-A", "Content-Length"], ["transfer-encoding"], ["Authorization"], ["HOST"],
                ["Trailer"],
                ["X\r\nY"], ["Set-Cookie"], ["content-encoding"], ["TE"],
            ]
        )
        func refusedNames(_ names: [String]) async throws {
            let server = try Self.server(received)
            let body = RequestBody.data(Data("abc".utf8)).withTrailers(names.map { HTTPHeaderName($0) }) { [:] }
            await expect(.invalidRequest) {
                try await dispatcher.upload(for: Self.request(server), from: body).response()
            }
            #expect(server.acceptedConnections == 0)
        }

        @Test(
            "Fields that cannot be sent are errors, which do not show their values",
            arguments: [
                HTTPHeaderField(name: "X-Other", value: "hunter2"),
                HTTPHeaderField(name: "X-A", value: "hunter2\r\nX: y"),
                HTTPHeaderField(name: "X-A", value: "hunter2\u{0}"), HTTPHeaderField(name: "X-A: x", value: "hunter2"),
                HTTPHeaderField(name: "X-A", value: String(repeating: "hunter2", count: 9_000)),
            ]
        )
        func refusedFields(_ field: HTTPHeaderField) async throws {
            let server = try Self.server(received)
            let body = Self.stream(["abc"]).withTrailers(["X-A"]) { HTTPHeaderFields([field]) }
            let request = Self.request(server)
            do {
                _ = try await dispatcher.upload(for: request, from: body).response()
                Issue.record("It was sent")
            } catch {
                #expect((error as? TransportError)?.code == .invalidRequest && !"\(error)".contains("hunter2"))
            }
            #expect(received.withLock { $0 }.isEmpty)
        }

        @Test("An error of the closure ends the upload and is the caller's")
        func failure() async throws {
            let server = try Self.server(received)
            let body = Self.stream(["abc"]).withTrailers(["X-A"]) { throw Failure() }
            await #expect(throws: Failure.self) {
                try await dispatcher.upload(for: Self.request(server), from: body).response()
            }
            #expect(received.withLock { $0 }.isEmpty)
        }

        @Test("A closure that never returns is cancelled with the upload")
        func cancelled() async throws {
            let server = try Self.server(received)
            let (hasStarted, hasEnded) = (Gate(), Gate())
            let body = Self.stream(["abc"]).withTrailers(["X-A"]) {
                hasStarted.open()
                try? await Task.sleep(for: .seconds(600))
                hasEnded.open()
                return [:]
            }
            let upload = Task { try await dispatcher.upload(for: Self.request(server), from: body).response() }
            try await hasStarted.wait()
            upload.cancel()
            await #expect(throws: CancellationError.self) { try await upload.value }
            try await hasEnded.wait()
        }

        @Test(
            "A request with trailers uses HTTP/2 or HTTP/1.1, as other requests do",
            .enabled(if: NodeServer.shared != nil, "node and openssl are needed")
        )
        func versions() async throws {
            let node = try #require(NodeServer.shared)
            let dispatcher = URLRequestDispatcher.forTests { $0.transport.certificateAuthorityFile = node.authority }
            for port in [node.plain, node.secure] {
                // A connection of HTTP/2 is open already.
                _ = try await dispatcher.data(from: node.url(port, "/echo"))
                for _ in 0..<2 {
                    var request = URLRequest(url: node.url(port, "/echo"))
                    request.httpMethod = "POST"
                    let body = Self.stream(["hello", "world"]).withTrailers(["X-Sum"]) { ["X-Sum": "42"] }
                    let response = try await dispatcher.upload(for: request, from: body).response()
                    let isHTTP2 = port == node.secure
                    #expect(response.head?.httpVersion == (isHTTP2 ? "HTTP/2" : "HTTP/1.1"))
                    #expect(response.headers["X-Body"] == "10")
                    #expect(response.data == Data(#"{"x-sum":"42"}"#.utf8))
                }
            }
        }
    }
}

extension AsyncStream where Element == Data {
    fileprivate static func of(_ data: Data) -> AsyncStream<Data> {
        AsyncStream { continuation in
            continuation.yield(data)
            continuation.finish()
        }
    }
}
