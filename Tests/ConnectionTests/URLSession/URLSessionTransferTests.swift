import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension NetworkTests {
    /// Streams, uploads and progress over a `URLSessionTransport`.
    @Suite(.urlSession) struct URLSessionTransferTests {
        @Test func aStreamIsReadAsItArrives() async throws {
            let server = try LoopbackServer()
            server.route(
                "/",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"),
                .hold("rest"),
                .send("def")
            )
            let transport = URLSessionTransport.forTests()
            let response = try await transport.get(server.url("/")) { $0.delivery = .streamed }
            #expect(response.body == nil)
            let body = try #require(response.stream)
            #expect(body.expectedLength == 6)
            var iterator = body.makeAsyncIterator()
            #expect(try await iterator.next() == Data("abc".utf8))
            server.release("rest")
            #expect(try await iterator.next() == Data("def".utf8))
            #expect(try await iterator.next() == nil)
            #expect(transport.exchangeCount == 0)
        }

        @Test func droppingAStreamClosesItsConnection() async throws {
            let server = try LoopbackServer()
            server.route("/", .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), .stall)
            let transport = URLSessionTransport.forTests()
            do {
                let response = try await transport.get(server.url("/")) { $0.delivery = .streamed }
                #expect(response.head.statusCode == .ok)
            }
            #expect(await server.waitForOpenConnections(atMost: 0))
            await transport.idle()
        }

        @Test func aLargeStreamArrivesWhole() async throws {
            let server = try LoopbackServer()
            let piece = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0) })
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 20000000\r\n\r\n"
            server.route("/", .send(head), .repeat(piece, count: 20_000))
            let transport = URLSessionTransport.forTests()
            let response = try await transport.get(server.url("/")) { $0.delivery = .streamed }
            var count = 0
            for try await chunk in try #require(response.stream) {
                #expect(chunk.first == UInt8(truncatingIfNeeded: count % 1000))
                count += chunk.count
            }
            #expect(count == 20_000_000)
        }

        #if os(Linux)
        // Nothing can hold the server up there.
        @Test func aReaderThatIsTooSlowIsTold() async throws {
            let server = try LoopbackServer()
            let bytes = String(repeating: "x", count: 20_000)
            server.route("/", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat(bytes, every: .milliseconds(1)))
            let transport = URLSessionTransport.forTests()
            let response = try await transport.get(server.url("/")) { request in
                request.delivery = .streamed
                request.options.maximumBufferedBody = 1 << 20
            }
            // Waits until the exchange is given up, because the body is not read.
            #expect(await server.waitForOpenConnections(atMost: 0))
            var count = 0
            let error = try await failure {
                for try await chunk in try #require(response.stream) { count += chunk.count }
            }
            #expect((error as? TransportError)?.code == .unsupported)
            #expect(count > 1 << 20)
            #expect(count < (1 << 20) + 200_000)
        }
        #endif

        @Test func filesFormsAndStreamsAreSent() async throws {
            let server = try LoopbackServer()
            server.route("POST", "/", .echo)
            let folder = try FormFolder()
            let file = try folder.file("file", Data("from a file".utf8))
            var form = MultipartFormData()
            form.append("value", name: "field")
            let stream = AsyncStream<Data> { stream in
                for text in ["from ", "a ", "stream"] { stream.yield(Data(text.utf8)) }
                stream.finish()
            }
            let transport = URLSessionTransport.forTests()
            for (body, text) in [
                (RequestBody.file(file), "from a file"), (.stream(stream), "from a stream"),
                (.multipart(form), "value"), (.data(Data("from memory".utf8)), "from memory"),
            ] {
                let response = try await transport.send(URLRequest("POST", server.url("/"))) { $0.body = body }
                #expect(String(decoding: response.body ?? Data(), as: UTF8.self).contains(text))
                #expect(server.requests.last?.header("Content-Length") == String(response.body?.count ?? 0))
            }
        }

        @Test func whatCannotBeCollectedIsNotSent() async throws {
            struct Failure: Error {}
            let server = try LoopbackServer()
            let folder = try FormFolder()
            let file = try folder.file("file", Data(count: 2000))
            let transport = URLSessionTransport.forTests()
            func error(_ body: RequestBody) async throws -> any Error {
                try await failure {
                    try await transport.send(URLRequest("POST", server.url("/"))) { request in
                        request.body = body
                        request.options.maximumBufferedBody = 1000
                    }
                }
            }
            #expect((try await error(.file(file)) as? TransferError)?.code == .bodyTooLarge)
            let long = AsyncStream<Data>(unfolding: { Data(count: 600) })
            #expect((try await error(.stream(long)) as? TransferError)?.code == .bodyTooLarge)
            let failing = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Failure()) }
            #expect(try await error(.stream(failing)) is Failure)
            #expect(server.requests.isEmpty)
            #expect(transport.exchangeCount == 0)
        }

        @Test func progressIsToldInBothDirections() async throws {
            let server = try LoopbackServer()
            server.route("POST", "/", .echo)
            let transport = URLSessionTransport.forTests()
            let changes = Locked<[TransferProgress]>([])
            let reporter = TransferReporter { change in
                changes.withLock { changes in
                    var progress = changes.last ?? TransferProgress(direction: .sending)
                    change(&progress)
                    changes.append(progress)
                }
            }
            let count = 3_000_000
            let request = URLRequest("POST", server.url("/"), body: String(repeating: "x", count: count))
            let response = try await transport.send(request) { $0.reporter = reporter }
            #expect(response.body?.count == count)
            let told = changes.withLock { $0 }
            let last = try #require(told.last)
            #expect(last.bytesSent == Int64(count))
            #expect(last.bytesToSend == Int64(count))
            #expect(last.bytesReceived == Int64(count))
            #expect(last.bytesToReceive == Int64(count))
            // Foundation on Linux tells the sum of the end at the beginning.
            #expect(told.contains { $0.bytesSent > 0 && $0.bytesSent < Int64(count) })
            #expect(told.map(\.bytesSent) == told.map(\.bytesSent).sorted())
        }

        @Test func connectionsAreLimitedAndUsedAgain() async throws {
            let server = try LoopbackServer()
            server.route("/", .sleep(.milliseconds(10)), .response(body: "ok"))
            let transport = URLSessionTransport.forTests { $0.connections = ConnectionLimits(perHost: 3, total: 3) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<30 { group.addTask { _ = try await transport.get(server.url("/")) } }
                try await group.waitForAll()
            }
            #expect(server.requests.count == 30)
            #expect(server.acceptedConnections <= 3)
        }

        @Test func aDispatcherDownloadsAndUploads() async throws {
            let server = try LoopbackServer()
            let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
            server.route("GET", "/file", .response(body: bytes))
            server.route("POST", "/file", .echo)
            let folder = try FormFolder()
            let file = try folder.file("source", bytes)
            let dispatcher = URLRequestDispatcher(transport: URLSessionTransport.forTests())
            let copy = file.deletingLastPathComponent().appending(path: "copy")
            let saved = try await dispatcher.download(for: URLRequest(url: server.url("/file")), to: copy).response()
            #expect(try Data(contentsOf: saved.data) == bytes)
            let sent = try await dispatcher.upload(for: URLRequest("POST", server.url("/file")), from: .file(file))
                .response()
            #expect(sent.data == bytes)
            await dispatcher.shutdown()
        }
    }
}
