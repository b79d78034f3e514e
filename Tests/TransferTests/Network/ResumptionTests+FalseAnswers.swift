import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

// Answers that are not what they say, and what must not be kept or written down.
extension TransferNetworkTests.ResumptionTests {
    @Test func aRangeWithoutAnEndDoesNotFillTheDisk() async throws {
        try await interrupt(ServedFile(content))
        server.route(
            "/file",
            .send("HTTP/1.1 206 OK\r\nETag: \"1\"\r\nContent-Range: bytes 70000-199999/200000\r\n\r\n"),
            .repeat("x")
        )
        let error = try await failure { try await resume() }
        #expect(TransferError.Code.sizeMismatch ~= error, "\(error)")
        #expect(folder.listing == [])
    }

    /// Some servers and caches answer with the tail, and the status or the length of the whole.
    enum Tail: CaseIterable {
        case range, length, chunks, twoRanges, otherTag
    }

    @Test(arguments: Tail.allCases)
    func theTailIsNeverTheWholeFile(_ tail: Tail) async throws {
        let file = ServedFile(content)
        try await interrupt(file)
        server.route("/file") { [content] request in
            guard request.rangeStart != nil else { return file.answer(request) }
            let rest = content.dropFirst(70_000)
            let range = ("Content-Range", "bytes 70000-199999/200000")
            switch tail {
            case .range: return [.response(headers: ["ETag": "\"1\"", range.0: range.1], body: rest)]
            case .length: return [.response(headers: ["ETag": "\"1\""], body: rest)]
            case .otherTag: return [.response(headers: ["ETag": "\"2\""], body: rest)]
            case .chunks:
                let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"1\"\r\n\r\n"
                return [.send(head), .chunk(rest), .chunk(Data())]
            case .twoRanges:
                let headers: HeaderList = ["ETag": "\"1\"", range.0: range.1, range.0: "bytes 0-129999/200000"]
                return [.response(status: 206, headers: headers, body: rest)]
            }
        }
        try await resume()
        expectComplete(ranges: [nil, 70_000, nil])
    }

    /// Without a range in the request, nothing but an error is left.
    @Test func aTailThatNobodyAskedForIsAnError() async throws {
        server.route("/file", .response(headers: ["Content-Range": "bytes 5-9/10"], body: "56789"))
        try folder.write("file", Data("old".utf8))
        for mayResume in [false, true] {
            let error = try await failure {
                try await dispatcher.save(server.url("/file"), to: folder["file"]) {
                    if mayResume { $0.resume = .ifPossible }
                }
            }
            #expect(TransferError.Code.sizeMismatch ~= error, "\(error)")
            #expect(folder.data("file") == Data("old".utf8))
            #expect(folder.listing == ["file"])
        }
        // The whole, said in the words of a part.
        server.route("/file", .response(headers: ["Content-Range": "bytes 0-4/5"], body: "56789"))
        try await resume()
        #expect(folder.data("file") == Data("56789".utf8))
    }

    @Test func aRangeWithMoreThanItSaysIsNotTaken() async throws {
        try await interrupt(ServedFile(content))
        server.route("/file") { [content] request in
            let head =
                "HTTP/1.1 206 OK\r\nTransfer-Encoding: chunked\r\nETag: \"1\"\r\nContent-Range: bytes 70000-70009/200000\r\n\r\n"
            return [.send(head), .chunk(content.dropFirst(70_000)), .chunk(Data())]
        }
        let error = try await failure { try await resume() }
        #expect(TransferError.Code.sizeMismatch ~= error, "\(error)")
        #expect(folder.listing == [])
    }

    @Test func askingAgainNeedsNoSecondConnection() async throws {
        try await interrupt(ServedFile(content))
        server.route("/file") { [content] request in
            guard request.rangeStart != nil else { return ServedFile(content).answer(request) }
            return [.send("HTTP/1.1 206 OK\r\nETag: \"2\"\r\n\r\n"), .repeat("x")]
        }
        let dispatcher = URLRequestDispatcher.forTests { $0.connections.perHost = 1 }
        try await dispatcher.save(server.url("/file"), to: folder["file"]) { $0.resume = .ifPossible }
        expectComplete(ranges: [nil, 70_000, nil])
    }

    @Test(arguments: [0, 100, 129_999, 130_001])
    func aRangeThatIsNotWhatItSaysIsNotTaken(_ count: Int) async throws {
        try await interrupt(ServedFile(content))
        try folder.write("file", Data("old".utf8))
        server.route("/file") { [content] request in
            // Even if the server gave what is missing when it is asked for it.
            guard request.rangeStart == 70_000 else { return ServedFile(content).answer(request) }
            let body = (content + [0]).dropFirst(70_000).prefix(count)
            let chunks = (body.isEmpty ? [] : [Step.chunk(body)]) + [.chunk(Data())]
            return [.chunkedHead206(70_000, content.count)] + chunks
        }
        let error = try await failure { try await resume() }
        #expect(TransferError.Code.sizeMismatch ~= error, "\(error)")
        #expect(folder.data("file") == Data("old".utf8))
        // What was there before a response that ends too early is as good as it was.
        let isShort = count < content.count - 70_000
        #expect(folder.listing == (isShort ? [".file.part", ".file.part.json", "file"] : ["file"]))
        #expect(folder.data(".file.part")?.count == (isShort ? 70_000 : nil))
    }

    @Test func aWrongFileIsNotKept() async throws {
        let file = ServedFile(content)
        try await interrupt(file)
        server.route("/file") { file.answer($0) }
        let error = try await failure {
            try await resume { $0.digest = .init(expected: Data(), using: { FNVDigest() }) }
        }
        #expect(TransferError.Code.digestMismatch ~= error, "\(error)")
        #expect(folder.listing == [])
    }

    @Test func secretsAreNotWrittenDown() async throws {
        let file = ServedFile(content)
        server.route("/file") { file.answer($0, breakingAfter: 10) }
        let url = server.url("/file?token=hidden-token")
        var components = try #require(URLComponents(url: url, resolvingAgainstBaseURL: true))
        components.user = "user"
        components.password = "hidden-password"
        let secret = try #require(components.url)
        _ = try await failure { try await dispatcher.save(secret, to: folder["file"]) { $0.resume = .ifPossible } }
        let text = String(decoding: try #require(folder.data(record)), as: UTF8.self)
        #expect(!text.contains("hidden"))
        #expect(!text.contains("token"))
    }
}
