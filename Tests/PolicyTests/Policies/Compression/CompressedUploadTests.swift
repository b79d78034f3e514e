import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// Compressed bodies on their way to a server.
@Suite(.enabled(if: Gunzip.isInstalled, "there is no gzip"), .timeLimit(.generous)) struct CompressedUploadTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()

    init() throws {
        server = try LoopbackServer()
        server.route("/", .response())
    }

    private var post: URLRequest { URLRequest("POST", server.url("/")) }

    @Test func theServerGetsWhatGzipReads() async throws {
        let folder = try DownloadFolder()
        var random = SeededRandom(seed: 11)
        let contents = [0, 1, 1000, 300_000, 3_000_000].map { Data.compressible($0, &random) }
        for content in contents {
            let file = try folder.write("file", content)
            var chunks: [Data] = []
            var start = 0
            while start < content.count {
                let end = min(content.count, start + random.below(200_000))
                chunks.append(content[start..<end])
                start = end
            }
            let bodies: [RequestBody] = [
                .data(content), .file(file), .stream(GatedChunks(chunks)),
                .stream(GatedChunks(chunks), length: Int64(content.count)),
            ]
            for body in bodies { _ = try await dispatcher.upload(for: post, from: body.gzipped()).response() }
        }
        let requests = server.requests
        #expect(requests.allSatisfy { $0.header("Content-Encoding") == "gzip" && $0.isBodyComplete })
        #expect(requests.count { $0.header("Content-Length") != nil } == contents.count)
        #expect(requests.count { $0.header("Transfer-Encoding") == "chunked" } == 3 * contents.count)
        let expected = contents.flatMap { Array(repeating: $0, count: 4) }
        #expect(try await Gunzip.contents(of: requests.map(\.body)) == expected)
    }

    @Test func formsArrive() async throws {
        let folder = try DownloadFolder()
        var random = SeededRandom(seed: 12)
        let file = try folder.write("file", .compressible(700_000, &random))
        var form = MultipartFormData()
        form.append(Data("value".utf8), name: "field")
        form.append(file: file, name: "file")
        _ = try await dispatcher.upload(for: post, from: .multipart(form).gzipped()).response()
        #expect(server.requests[0].header("Content-Type") == form.contentType)
        #expect(try await Gunzip.content(of: server.requests[0].body) == form.encoded())
    }

    @Test func aRequestWithAContentEncodingIsRefused() async throws {
        var request = post
        request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
        await expect(TransportError.Code.invalidRequest) { [request] in
            try await dispatcher.upload(for: request, from: .data(Data("a".utf8)).gzipped()).response()
        }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [9, 11] as [Int64]) func aStreamHasToKeepItsLength(length: Int64) async throws {
        let chunks = GatedChunks([Data("01234".utf8), Data("56789".utf8)])
        await expect(TransferError.Code.lengthMismatch) {
            try await dispatcher.upload(for: post, from: .stream(chunks, length: length).gzipped()).response()
        }
        #expect(!server.requests.contains { $0.isBodyComplete })
    }

    @Test func aStreamIsSentOnce() async throws {
        let body = RequestBody.stream(GatedChunks([Data("01234".utf8)])).gzipped()
        #expect(!body.isRepeatable)
        #expect(RequestBody.data(Data()).gzipped().isRepeatable)
        _ = try await dispatcher.upload(for: post, from: body).response()
        await expect(TransferError.Code.bodyNotRepeatable) {
            try await dispatcher.upload(for: post, from: body).response()
        }
    }

    @Test func anErrorOfAStreamReachesTheCaller() async throws {
        struct Failure: Error {}
        let failing = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data(count: 1_000_000))
            continuation.finish(throwing: Failure())
        }
        await #expect(throws: Failure.self) {
            try await dispatcher.upload(for: post, from: .stream(failing).gzipped()).response()
        }
    }

    @Test func cancellingEndsTheStream() async throws {
        for _ in 0..<20 {
            let gate = Gate()
            var random = SeededRandom(seed: 13)
            let body = RequestBody.stream(GatedChunks([.compressible(100_000, &random)], gate: gate)).gzipped()
            let task = Task { try await dispatcher.upload(for: post, from: body).response() }
            await gate.arrival()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func cancellingEndsAFile() async throws {
        let folder = try DownloadFolder()
        server.route("/slow", .ignoreBody, .hold("never"), .close)
        var random = SeededRandom(seed: 14)
        let noise = Data((0..<rounds(16_000_000)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        let file = try folder.write("file", noise)
        let task = Task { [server, dispatcher] in
            let request = URLRequest("POST", server.url("/slow"))
            return try await dispatcher.upload(for: request, from: .file(file).gzipped()).response()
        }
        #expect(await server.waitUntilHeld("never"))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func progressCountsTheBytesThatAreSent() async throws {
        let folder = try DownloadFolder()
        var random = SeededRandom(seed: 15)
        let content = Data.compressible(2_000_000, &random)
        let file = try folder.write("file", content)
        for body in [RequestBody.file(file), .data(content)] {
            server.forgetRequests()
            var last: TransferProgress?
            for try await event in dispatcher.upload(for: post, from: body.gzipped()).progress(every: .zero) {
                guard case .progress(let progress) = event else { continue }
                #expect(progress.bytesSent >= last?.bytesSent ?? 0)
                last = progress
            }
            #expect(last?.bytesSent == Int64(server.requests[0].body.count))
            #expect(last?.fractionCompleted == 1)
        }
    }

    @Test func aBodyCanBeCollectedCompressed() async throws {
        let folder = try DownloadFolder()
        var random = SeededRandom(seed: 16)
        let content = Data.compressible(700_000, &random)
        let file = try folder.write("file", content)
        var form = MultipartFormData()
        form.append(file: file, name: "file")
        for body in [RequestBody.data(content), .file(file), .stream(GatedChunks([content])), .multipart(form)] {
            let compressed = try await body.gzipped().collect(upTo: 10_000_000)
            let expected = body.contentType == nil ? content : try form.encoded()
            #expect(try await Gunzip.content(of: compressed) == expected)
        }
        for body in [RequestBody.data(content), .file(file), .stream(GatedChunks([content]))] {
            await expect(TransferError.Code.bodyTooLarge) { try await body.gzipped().collect(upTo: 1000) }
        }
    }
}
