import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    struct DownloadDestinationTests {
        /// Otherwise a download to `/dev/null`, by a user with the permission, would replace it with a file.
        @Test(arguments: [DownloadOptions.Resumption.never, .ifPossible])
        func aPipeOrADeviceIsNotReplaced(resume: DownloadOptions.Resumption) async throws {
            let server = try LoopbackServer()
            server.route("/file", .response(headers: ["ETag": "\"1\""], body: "content"))
            let folder = FileManager.default.temporaryDirectory.appending(path: "destination-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let pipe = folder.appending(path: "pipe")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            let dispatcher = URLRequestDispatcher.forTests()
            let download = dispatcher.download(
                for: URLRequest(url: server.url("/file")),
                to: pipe,
                options: DownloadOptions(resume: resume)
            )
            let error = try await failure { try await download.response() }
            await dispatcher.shutdown()
            #expect(TransferError.Code.notARegularFile ~= error)
            #expect(server.requests.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
            var status = stat()
            #expect(lstat(pipe.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        }
    }
}
