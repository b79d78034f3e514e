import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    struct StreamTests {
        private let server: LoopbackServer
        private let dispatcher = URLRequestDispatcher.forTests()

        init() throws {
            server = try LoopbackServer()
        }

        @Test
        func aStreamIsThereWithItsHeadAndGivesTheBodyAsItArrives() async throws {
            server.route(
                "/steps",
                .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"),
                .hold("first"),
                .send("abc"),
                .hold("second"),
                .send("def")
            )
            let response = try await dispatcher.stream(for: URLRequest(url: server.url("/steps")))
            #expect(response.statusCode == .ok)
            #expect(response.data.expectedLength == 6)
            var body = response.data.makeAsyncIterator()
            server.release("first")
            #expect(try await body.next() == Data("abc".utf8))
            server.release("second")
            #expect(try await body.next() == Data("def".utf8))
            #expect(try await body.next() == nil)
            #expect(try await body.next() == nil)
        }

        @Test
        func aLargeBodyIsWhatTheServerSent() async throws {
            let block = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            server.route(
                "/large",
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(block.count * 64)\r\n\r\n"),
                .repeat(Data(block), count: 64)
            )
            let response = try await dispatcher.stream(for: URLRequest(url: server.url("/large")))
            var position = 0
            for try await chunk in response.data {
                for byte in chunk {
                    guard byte == block[position % block.count] else {
                        Issue.record("byte \(position)")
                        return
                    }
                    position += 1
                }
            }
            #expect(position == block.count * 64)
        }

        @Test
        func aStreamThatWasReadIsEmptyAfterwards() async throws {
            server.route("/hello", .response(body: "hello"))
            let stream = try await dispatcher.stream(for: URLRequest(url: server.url("/hello")))
            #expect(try await stream.data.collect(upTo: 100) == Data("hello".utf8))
            #expect(try await stream.data.collect(upTo: 100) == Data())
        }

        @Test
        func anUploadFromAStreamArrives() async throws {
            server.route("POST", "/echo", .echo)
            let chunks = AsyncStream<Data> { continuation in
                for index in 0..<100 { continuation.yield(Data(repeating: UInt8(index), count: 1000)) }
                continuation.finish()
            }
            let response = try await dispatcher.upload(
                for: URLRequest("POST", server.url("/echo")),
                from: .stream(chunks)
            ).response()
            #expect(response.data?.count == 100_000)
            #expect(response.data?.last == 99)
        }

        @Test
        func anUploadFromAFileArrives() async throws {
            server.route("PUT", "/echo", .echo)
            let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try Data(repeating: 7, count: 3_000_000).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let response = try await dispatcher.upload(
                for: URLRequest("PUT", server.url("/echo")),
                from: .file(file)
            ).response()
            #expect(response.data?.count == 3_000_000)
        }

        @Test
        func aDownloadSavesAFile() async throws {
            server.route("/file", .response(body: "contents"))
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "a/b/file.txt")
            var events: [String] = []
            for try await event in dispatcher.download(for: URLRequest(url: server.url("/file")), to: file) {
                switch event {
                case .progress(let progress): events.append("\(progress.bytesReceived)")
                case .finished(let response):
                    events.append("finished")
                    #expect(response.data == file)
                }
            }
            #expect(events.first == "0")
            #expect(events.last == "finished")
            #expect(try Data(contentsOf: file) == Data("contents".utf8))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path) == [
                    "file.txt"
                ]
            )
        }
    }
}
