import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// Files that cannot be sent, and files that change underway.
    struct UploadFileTests {
        /// How a file is sent.
        enum Wrapping: String, CaseIterable, Sendable {
            case alone, inAForm

            func body(_ file: URL) -> RequestBody {
                guard self == .inAForm else { return .file(file) }
                var form = MultipartFormData()
                form.append("Ada", name: "author")
                form.append(file: file, name: "file")
                return .multipart(form)
            }
        }

        /// What happens to a file.
        enum Change: String, CaseIterable, Sendable {
            case shrinksToNothing, shrinksByOne, growsByOne

            func apply(to file: URL, length: Int64) throws {
                let length: Int64 =
                    switch self {
                    case .shrinksToNothing: 0
                    case .shrinksByOne: length - 1
                    case .growsByOne: length + 1
                    }
                guard truncate(file.path, off_t(length)) == 0 else { throw POSIXError(.EIO) }
            }
        }

        private let server: LoopbackServer
        private let folder: FormFolder
        private let dispatcher = URLRequestDispatcher.forTests()

        init() throws {
            server = try LoopbackServer()
            server.route("PUT", "/read", .response(body: "ok"))
            server.route("PUT", "/held", .ignoreBody, .hold("here"), .drainBody, .hold("there"), .response(body: "ok"))
            folder = try FormFolder()
        }

        private func put(_ path: String) -> URLRequest { URLRequest("PUT", server.url(path)) }

        /// Expects an error before anything is sent, and that it is the first the transfer gives after its start.
        private func expectRefusal(_ body: RequestBody, _ code: TransferError.Code, _ file: URL) async throws {
            let error = try await failure { try await dispatcher.upload(for: put("/read"), from: body).response() }
            #expect(TransferError.Code.of(error) == code, "\(error)")
            #expect((error as? TransferError)?.file?.path == file.path)
            var events = 0
            let second = try await failure {
                for try await _ in dispatcher.upload(for: put("/read"), from: body) { events += 1 }
            }
            #expect(TransferError.Code.of(second) == code)
            #expect(events <= 1)
            #expect(server.acceptedConnections == 0)
            #expect(try await dispatcher.exchangeCount() == 0)
        }

        #if os(Linux)
        @Test("A file that does not say how long it is arrives whole", arguments: Wrapping.allCases)
        func unknownLength(_ wrapping: Wrapping) async throws {
            let file = URL(filePath: "/proc/version")
            let content = try Data(contentsOf: file)
            try #require(!content.isEmpty)
            server.route("PUT", "/echo", .echo)
            let body = wrapping.body(file)
            #expect(body.length ?? 0 >= content.count)
            let response = try await dispatcher.upload(for: put("/echo"), from: body).response()
            #expect(response.data?.range(of: content) != nil)
        }
        #endif

        @Test(arguments: Wrapping.allCases)
        func whatCannotBeReadIsRefusedBeforeAByteIsSent(_ wrapping: Wrapping) async throws {
            let missing = folder.url.appending(path: "missing")
            try await expectRefusal(wrapping.body(missing), .fileNotFound, missing)
            try await expectRefusal(wrapping.body(folder.url), .notARegularFile, folder.url)
            let pipe = folder.url.appending(path: "pipe")
            try #require(mkfifo(pipe.path, 0o600) == 0)
            try await expectRefusal(wrapping.body(pipe), .notARegularFile, pipe)
            let dangling = folder.url.appending(path: "dangling")
            try FileManager.default.createSymbolicLink(at: dangling, withDestinationURL: missing)
            try await expectRefusal(wrapping.body(dangling), .fileNotFound, dangling)
        }

        @Test(.enabled(if: geteuid() != 0, "root may read everything"), arguments: Wrapping.allCases)
        func whatMayNotBeReadIsRefusedBeforeAByteIsSent(_ wrapping: Wrapping) async throws {
            let file = try folder.file("secret", Data("x".utf8))
            try #require(chmod(file.path, 0) == 0)
            try await expectRefusal(wrapping.body(file), .permissionDenied, file)
        }

        @Test func aFileThatIsNoFileURLIsRefused() async throws {
            let url = try #require(URL(string: "https://example.com/file"))
            let error = try await failure {
                try await dispatcher.upload(for: put("/read"), from: .file(url)).response()
            }
            #expect(TransferError.Code.of(error) == .fileNotFound)
            #expect(server.acceptedConnections == 0)
        }

        @Test(arguments: Wrapping.allCases, Change.allCases)
        func aFileThatChangesUnderwayEndsTheUploadAndNoCompleteMessageArrives(
            _ wrapping: Wrapping,
            _ change: Change
        ) async throws {
            let length: Int64 = 64 << 20
            let file = try folder.sparseFile("file", length: length)
            let request = put("/held")
            let upload = Task { try await dispatcher.upload(for: request, from: wrapping.body(file)).response() }
            // The server reads nothing, and no buffers on the way hold so much.
            await server.waitUntilHeld("here")
            try change.apply(to: file, length: length)
            server.release("here")
            let error = try await failure { try await upload.value }
            #expect(TransferError.Code.of(error) == .fileChanged, "\(error)")
            #expect((error as? TransferError)?.file == file)
            #expect(try await dispatcher.exchangeCount() == 0)
            // The server waits in front of its second gate until its client has gone, with the body incomplete.
            #expect(await server.waitForOpenConnections(atMost: 0))
            #expect(await eventually { openDescriptors(of: file) == 0 })
        }

        @Test(arguments: Change.allCases)
        func aFileThatChangedBetweenTheLookAndTheFirstByteEndsTheUpload(_ change: Change) async throws {
            let length: Int64 = 1 << 20
            let file = try folder.sparseFile("file", length: length)
            let (busy, queued) = (put("/held"), put("/read"))
            let dispatcher = URLRequestDispatcher.forTests { $0.connections.perHost = 1 }
            let first = Task { try await dispatcher.upload(for: busy, from: .data(Data("x".utf8))).response() }
            await server.waitUntilHeld("here")
            let second = Task { try await dispatcher.upload(for: queued, from: .file(file)).response() }
            #expect(try await eventually { try await dispatcher.exchangeCount() == 2 })
            try change.apply(to: file, length: length)
            server.release("here")
            server.release("there")
            #expect(try await first.value.data == Data("ok".utf8))
            let error = try await failure { try await second.value }
            #expect(TransferError.Code.of(error) == .fileChanged, "\(error)")
            #expect(await server.waitForOpenConnections(atMost: 0))
            #expect(server.requests(for: "/read").allSatisfy { !$0.isBodyComplete && $0.bodyLength == 0 })
        }

        @Test func aFileThatIsReplacedUnderwayIsSentAsItWas() async throws {
            let old = pattern(24 << 20, seed: 1)
            let file = try folder.file("file", old)
            let began = Gate()
            // Held back until the file was opened and begun.
            server.route("PUT", "/recorded", .response(body: "ok"))
            let request = put("/recorded")
            let upload = Task {
                var hasBegun = false
                for try await event in dispatcher.upload(for: request, from: .file(file)).progress(every: .zero) {
                    guard case .progress(let progress) = event, progress.bytesSent > 0, !hasBegun else { continue }
                    hasBegun = true
                    try Data("new".utf8).write(to: file, options: .atomic)
                    began.open()
                }
            }
            try await began.wait()
            try await upload.value
            #expect(try Data(contentsOf: file) == Data("new".utf8))
            #expect(server.requests.first?.body == old)
        }

        @Test func aFileIsReadFromTheStartByEachUpload() async throws {
            let content = pattern(700_000)
            let file = try folder.file("file", content)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        _ = try await dispatcher.upload(for: put("/read"), from: .file(file)).response()
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.requests.count == 20)
            #expect(server.requests.allSatisfy { $0.body == content })
            #expect(await eventually { openDescriptors(of: file) == 0 })
        }
    }
}
