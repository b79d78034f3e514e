import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    struct DownloadDestinationTests {
        private let server: LoopbackServer
        private let folder: DownloadFolder
        private let dispatcher = URLRequestDispatcher.forTests()
        private let content = Data.random(300_000, seed: 5)

        init() throws {
            server = try LoopbackServer()
            folder = try DownloadFolder()
            server.route("/file", .response(headers: ["ETag": "\"1\""], body: content))
        }

        private func save(_ path: String, _ resume: DownloadOptions.Resumption = .never) async throws -> URL {
            let file = URL(filePath: folder.url.path + "/" + path, directoryHint: .notDirectory)
            return try await dispatcher.save(server.url("/file"), to: file) { $0.resume = resume }.data
        }

        private func link(_ path: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: folder[path].path, withDestinationPath: target)
        }

        private func isLink(_ path: String) -> Bool {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: folder[path].path)) != nil
        }

        // MARK: Paths

        /// The parent of such a path is no shorter path.
        @Test(arguments: ["missing/../x", "a/b/../../x", "missing/../missing/../x"])
        func pathsWithDotsAreFollowed(_ path: String) async throws {
            _ = try await save(path)
            #expect(folder.data("x") == content)
        }

        @Test(arguments: ["missing/../x"])
        func foldersOfSuchAPathAreRemovedAfterAFailure(_ path: String) async throws {
            server.route("/file", .response(status: 500))
            let error = try await failure { try await save(path) }
            #expect(TransferError.Code.unacceptableStatus ~= error)
            #expect(folder.listing == [])
        }

        @Test(arguments: ["missing/..", "missing/../..", ".", "..", "missing/."])
        func aPathWithoutANameIsRefused(_ path: String) async throws {
            let error = try await failure { try await save(path) }
            #expect(TransferError.Code.notARegularFile ~= error, "\(error)")
            #expect(server.requests.isEmpty)
            #expect(folder.listing == [])
        }

        // MARK: Links

        @Test(arguments: [DownloadOptions.Resumption.never, .ifPossible])
        func aLinkStaysAndItsFileIsReplaced(resume: DownloadOptions.Resumption) async throws {
            try folder.write("data/file", Data("old".utf8))
            try link("link", to: "data/file")
            try link("data/second", to: "../link")
            #expect(try await save("data/second", resume) == folder["data/second"])
            #expect(folder.data("data/file") == content)
            #expect(isLink("link") && isLink("data/second"))
            #expect(folder.listing == ["data", "data/file", "data/second", "link"])
        }

        @Test func aLinkToNothingLeadsToANewFile() async throws {
            try link("link", to: "new/folder/file")
            _ = try await save("link")
            #expect(folder.data("new/folder/file") == content)
            #expect(isLink("link"))
            try link("other", to: folder["absolute"].path)
            _ = try await save("missing/../other")
            #expect(folder.data("absolute") == content)
            #expect(isLink("other"))
        }

        @Test func linksInACircleAndToFoldersAreRefused() async throws {
            try link("a", to: "b")
            try link("b", to: "a")
            try link("c", to: ".")
            for path in ["a", "b", "c"] {
                let error = try await failure { try await save(path) }
                #expect(TransferError.Code.notARegularFile ~= error, "\(error)")
            }
            #expect(server.requests.isEmpty)
            #expect(folder.listing == ["a", "b", "c"])
        }

        @Test func aDownloadIsResumedBehindALink() async throws {
            try folder.write("data/file", Data("old".utf8))
            try link("link", to: "data/file")
            let file = ServedFile(content)
            server.route("/file") { file.answer($0, breakingAfter: 100_000) }
            _ = try await failure { try await save("link", .ifPossible) }
            #expect(folder.data("data/file") == Data("old".utf8))
            let partial = DownloadOptions.partialFile(for: folder["link"])
            #expect(try Data(contentsOf: partial).count == 100_000)
            server.route("/file") { file.answer($0) }
            _ = try await save("link", .ifPossible)
            #expect(server.requests.last?.rangeStart == 100_000)
            #expect(folder.data("data/file") == content)
            #expect(folder.listing == ["data", "data/file", "link"])
        }

        // MARK: Pipes and devices

        private func pipe() throws -> URL {
            try #require(mkfifo(folder["pipe"].path, 0o600) == 0)
            return folder["pipe"]
        }

        /// Reads on a thread of its own, because opening a pipe waits for the other side.
        private func reading(_ read: @escaping @Sendable () throws -> Data?) async throws -> Data? {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result { try read() }) }
            }
        }

        private func isPipe() -> Bool {
            var status = stat()
            return lstat(folder["pipe"].path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        }

        @Test(arguments: [DownloadOptions.Resumption.never, .ifPossible])
        func aPipeIsWrittenTo(resume: DownloadOptions.Resumption) async throws {
            let pipe = try pipe()
            try link("link", to: "pipe")
            async let read = reading { try FileHandle(forReadingFrom: pipe).readToEnd() }
            #expect(try await save("link", resume) == folder["link"])
            #expect(try await read == content)
            #expect(isPipe() && isLink("link"))
            #expect(folder.listing == ["link", "pipe"])
        }

        @Test func waitingForAReaderIsCancelled() async throws {
            _ = try pipe()
            let saving = Task { try await save("pipe") }
            await Task.yield()
            saving.cancel()
            await #expect(throws: CancellationError.self) { try await saving.value }
            #expect(isPipe() && folder.listing == ["pipe"])
        }

        /// Not the end of the process, by a signal.
        @Test func aReaderThatGoesAwayIsAnError() async throws {
            let pipe = try pipe()
            async let read = reading {
                let file = try FileHandle(forReadingFrom: pipe)
                defer { try? file.close() }
                return try file.read(upToCount: 10)
            }
            let error = try await failure { try await save("pipe") }
            #expect(try await read == content.prefix(10))
            #expect(TransferError.Code.fileFailed ~= error, "\(error)")
            #expect(isPipe() && folder.listing == ["pipe"])
        }

        @Test func devicesAreWrittenToAndStay() async throws {
            let null = URL(filePath: "/dev/null")
            let saved = try await dispatcher.save(server.url("/file"), to: null) { $0.isDurable = true }
            #expect(saved.data == null)
            var status = stat()
            #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
            let items = (0..<3).map { _ in DownloadItem(URLRequest(url: server.url("/file")), to: null) }
            var count = 0
            for try await case .saved in dispatcher.downloads(of: items) { count += 1 }
            #expect(count == 3)
        }

        @Test func whatCannotBeVerifiedIsNotWritten() async throws {
            _ = try pipe()
            let error = try await failure {
                try await dispatcher.save(server.url("/file"), to: folder["pipe"]) { $0.verify = { _ in } }
            }
            #expect(TransferError.Code.notARegularFile ~= error)
            #expect(server.requests.isEmpty)
        }

        #if os(Linux)
        @Test func theFileOfADescriptorIsContinued() async throws {
            let file = try folder.write("out", Data("before".utf8))
            let handle = try FileHandle(forUpdating: file)
            let path = "/proc/self/fd/\(handle.fileDescriptor)"
            _ = try await dispatcher.save(server.url("/file"), to: URL(filePath: path))
            #expect(folder.data("out") == Data("before".utf8) + content)
            #expect(folder.listing == ["out"])
            try handle.close()
        }
        #endif
    }
}
