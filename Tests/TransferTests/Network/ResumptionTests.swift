import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// Downloads that continue where an earlier one ended, and those that must not.
    struct ResumptionTests {
        let server: LoopbackServer
        let folder: DownloadFolder
        let dispatcher = URLRequestDispatcher.forTests()
        let content = Data.random(200_000, seed: 3)
        let part = ".file.part"
        let record = ".file.part.json"

        init() throws {
            server = try LoopbackServer()
            folder = try DownloadFolder()
        }

        @discardableResult
        func resume(_ path: String = "/file", _ configure: (inout DownloadOptions) -> Void = { _ in })
            async throws -> Response<URL>
        {
            try await dispatcher.save(server.url(path), to: folder["file"]) {
                $0.resume = .ifPossible
                configure(&$0)
            }
        }

        /// A download that ends in the middle and leaves its first bytes.
        func interrupt(_ file: ServedFile, after count: Int = 70_000) async throws {
            server.route("/file") { file.answer($0, breakingAfter: count) }
            let error = try await failure { try await resume() }
            #expect(TransportError.Code.truncatedBody ~= error, "\(error)")
        }

        /// Checks that only the file is there, and from which offsets the last requests asked for it.
        func expectComplete(_ expected: Data? = nil, ranges: [Int?]) {
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
    }
}
