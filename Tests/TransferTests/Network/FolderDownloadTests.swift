import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// Downloads into a folder, under the names that servers propose.
    struct FolderDownloadTests {
        private let server: LoopbackServer
        private let folder: DownloadFolder
        private let dispatcher = URLRequestDispatcher.forTests()
        private let content = Data.random(300_000, seed: 6)

        init() throws {
            server = try LoopbackServer()
            folder = try DownloadFolder()
        }

        private func propose(_ field: String?, at path: String = "/files/report.pdf") {
            server.route(path, .response(headers: field.map { ["Content-Disposition": $0] } ?? [:], body: content))
        }

        private func save(
            _ path: String = "/files/report.pdf",
            into folder: URL? = nil,
            _ options: DownloadOptions = DownloadOptions()
        ) async throws -> Response<URL> {
            let request = URLRequest(url: server.url(path))
            return try await dispatcher.download(for: request, into: folder ?? self.folder.url, options: options)
                .response()
        }

        @Test(
            arguments: [
                ("attachment; filename=\"sum of it.txt\"", "sum of it.txt"),
                ("attachment; filename*=UTF-8''na%C3%AFve.txt; filename=naive.txt", "naïve.txt"),
                ("attachment; filename=\"../../etc/passwd\"", "passwd"),
                ("attachment; filename=.bashrc", "bashrc"),
                ("attachment; filename*=UTF-8''sub%2F%CC%81x.txt", "x.txt"),
                ("attachment; filename=..", "report.pdf"),
                ("inline", "report.pdf"),
                (nil, "report.pdf"),
            ] as [(String?, String)]
        )
        func theServersNameIsUsed(field: String?, name: String) async throws {
            propose(field)
            let response = try await save()
            #expect(response.data == folder[name] && response.statusCode == .ok)
            #expect(folder.listing == [name] && folder.data(name) == content)
        }

        @Test(arguments: ["/", "/a/", "/%2F", "/a/.."])
        func aURLWithoutANameIsADownload(path: String) async throws {
            server.route("/", .response(body: content))
            server.route(path, .response(body: content))
            #expect(try await save(path).data == folder["download"])
        }

        @Test func theNameIsThatOfTheLastURL() async throws {
            server.route("/files/report.pdf", .response(status: 302, headers: ["Location": "/other/final.bin"]))
            propose(nil, at: "/other/final.bin")
            #expect(try await save().data == folder["final.bin"])
        }

        @Test func nothingIsReplaced() async throws {
            propose(nil)
            try folder.write("report.pdf", Data("mine".utf8))
            try FileManager.default.createSymbolicLink(
                atPath: folder["report (1).pdf"].path,
                withDestinationPath: "elsewhere"
            )
            try FileManager.default.createDirectory(at: folder["report (2).pdf"], withIntermediateDirectories: false)
            #expect(try await save().data == folder["report (3).pdf"])
            #expect(folder.data("report.pdf") == Data("mine".utf8) && folder.data("report (3).pdf") == content)
            #expect(folder.listing.count == 4)
        }

        @Test func manyAtOnceHaveTheirNames() async throws {
            propose(nil)
            let saved = try await withThrowingTaskGroup(of: URL.self) { group in
                for _ in 0..<20 { group.addTask { try await save().data } }
                return try await group.reduce(into: Set<URL>()) { $0.insert($1) }
            }
            let names = ["report.pdf"] + (1..<20).map { "report (\($0)).pdf" }
            #expect(saved == Set(names.map { folder[$0] }) && folder.listing == names.sorted())
        }

        @Test func missingFoldersAreMadeAndGoAfterAFailure() async throws {
            propose(nil)
            let new = folder.url.appending(path: "a/b", directoryHint: .isDirectory)
            #expect(try await save(into: new).data.path == folder["a/b/report.pdf"].path)
            server.route("/files/report.pdf", .response(status: 500))
            let other = folder.url.appending(path: "c/d")
            let error = try await failure { try await save(into: other) }
            #expect(TransferError.Code.unacceptableStatus ~= error && (error as? TransferError)?.file == nil)
            #expect(folder.listing == ["a", "a/b", "a/b/report.pdf"])
        }

        @Test func whatDoesNotPassTheChecksIsNotThere() async throws {
            propose(nil)
            var options = DownloadOptions(resume: .ifPossible)
            options.expectedSize = 5
            let error = try await failure { try await save(into: nil, options) }
            #expect(TransferError.Code.sizeMismatch ~= error && (error as? TransferError)?.file == folder.url)
            options = DownloadOptions(resume: .ifPossible)
            options.verify = { _ in throw CancellationError() }
            await #expect(throws: CancellationError.self) { try await save(into: nil, options) }
            #expect(folder.listing == [])
        }

        @Test(arguments: [URL.DirectoryHint.isDirectory, .notDirectory])
        func aFileInPlaceOfTheFolderIsRefused(hint: URL.DirectoryHint) async throws {
            propose(nil)
            try folder.write("file", Data("mine".utf8))
            let file = folder.url.appending(path: "file", directoryHint: hint)
            let error = try await failure { try await save(into: file) }
            #expect(TransferError.Code.notARegularFile ~= error, "\(error)")
            #expect(server.requests.isEmpty && folder.listing == ["file"])
        }

        @Test func onlyFoldersAreMade() async throws {
            propose(nil)
            let remote = try #require(URL(string: "https://h.example\(folder.url.path)/a/b"))
            let error = try await failure { try await save(into: remote) }
            #expect(TransferError.Code.fileNotFound ~= error)
            #expect(server.requests.isEmpty && folder.listing == [])
        }

        @Test func nothingNewIsAFailure() async throws {
            server.route("/files/report.pdf", .response(status: 304))
            var request = URLRequest(url: server.url("/files/report.pdf"))
            request.setValue("\"1\"", forHTTPHeaderField: "If-None-Match")
            let asked = request
            let error = try await failure { try await dispatcher.download(for: asked, into: folder.url).response() }
            #expect(TransferError.Code.unacceptableStatus ~= error)
            #expect(folder.listing == [])
        }
    }
}
