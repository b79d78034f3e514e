import LoopbackServer
import PiuPiuAsync
import TestSupport
import Testing

extension NetworkTests {
    /// Downloads that continue where an earlier one ended, and those that must not.
    @Suite
    struct ResumptionTests {
        private let server: LoopbackServer
        private let folder: DownloadFolder
        private let dispatcher = URLRequestDispatcher.forTests()
        private let content = Data.random(200_000, seed: 3)
        private let part = ".file.part"
        private let record = ".file.part.json"

        init() throws {
            server = try LoopbackServer()
            folder = try DownloadFolder()
        }

        @discardableResult
        private func resume(_ path: String = "/file", _ configure: (inout DownloadOptions) -> Void = { _ in })
            async throws -> Response<URL>
        {
            try await dispatcher.save(server.url(path), to: folder["file"]) {
                $0.resume = .ifPossible
                configure(&$0)
            }
        }

        /// A download that ends in the middle and leaves its first bytes.
        private func interrupt(_ file: ServedFile, after count: Int = 70_000) async throws {
            server.route("/file") { file.answer($0, breakingAfter: count) }
            let error = try await failure { try await resume() }
            #expect(TransportError.Code.truncatedBody ~= error, "\(error)")
        }

        /// Checks that the file is there and nothing else, and from where the last requests asked for it.
        private func expectComplete(_ expected: Data? = nil, ranges: [Int?]) {
            #expect(folder.data("file") == expected ?? content)
            #expect(folder.listing == ["file"])
            #expect(server.requests.suffix(ranges.count).map(\.rangeStart) == ranges)
            #expect(server.requests.allSatisfy { ($0.header("Range") == nil) == ($0.header("If-Range") == nil) })
            #expect(folder.openDescriptors == 0)
        }

        // MARK: Continuing

        @Test func aDownloadContinuesWhereTheOneBeforeEnded() async throws {
            let file = ServedFile(content)
            try await interrupt(file)
            #expect(folder.listing == [part, record])
            #expect(folder.data(part) == content.prefix(70_000))
            server.route("/file") { file.answer($0) }
            let response = try await resume()
            #expect(response.statusCode == .partialContent)
            #expect(response.data == folder["file"])
            expectComplete(ranges: [nil, 70_000])
            #expect(server.requests.last?.header("If-Range") == "\"1\"")
            #expect(server.requests.last?.header("Accept-Encoding") == "identity")
        }

        @Test(.timeLimit(.generous), arguments: [1, 2])
        func tenResetsAtRandomPointsGiveTheSameFile(_ seed: UInt64) async throws {
            let file = ServedFile(Data.random(seed == 1 ? 64 << 20 : 8 << 20, seed: seed))
            let attempts = Locked((0, SeededRandom(seed: seed)))
            server.route("/file") { request in
                let left = file.content.count - (request.rangeStart ?? 0)
                let point = attempts.withLock { state -> Int? in
                    state.0 += 1
                    return state.0 > 10 ? nil : Int.random(in: 1..<max(2, left / 4), using: &state.1)
                }
                return file.answer(request, breakingAfter: point, .reset)
            }
            var expected: [Int?] = []
            for _ in 0..<10 {
                // What a reset leaves is what had arrived; the next request has to ask for what comes after that.
                expected.append(folder.data(part)?.count)
                _ = try await failure { try await resume() }
                let kept = folder.data(part) ?? Data()
                #expect(kept == file.content.prefix(kept.count))
            }
            expected.append(folder.data(part)?.count)
            try await resume { $0.digest = .init(expected: FNVDigest.of(file.content), using: { FNVDigest() }) }
            expectComplete(file.content, ranges: expected)
            #expect(expected.compactMap { $0 }.count >= 5)
        }

        @Test func progressAndDigestCountWhatWasThere() async throws {
            let file = ServedFile(content)
            try await interrupt(file)
            server.route("/file") { file.answer($0) }
            var options = DownloadOptions(resume: .ifPossible, expectedSize: Int64(content.count))
            options.digest = .init(expected: FNVDigest.of(content), using: { FNVDigest() })
            let request = URLRequest(url: server.url("/file"))
            var counts: [Int64] = []
            for try await event in dispatcher.download(for: request, to: folder["file"], options: options)
                .progress(every: .zero)
            {
                guard case .progress(let progress) = event else { continue }
                counts.append(progress.bytesReceived)
                if progress.bytesReceived >= 70_000 { #expect(progress.bytesToReceive == Int64(content.count)) }
            }
            #expect(counts.first == 0)
            #expect(counts.allSatisfy { $0 == 0 || $0 >= 70_000 })
            #expect(counts.last == Int64(content.count))
            expectComplete(ranges: [nil, 70_000])
        }

        @Test func aDateServesWhereThereIsNoTag() async throws {
            let modified = "Tue, 01 Sep 2026 08:00:00 GMT"
            let file = ServedFile(content, lastModified: modified, date: "Tue, 01 Sep 2026 08:00:01 GMT")
            try await interrupt(file)
            server.route("/file") { file.answer($0) }
            try await resume()
            expectComplete(ranges: [nil, 70_000])
            #expect(server.requests.last?.header("If-Range") == modified)
        }

        @Test func aBodyOfUnknownLengthContinuesToo() async throws {
            let file = ServedFile(content)
            server.route("/file", .chunkedHead("ETag: \"1\""), .chunk(content.prefix(70_000)), .close)
            _ = try await failure { try await resume() }
            server.route("/file") { file.answer($0) }
            try await resume()
            expectComplete(ranges: [nil, 70_000])
        }

        @Test func aServerMayGiveLessThanWasAskedFor() async throws {
            let file = ServedFile(content)
            try await interrupt(file)
            server.route("/file") { [content] request in
                guard let first = request.rangeStart else { return [.reset] }
                let end = min(first + 50_000, content.count)
                return [
                    .response(
                        status: 206,
                        headers: ["ETag": "\"1\"", "Content-Range": "bytes \(first)-\(end - 1)/\(content.count)"],
                        body: content[first..<end]
                    )
                ]
            }
            try await resume()
            expectComplete(ranges: [nil, 70_000, 120_000, 170_000])
        }

        @Test func aCompletePartThatWasNotMovedIsFinished() async throws {
            let file = ServedFile(content)
            try await interrupt(file)
            // As if the process had ended between the last write and the new name.
            try folder.write(part, content)
            server.route("/file") { file.answer($0) }
            try await resume()
            expectComplete(ranges: [nil, content.count - 1])
        }

        @Test func aRedirectKeepsTheRange() async throws {
            let file = ServedFile(content)
            try await interrupt(file)
            server.route("/file", .redirect(to: "/moved"))
            server.route("/moved") { file.answer($0) }
            try await resume()
            expectComplete(ranges: [nil, 70_000, 70_000])
        }

        @Test func shuttingDownLetsADownloadAskAgain() async throws {
            let file = ServedFile(content)
            try await interrupt(file)
            server.route("/file") { request in
                request.rangeStart == nil ? file.answer(request) : [.hold("here"), .response(status: 416)]
            }
            let saving = Task { try await resume() }
            await server.waitUntilHeld("here")
            let shutdown = Task { await dispatcher.shutdown() }
            await dispatcher.waitUntilRefusing(server.url("/404"))
            server.release("here")
            _ = try await saving.value
            await shutdown.value
            expectComplete(ranges: [nil])
        }

        @Test func invalidatingBetweenTwoRequestsIsACancel() async throws {
            let file = ServedFile(content)
            try await interrupt(file)
            server.route("/file") { request in
                request.rangeStart == nil ? [.hold("again"), .reset] : [.response(status: 416)]
            }
            let saving = Task { try await resume() }
            await server.waitUntilHeld("again")
            dispatcher.invalidateAndCancel()
            let error = try await failure { try await saving.value }
            #expect(error is CancellationError, "\(error)")
            server.release("again")
        }

        // MARK: Keeping

        @Test(arguments: [503, 404, 401])
        func aFailureStatusKeepsWhatThereIs(_ status: Int) async throws {
            let file = ServedFile(content)
            try await interrupt(file)
            let before = folder.data(record)
            server.route("/file", .response(status: status, body: "later"))
            let error = try await failure { try await resume() }
            #expect((error as? TransferError)?.body == Data("later".utf8))
            #expect(folder.data(part) == content.prefix(70_000))
            #expect(folder.data(record) == before)
            server.route("/file") { file.answer($0) }
            try await resume()
            expectComplete(ranges: [nil, 70_000, 70_000])
        }

        @Test func noAnswerKeepsWhatThereIs() async throws {
            let file = ServedFile(content)
            try await interrupt(file)
            server.route("/file", .close)
            let error = try await failure { try await resume() }
            #expect(TransportError.Code.connectionLost ~= error, "\(error)")
            server.route("/file") { file.answer($0) }
            try await resume()
            expectComplete(ranges: [70_000])
        }

        @Test func notModifiedThatNobodyAskedForKeepsWhatThereIs() async throws {
            let file = ServedFile(content)
            try await interrupt(file)
            server.route("/file", .response(status: 304))
            let error = try await failure { try await resume() }
            #expect(TransferError.Code.unacceptableStatus ~= error, "\(error)")
            #expect(folder.listing == [part, record])
            server.route("/file") { file.answer($0) }
            try await resume()
            expectComplete(ranges: [70_000])
        }

        @Test("The limit for the whole covers all requests of a download", .timeLimit(.generous))
        func oneLimitForAllRequests() async throws {
            let file = ServedFile(content)
            try await interrupt(file)
            // One byte at a time, which would take 130,000 requests.
            server.route("/file") { request in
                let offset = request.rangeStart ?? 0
                let range = "bytes \(offset)-\(offset)/200000"
                let byte = String(decoding: [UInt8(ascii: "x")], as: UTF8.self)
                return [.response(status: 206, headers: ["Content-Range": range, "ETag": "\"1\""], body: byte)]
            }
            let error = try await failure {
                try await resume {
                    var options = RequestOptions()
                    options.timeouts.total = .milliseconds(300)
                    $0.requestOptions = options
                }
            }
            #expect(TransportError.Code.timeout(.total) ~= error, "\(error)")
            #expect(folder.listing == [part, record])
        }

        @Test("A part file that has another name too is not written through, nor is another user's")
        func partOfSomebodyElse() async throws {
            let file = ServedFile(content)
            server.route("/file") { file.answer($0) }
            for isOtherUsers in geteuid() == 0 ? [false, true] : [false] {
                try await interrupt(file)
                server.route("/file") { file.answer($0) }
                let other = try folder.write("other", folder.data(part) ?? Data())
                try FileManager.default.removeItem(at: folder[part])
                if isOtherUsers {
                    try folder.write(part, folder.data("other") ?? Data())
                    #expect(chown(folder[part].path(percentEncoded: false), 1, 1) == 0)
                } else {
                    #expect(link(other.path(percentEncoded: false), folder[part].path(percentEncoded: false)) == 0)
                }
                try await resume()
                #expect(folder.data("other") == content.prefix(70_000))
                try FileManager.default.removeItem(at: other)
                expectComplete(ranges: [nil, nil])
                try FileManager.default.removeItem(at: folder["file"])
            }
        }

        @Test func cancellingKeepsWhatThereIs() async throws {
            let file = ServedFile(content)
            server.route("/file") { file.answer($0, breakingAfter: 70_000, .stall) }
            for bytes in [Int64(70_000), 140_000] {
                var options = DownloadOptions()
                options.resume = .ifPossible
                let transfer = dispatcher.download(
                    for: URLRequest(url: server.url("/file")),
                    to: folder["file"],
                    options: options
                )
                .progress(every: .zero)
                let saving = Task {
                    for try await case .progress(let progress) in transfer where progress.bytesReceived == bytes {
                        withUnsafeCurrentTask { $0?.cancel() }
                    }
                }
                let error = try await failure { try await saving.value }
                #expect(error is CancellationError, "\(error)")
                // The error comes when nothing is left to be done.
                #expect(folder.openDescriptors == 0)
                #expect(folder.data(part) == content.prefix(Int(bytes)))
            }
            server.route("/file") { file.answer($0) }
            try await resume()
            expectComplete(ranges: [nil, 70_000, 140_000])
        }

        @Test func foldersStayWithAPartInThem() async throws {
            let file = ServedFile(content)
            server.route("/file") { file.answer($0, breakingAfter: 10) }
            _ = try await failure {
                try await dispatcher.save(server.url("/file"), to: folder["a/b/file"]) { $0.resume = .ifPossible }
            }
            #expect(folder.listing == ["a", "a/b", "a/b/\(part)", "a/b/\(record)"])
        }

        // MARK: Starting over

        /// Why a part cannot be continued.
        enum Obstacle: CaseIterable {
            case changedTag, serverWithoutRanges, wrongStart, differentTagWith206, noContentRange, differentTotal
            case unsatisfiableRange
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
            func partial(_ contentRange: String?, tag: String = "\"1\"") {
                server.route("/file") { [content, file] request in
                    guard request.rangeStart != nil else { return file.answer(request) }
                    var headers: HeaderList = ["ETag": tag]
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
            case .differentTagWith206: partial("bytes 70000-199999/200000", tag: "\"2\"")
            case .noContentRange: partial(nil)
            case .differentTotal: partial("bytes 70000-199999/200001")
            case .unsatisfiableRange:
                server.route("/file") { [file] request in
                    request.rangeStart == nil ? file.answer(request) : [.response(status: 416)]
                }
                ranges = [70_000, nil]
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
                // Were the process to end here, the next download would take these bytes for the other file's.
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

        // MARK: Answers that lie

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

        @Test(arguments: [0, 129_999, 130_001])
        func aRangeThatIsNotWhatItSaysIsNotTaken(_ count: Int) async throws {
            try await interrupt(ServedFile(content))
            try folder.write("file", Data("old".utf8))
            server.route("/file") { [content] request in
                let first = request.rangeStart ?? 0
                // What is missing at first is never given.
                let body = (content + [0]).dropFirst(first).prefix(first == 70_000 ? count : 0)
                return [
                    .chunkedHead206(first, content.count), body.isEmpty ? .chunk(Data()) : .chunk(body), .chunk(Data()),
                    .close,
                ]
            }
            let error = try await failure { try await resume() }
            #expect(TransferError.Code.sizeMismatch ~= error, "\(error)")
            #expect(folder.data("file") == Data("old".utf8))
            #expect(folder.listing == ["file"])
        }

        // MARK: Two at once

        @Test func aPartBelongsToOneDownloadAtATime() async throws {
            let file = ServedFile(content)
            server.route(
                "/file",
                .head(content.count, "ETag: \"1\""),
                .send(content.prefix(70_000)),
                .hold("middle"),
                .send(content.dropFirst(70_000))
            )
            let first = Task { try await resume() }
            await server.waitUntilHeld("middle")
            while folder.data(part)?.count != 70_000 { await Task.yield() }
            for _ in 0..<3 {
                let error = try await failure { try await resume() }
                #expect(TransferError.Code.fileInUse ~= error, "\(error)")
                #expect(folder.listing == [part, record])
            }
            #expect(server.requests.count == 1)
            server.release("middle")
            _ = try await first.value
            expectComplete(file.content, ranges: [nil])
        }

        @Test func manyAtOnceAndAgainGiveOneFile() async throws {
            let file = ServedFile(content)
            let broken = Locked(0)
            server.route("/file") { request in
                let count = broken.withLock { state in
                    state += 1
                    return state
                }
                return file.answer(request, breakingAfter: count % 3 == 0 ? nil : 9_000)
            }
            let dispatcher = dispatcher
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        do {
                            try await dispatcher.save(server.url("/file"), to: folder["file"]) {
                                $0.resume = .ifPossible
                            }
                        } catch {
                            let isExpected =
                                TransferError.Code.fileInUse ~= error || TransportError.Code.truncatedBody ~= error
                            #expect(isExpected, "\(error)")
                        }
                    }
                }
            }
            server.route("/file") { file.answer($0) }
            try await resume()
            #expect(folder.data("file") == content)
            #expect(folder.listing == ["file"])
            #expect(folder.openDescriptors == 0)
        }

        // MARK: What is complete and wrong

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
}
