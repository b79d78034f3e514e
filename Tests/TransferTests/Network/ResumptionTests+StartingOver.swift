import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

// Parts that cannot be continued.
extension TransferNetworkTests.ResumptionTests {
    /// Why a part cannot be continued.
    enum Obstacle: CaseIterable {
        case changedTag, serverWithoutRanges, wrongStart, differentTagWith206, noContentRange, differentTotal
        case unsatisfiableRange, noContent, otherCoding, otherValidatorWith206
        case partTooLong, partEmpty, recordMissing, recordCorrupt, recordOfAnotherURL, recordTampered
        case otherMethod
    }

    @Test(arguments: Obstacle.allCases)
    func whatCannotBeContinuedStartsOver(_ obstacle: Obstacle) async throws {
        let old = ServedFile(Data.random(200_000, seed: 9))
        try await interrupt(old)
        var file = ServedFile(content)
        file.accepted = nil
        server.route("/file") { [file] in file.answer($0) }
        // The ranges of the requests that follow.
        var ranges: [Int?] = [70_000]
        func partial(_ contentRange: String?, _ fields: HeaderList = ["ETag": "\"1\""]) {
            server.route("/file") { [content, file] request in
                guard request.rangeStart != nil else { return file.answer(request) }
                var headers = fields
                if let contentRange { headers.append("Content-Range", contentRange) }
                return [.response(status: 206, headers: headers, body: content.dropFirst(70_000))]
            }
            ranges = [70_000, nil]
        }
        switch obstacle {
        case .changedTag:
            file.validators = ["ETag": "\"2\""]
            file.accepted = "\"2\""
            server.route("/file") { [file] in file.answer($0) }
        case .serverWithoutRanges:
            server.route("/file", .response(body: content))
        case .wrongStart: partial("bytes 70001-199999/200000")
        case .differentTagWith206: partial("bytes 70000-199999/200000", ["ETag": "\"2\""])
        case .noContentRange: partial(nil)
        case .differentTotal: partial("bytes 70000-199999/200001")
        case .unsatisfiableRange, .noContent:
            let status = obstacle == .noContent ? 204 : 416
            server.route("/file") { [file] request in
                request.rangeStart == nil ? file.answer(request) : [.response(status: status)]
            }
            ranges = [70_000, nil]
        case .otherCoding: partial("bytes 70000-199999/200000", ["ETag": "\"1\"", "Content-Encoding": "gzip"])
        case .otherValidatorWith206:
            partial("bytes 70000-199999/200000", ["Last-Modified": "Tue, 01 Sep 2026 08:00:00 GMT"])
        case .partTooLong:
            try folder.write(part, old.content + [0])
            ranges = [nil]
        case .partEmpty:
            try folder.write(part, Data())
            ranges = [nil]
        case .recordMissing:
            try FileManager.default.removeItem(at: folder[record])
            ranges = [nil]
        case .recordCorrupt:
            try folder.write(record, Data("{\"resource\":".utf8))
            ranges = [nil]
        case .recordOfAnotherURL:
            server.route("/other") { [file] in file.answer($0) }
            ranges = [nil]
        case .recordTampered:
            let text = String(decoding: try #require(folder.data(record)), as: UTF8.self)
            try folder.write(record, Data(text.replacing("\\\"1\\\"", with: "\\\"1\\\"\\r\\nX: y").utf8))
            ranges = [nil]
        case .otherMethod:
            ranges = [nil]
        }
        if obstacle == .otherMethod {
            let options = DownloadOptions(resume: .ifPossible)
            let request = URLRequest("POST", server.url("/file"), body: "x")
            _ = try await dispatcher.download(for: request, to: folder["file"], options: options).response()
        } else {
            let response = try await resume(obstacle == .recordOfAnotherURL ? "/other" : "/file")
            #expect(response.statusCode == .ok)
        }
        expectComplete(ranges: ranges)
        #expect(server.requests.allSatisfy { $0.header("X") == nil })
    }

    @Test(arguments: [
        ["ETag": "W/\"1\""], [:], ["ETag": "1"], ["Last-Modified": "Tue, 01 Sep 2026 08:00:00 GMT"],
        ["Last-Modified": "Tue, 01 Sep 2026 08:00:00 GMT", "Date": "Tue, 01 Sep 2026 08:00:00 GMT"],
        ["Last-Modified": "yesterday", "Date": "Tue, 01 Sep 2026 08:00:00 GMT"],
        // A weak tag says that the date is no better.
        [
            "ETag": "W/\"1\"", "Last-Modified": "Tue, 01 Sep 2026 08:00:00 GMT",
            "Date": "Tue, 01 Sep 2026 09:00:00 GMT",
        ],
        // The file may have been rewritten with the same tag.
        [
            "ETag": "\"1\"", "Last-Modified": "Tue, 01 Sep 2026 08:00:00 GMT",
            "Date": "Tue, 01 Sep 2026 08:00:00 GMT",
        ],
    ])
    func withoutAStrongValidatorNothingIsKept(_ fields: [String: String]) async throws {
        var file = ServedFile(content)
        file.validators = HeaderList(fields.map { HeaderList.Field(name: $0.key, value: $0.value) })
        try await interrupt(file)
        #expect(folder.listing == [])
        server.route("/file") { [file] in file.answer($0) }
        try await resume()
        expectComplete(ranges: [nil, nil])
    }

    @Test func aNewVersionIsContinuedAsTheNewVersion() async throws {
        try await interrupt(ServedFile(Data.random(200_000, seed: 9)))
        var file = ServedFile(content)
        file.validators = ["ETag": "\"2\""]
        file.accepted = "\"2\""
        server.route("/file") { [file] in file.answer($0, breakingAfter: 30_000) }
        _ = try await failure { try await resume() }
        #expect(folder.data(part) == content.prefix(30_000))
        server.route("/file") { [file] in file.answer($0) }
        try await resume()
        expectComplete(ranges: [nil, 70_000, 30_000])
        #expect(server.requests.last?.header("If-Range") == "\"2\"")
    }

    @Test func aVersionThatCannotBeContinuedLeavesNothingOfTheOneBefore() async throws {
        try await interrupt(ServedFile(Data.random(200_000, seed: 9)))
        var file = ServedFile(content)
        file.validators = ["ETag": "W/\"2\""]
        server.route("/file") { [file] in file.answer($0, breakingAfter: 30_000) }
        _ = try await failure { try await resume() }
        #expect(folder.listing == [])
    }

    @Test(arguments: [203, 404])
    func aRecordIsGoneBeforeOtherBytesAreWritten(_ status: Int) async throws {
        try await interrupt(ServedFile(content))
        server.route(
            "/file",
            .send("HTTP/1.1 \(status) Other\r\nContent-Length: 6\r\n\r\nabc"),
            .hold("middle"),
            .send("def")
        )
        var options = DownloadOptions(resume: .ifPossible)
        options.failureStatusCodes = 500..<600
        let request = URLRequest(url: server.url("/file"))
        for try await event in dispatcher.download(for: request, to: folder["file"], options: options)
            .progress(every: .zero)
        {
            guard case .progress(let progress) = event, progress.bytesReceived == 3 else { continue }
            // If the process ended here, the next download would take these bytes for the other file's.
            #expect(folder.listing == [part])
            server.release("middle")
        }
        expectComplete(Data("abcdef".utf8), ranges: [nil, 70_000])
    }

    @Test(arguments: [DownloadOptions.Resumption.never])
    func aDownloadThatNeverResumesLeavesTheOtherAlone(_ resumption: DownloadOptions.Resumption) async throws {
        let file = ServedFile(content)
        try await interrupt(file)
        server.route("/file") { file.answer($0) }
        try await dispatcher.save(server.url("/file"), to: folder["file"]) { $0.resume = resumption }
        #expect(folder.data("file") == content)
        #expect(server.requests.last?.rangeStart == nil)
        #expect(folder.listing == [part, record, "file"])
    }

    @Test func aCallersOwnRangeIsNotContinued() async throws {
        server.route("/file") { [content] request in
            let headers: HeaderList = ["ETag": "\"1\"", "Content-Range": "bytes 5-9/\(content.count)"]
            return [.response(status: 206, headers: headers, body: content[5..<10])]
        }
        var request = URLRequest(url: server.url("/file"))
        request.setValue("bytes=5-9", forHTTPHeaderField: "Range")
        let options = DownloadOptions(resume: .ifPossible)
        _ = try await dispatcher.download(for: request, to: folder["file"], options: options).response()
        #expect(folder.data("file") == content[5..<10])
        #expect(server.requests.last?.header("Range") == "bytes=5-9")
    }
}
