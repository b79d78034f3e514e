import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// How a body is announced, and whether it arrives byte for byte.
    struct UploadFramingTests {
        private let server: LoopbackServer
        private let folder: FormFolder
        private let dispatcher = URLRequestDispatcher.forTests()

        init() throws {
            server = try LoopbackServer()
            server.route("/", .response(body: "ok"))
            folder = try FormFolder()
        }

        /// Uploads a body and returns the request as it arrived.
        private func arrived(
            _ body: RequestBody,
            method: String = "POST",
            headers: [String: String] = [:]
        ) async throws -> RecordedRequest {
            let request = URLRequest(method, server.url("/"), headers: headers)
            let response = try await dispatcher.upload(for: request, from: body).response()
            #expect(response.data == Data("ok".utf8))
            return try #require(server.requests.last)
        }

        @Test(arguments: [1, 65_536, 65_537, 131_072, 131_073, 5_000_000])
        func aFileIsAnnouncedWithItsLength(_ count: Int) async throws {
            let content = pattern(count)
            let request = try await arrived(.file(folder.file("file", content)))
            #expect(request.header("Content-Length") == "\(count)")
            #expect(request.header("Transfer-Encoding") == nil)
            #expect(request.header("Expect") == nil)
            #expect(request.header("Content-Type") == nil)
            #expect(request.body == content)
            #expect(request.isBodyComplete)
        }

        @Test(arguments: [1, 65_536, 5_000_000])
        func aStreamOfKnownLengthIsAnnouncedWithIt(_ count: Int) async throws {
            let content = pattern(count)
            let half = count / 2
            let chunks = Producer.of([content.prefix(half), content.suffix(count - half)])
            let request = try await arrived(.stream(chunks, length: Int64(count)))
            #expect(request.header("Content-Length") == "\(count)")
            #expect(request.header("Transfer-Encoding") == nil)
            #expect(request.body == content)
        }

        @Test(arguments: [0, 1, 65_536, 5_000_000])
        func aStreamOfUnknownLengthIsSentInChunks(_ count: Int) async throws {
            let content = pattern(count)
            let request = try await arrived(.stream(Producer.of([content])))
            #expect(request.header("Content-Length") == nil)
            #expect(request.header("Transfer-Encoding") == "chunked")
            #expect(request.header("Expect") == nil)
            #expect(request.body == content)
            #expect(request.isBodyComplete)
        }

        @Test(arguments: ["POST", "PUT", "DELETE", "PURGE"])
        func emptyBodiesAreAnnouncedAsEmpty(_ method: String) async throws {
            let bodies: [RequestBody] = [
                .data(Data()), .file(try folder.file("empty", Data())), .stream(Producer.of([]), length: 0),
            ]
            for body in bodies {
                let request = try await arrived(body, method: method)
                #expect(request.method == method)
                #expect(request.header("Transfer-Encoding") == nil)
                #expect(request.body.isEmpty && request.isBodyComplete)
                if ["POST", "PUT"].contains(method) { #expect(request.header("Content-Length") == "0") }
            }
        }

        @Test func aStreamThatEndsAtOnceIsAnEmptyBody() async throws {
            let producer = Producer.of([])
            let request = try await arrived(.stream(producer))
            #expect(request.header("Transfer-Encoding") == "chunked")
            #expect(request.body.isEmpty && request.isBodyComplete)
            #expect(producer.record.asked == 1)
        }

        @Test(arguments: [nil, 100_000] as [Int64?])
        func manyTinyChunksArrive(_ length: Int64?) async throws {
            let content = pattern(100_000)
            let chunks = Producer { $0 < content.count ? content[$0..<$0 + 1] : nil }
            let request = try await arrived(.stream(chunks, length: length))
            #expect(request.body == content)
        }

        @Test(arguments: [nil, 32 << 20] as [Int64?])
        func oneHugeChunkArrives(_ length: Int64?) async throws {
            let content = pattern(32 << 20)
            let request = try await arrived(.stream(Producer.of([content]), length: length))
            #expect(request.body == content)
        }

        @Test func slicesAndEmptyChunksArrive() async throws {
            let content = pattern(300_000)
            var position = 0
            var chunks: [Data] = []
            var random = SeededRandom(seed: 7)
            while position < content.count {
                let end = min(content.count, position + Int.random(in: 0...5_000, using: &random))
                chunks.append(content[position..<end])
                position = end
            }
            #expect(try await arrived(.stream(Producer.of(chunks))).body == content)
            #expect(try await arrived(.stream(Producer.of(chunks), length: 300_000)).body == content)
            #expect(try await arrived(.data(content[1000..<200_000])).body == content[1000..<200_000])
        }

        @Test func emptyChunksAtTheEndOfAStreamOfKnownLengthAreNoMore() async throws {
            let chunks = [Data(), Data("abc".utf8), Data(), Data()]
            #expect(try await arrived(.stream(Producer.of(chunks), length: 3)).body == Data("abc".utf8))
        }

        @Test func aFormBringsItsOwnContentType() async throws {
            var form = MultipartFormData()
            form.append("Ada", name: "author")
            form.append(file: try folder.file("a.bin", pattern(200_000)), name: "file")
            let request = try await arrived(.multipart(form), headers: ["content-type": "text/plain"])
            #expect(request.headers.all("Content-Type") == [form.contentType])
            let encoded = try form.encoded()
            #expect(request.header("Content-Length") == "\(encoded.count)")
            #expect(request.body == encoded)
        }

        @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "PURGE", "REPORT"])
        func theMethodStaysAsItIs(_ method: String) async throws {
            let content = pattern(100_000)
            let bodies: [RequestBody] = [
                .data(content), .file(try folder.file("file", content)), .stream(Producer.of([content])),
                .stream(Producer.of([content]), length: 100_000),
            ]
            for body in bodies {
                let request = try await arrived(body, method: method, headers: ["Content-Type": "text/x"])
                #expect(request.method == method)
                #expect(request.headers.all("Content-Type") == ["text/x"])
                #expect(request.body == content)
            }
            #expect(server.acceptedConnections == 1)
        }

        @Test(arguments: ["GET", "HEAD", "TRACE"])
        func aMethodWithoutABodyIsRefusedBeforeAByteIsSent(_ method: String) async throws {
            let producer = Producer.of([Data("x".utf8)])
            let bodies: [RequestBody] = [
                .data(Data("x".utf8)), .file(try folder.file("file", Data("x".utf8))), .stream(producer),
                .stream(producer, length: 1), .multipart(MultipartFormData()),
            ]
            for body in bodies {
                let request = URLRequest(method, server.url("/"))
                let error = try await failure { try await dispatcher.upload(for: request, from: body).response() }
                let refusal = try #require(error as? TransportError)
                #expect(refusal.code == .invalidRequest)
                #expect("\(refusal)".contains(method))
            }
            #expect(server.acceptedConnections == 0)
            #expect(producer.record.iterations == 0)
        }

        @Test func aSecondBodyIsRefusedBeforeAByteIsSent() async throws {
            for body in [RequestBody.data(Data("b".utf8)), .stream(Producer.of([]))] {
                let request = URLRequest("POST", server.url("/"), body: "a")
                let error = try await failure { try await dispatcher.upload(for: request, from: body).response() }
                #expect((error as? TransportError)?.code == .invalidRequest)
            }
            #expect(server.acceptedConnections == 0)
        }

        @Test func aLengthOfTheCallersThatIsWrongIsRefused() async throws {
            let bodies: [(RequestBody, String)] = [
                (.file(try folder.file("file", Data("abc".utf8))), "4"), (.stream(Producer.of([]), length: 3), "4"),
                (.stream(Producer.of([])), "3"),
            ]
            for (body, length) in bodies {
                let request = URLRequest("POST", server.url("/"), headers: ["Content-Length": length])
                let error = try await failure { try await dispatcher.upload(for: request, from: body).response() }
                #expect((error as? TransportError)?.code == .invalidRequest)
            }
            #expect(server.acceptedConnections == 0)
        }
    }

    /// The same over TLS and HTTP/2, with a server that saves what it gets.
    @Suite(.enabled(if: NginxServer.shared?.uploads != nil, "nginx with its dav module and openssl are needed"))
    struct SavedUploadTests {
        private let nginx: NginxServer
        private let uploads: URL
        private let folder: FormFolder
        private let dispatcher: URLRequestDispatcher

        init() throws {
            let nginx = try #require(NginxServer.shared)
            self.nginx = nginx
            uploads = try #require(nginx.uploads)
            folder = try FormFolder()
            dispatcher = .forTests { $0.transport.certificateAuthorityFile = nginx.authority }
        }

        /// Uploads a body and returns what the server saved.
        private func saved(_ body: RequestBody, _ port: Int) async throws -> Data {
            let name = UUID().uuidString
            let file = uploads.appending(path: name)
            defer { try? FileManager.default.removeItem(at: file) }
            let request = URLRequest("PUT", nginx.url(port, "/uploads/\(name)"))
            let response = try await dispatcher.upload(for: request, from: body).response()
            #expect(response.statusCode == .created)
            #expect(response.head?.httpVersion == (port == nginx.http2 ? "HTTP/2" : "HTTP/1.1"))
            return try Data(contentsOf: file)
        }

        @Test func allKindsOfBodiesAreSavedAsTheyAre() async throws {
            for count in [0, 1, 100_000, 9_000_000] {
                let content = pattern(count)
                let pieces = stride(from: 0, to: count, by: 70_000).map { content[$0..<min(count, $0 + 70_000)] }
                let file = try folder.file("file-\(count)", content)
                for port in [nginx.plain, nginx.http1, nginx.http2] {
                    #expect(try await saved(.data(content), port) == content)
                    #expect(try await saved(.file(file), port) == content)
                    #expect(try await saved(.stream(Producer.of(pieces)), port) == content)
                    #expect(try await saved(.stream(Producer.of(pieces), length: Int64(count)), port) == content)
                }
            }
        }

        @Test func manyUploadsShareAnHTTP2Connection() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<40 {
                    group.addTask {
                        let content = pattern(index * 10_000, seed: UInt64(index))
                        let pieces = [content.prefix(index * 3_000), content.dropFirst(index * 3_000)]
                        let found = try await saved(.stream(Producer.of(pieces)), nginx.http2)
                        #expect(found == content)
                    }
                }
                try await group.waitForAll()
            }
        }

        @Test func aBodyThatIsTooLargeForTheServerIsRefusedByIt() async throws {
            for port in [nginx.plain, nginx.http1, nginx.http2] {
                for length in [nil, 1 << 40] as [Int64?] {
                    let producer = Producer.endless()
                    let request = URLRequest("PUT", nginx.url(port, "/refused/x"))
                    let upload = dispatcher.upload(for: request, from: .stream(producer, length: length))
                    let response = try await upload.response()
                    #expect(response.statusCode.rawValue == 413)
                    #expect(response.data?.isEmpty == false)
                    try await producer.waitUntilEnded()
                }
            }
        }
    }
}
