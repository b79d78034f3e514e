import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    struct ProgressCountTests {
        private let server: LoopbackServer
        private let dispatcher = URLRequestDispatcher.forTests()

        init() throws {
            server = try LoopbackServer()
        }

        /// Sizes around those of the buffers, in memory and not.
        @Test(arguments: [100, 65_536, 100_000, 1_000_000], [false, true])
        func anUploadIsCompleteBeforeItIsAnswered(size: Int, isFile: Bool) async throws {
            server.route("PUT", "/upload", .hold("answer"), .response(body: "thanks"))
            let content = Data(repeating: 7, count: size)
            let file = FileManager.default.temporaryDirectory.appending(path: "progress-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try content.write(to: file)
            let upload = dispatcher.upload(
                for: URLRequest(url: server.url("/upload"), method: .put),
                from: isFile ? .file(file) : .data(content)
            )
            var last: TransferProgress?
            var wasAnswered = false
            for try await event in upload.progress(every: .zero) {
                guard case .progress(let progress) = event else { continue }
                last = progress
                #expect(progress.bytesToSend == Int64(size))
                if progress.fractionSent == 1 {
                    server.release("answer")
                    wasAnswered = true
                }
            }
            #expect(wasAnswered)
            #expect(last?.bytesSent == Int64(size))
        }
    }
}
