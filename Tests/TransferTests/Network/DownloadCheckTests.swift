import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

extension TransferNetworkTests {
    /// What a download looks at before it gives the file its name.
    struct DownloadCheckTests {
        private struct Objection: Error {}

        private let server: LoopbackServer
        private let folder: DownloadFolder
        private let dispatcher = URLRequestDispatcher.forTests()
        private let content = Data.random(300_000, seed: 1)

        init() throws {
            server = try LoopbackServer()
            folder = try DownloadFolder()
            try folder.write("file", Data("old".utf8))
            server.route("/known", .response(body: content))
            let chunks = [Step.chunk(content.prefix(7)), .chunk(content.dropFirst(7)), .chunk(Data())]
            server.route("/chunked", [.chunkedHead()] + chunks)
            server.route("/until-closed", .send("HTTP/1.1 200 OK\r\n\r\n"), .send(content), .close)
            server.route("/endless", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("x"))
        }

        /// Downloads something that has to be refused.
        private func refusal(_ path: String, _ configure: (inout DownloadOptions) -> Void) async throws -> any Error {
            let error = try await failure {
                try await dispatcher.save(server.url(path), to: folder["file"], configure)
            }
            #expect(folder.listing == ["file"])
            #expect(folder.data("file") == Data("old".utf8))
            #expect(folder.openDescriptors == 0)
            return error
        }

        // MARK: Sizes

        @Test(arguments: ["/known", "/chunked", "/until-closed"])
        func theRightSizeIsAccepted(_ path: String) async throws {
            try await dispatcher.save(server.url(path), to: folder["file"]) {
                $0.expectedSize = Int64(content.count)
                $0.maximumSize = Int64(content.count)
            }
            #expect(folder.data("file") == content)
        }

        @Test(arguments: ["/known", "/chunked", "/until-closed"], [-1, 1, -300_000, 1 << 40])
        func anotherSizeIsRefused(_ path: String, _ difference: Int64) async throws {
            let error = try await refusal(path) { $0.expectedSize = Int64(content.count) + difference }
            #expect(TransferError.Code.sizeMismatch ~= error, "\(error)")
        }

        @Test(arguments: ["/known", "/chunked", "/until-closed", "/endless"])
        func moreThanTheMaximumIsRefused(_ path: String) async throws {
            let error = try await refusal(path) { $0.maximumSize = Int64(content.count) - 1 }
            #expect(TransportError.Code.bodyTooLarge ~= error, "\(error)")
        }

        @Test func aWrongLengthIsKnownFromTheHead() async throws {
            // The body never comes: what is known from the head must not wait for it.
            server.route("/promise", .head(1000), .stall)
            for size in [Int64(999), 1001, 0] {
                let error = try await refusal("/promise") { $0.expectedSize = size }
                #expect(TransferError.Code.sizeMismatch ~= error, "\(error)")
            }
            let error = try await refusal("/promise") { $0.maximumSize = 999 }
            #expect(TransportError.Code.bodyTooLarge ~= error, "\(error)")
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        @Test func tooMuchIsKnownBeforeTheEnd() async throws {
            let error = try await refusal("/endless") { $0.expectedSize = 100_000 }
            #expect(TransferError.Code.sizeMismatch ~= error, "\(error)")
            #expect(await server.waitForOpenConnections(atMost: 0))
        }

        // MARK: Digests and hooks

        @Test(arguments: ["/known", "/chunked"])
        func theDigestDecides(_ path: String) async throws {
            let wrong = try await refusal(path) {
                $0.digest = .init(expected: FNVDigest.of(content + [0]), using: { FNVDigest() })
            }
            #expect(TransferError.Code.digestMismatch ~= wrong, "\(wrong)")
            try await dispatcher.save(server.url(path), to: folder["file"]) {
                $0.digest = .init(expected: FNVDigest.of(content), using: { FNVDigest() })
            }
            #expect(folder.data("file") == content)
        }

        @Test func aPublishedSHA256IsChecked() async throws {
            var digest = SHA256MessageDigest()
            content.withUnsafeBytes { digest.update(bytes: $0) }
            let published = digest.digest().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let check = try DownloadOptions.DigestCheck.sha256(published)
            try await dispatcher.save(server.url("/known"), to: folder["new"]) { $0.digest = check }
            #expect(folder.data("new") == content)
            try FileManager.default.removeItem(at: folder["new"])
            server.route("/other", .response(body: content.dropLast() + [0]))
            let wrong = try await refusal("/other") { $0.digest = check }
            #expect(TransferError.Code.digestMismatch ~= wrong, "\(wrong)")
        }

        // As of a function that failed.
        @Test func anExpectationOfNoBytesIsNeverMet() async throws {
            struct Nothing: MessageDigest {
                mutating func update(bytes: UnsafeRawBufferPointer) {}
                mutating func digest() -> Data { Data() }
            }
            let wrong = try await refusal("/known") { $0.digest = .init(expected: Data(), using: { Nothing() }) }
            #expect(TransferError.Code.digestMismatch ~= wrong, "\(wrong)")
        }

        @Test func theDigestOfNothingIsComputedToo() async throws {
            server.route("/empty", .response())
            let wrong = try await refusal("/empty") {
                $0.digest = .init(expected: FNVDigest.of(Data([0])), using: { FNVDigest() })
            }
            #expect(TransferError.Code.digestMismatch ~= wrong, "\(wrong)")
            try await dispatcher.save(server.url("/empty"), to: folder["file"]) {
                $0.digest = .init(expected: FNVDigest.of(Data()), using: { FNVDigest() })
            }
            #expect(folder.data("file") == Data())
        }

        @Test func aHookSeesTheCompleteFileAndMayObject() async throws {
            let seen = Locked<[Data]>([])
            let error = try await refusal("/known") {
                $0.verify = { url in
                    let data = try Data(contentsOf: url)
                    seen.withLock { $0.append(data) }
                    throw Objection()
                }
            }
            #expect(error is Objection)
            #expect(seen.withLock { $0 } == [content])
            try await dispatcher.save(server.url("/known"), to: folder["file"]) { $0.verify = { _ in } }
            #expect(folder.data("file") == content)
        }

        @Test func cancellingTheHookCancelsTheDownload() async throws {
            let gate = Gate()
            let saving = Task {
                try await dispatcher.save(server.url("/known"), to: folder["file"]) {
                    // An objection that is lost must not save the file.
                    $0.verify = { _ in try? await gate.wait() }
                }
            }
            await gate.arrival()
            saving.cancel()
            let error = try await failure { try await saving.value }
            #expect(error is CancellationError, "\(error)")
            #expect(folder.listing == ["file"])
            #expect(folder.data("file") == Data("old".utf8))
        }

        // MARK: Full disks

        @Test(.enabled(if: SmallDisk.isAvailable, "mounting needs root and CAP_SYS_ADMIN"))
        func aFullDiskIsAnErrorAndNothingIsLeft() async throws {
            let disk = try SmallDisk(size: 1 << 20)
            func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: disk.folder.path) }
            let large = Data.random(2 << 20, seed: 2)
            server.route("/large", .response(body: large))
            server.route("/large-chunked", .chunkedHead(), .chunk(large), .chunk(Data()))
            server.route("/promise", .head(2 << 20), .stall)
            for resume in [DownloadOptions.Resumption.never, .ifPossible] {
                for path in ["/large", "/large-chunked", "/promise", "/endless"] {
                    let error = try await failure {
                        try await dispatcher.save(server.url(path), to: disk.folder.appending(path: "a/file")) {
                            $0.resume = resume
                        }
                    }
                    #expect(TransferError.Code.noSpace ~= error, "\(path) \(error)")
                    #expect(try names() == [])
                }
            }
            // What fits is saved.
            let file = disk.folder.appending(path: "file")
            try await dispatcher.save(server.url("/known"), to: file)
            #expect(try Data(contentsOf: file) == content)
            #expect(try names() == ["file"])
        }

        // MARK: Bodies

        @Test func aBodyMayBeEmpty() async throws {
            server.route("/empty", .response())
            server.route("/204", .response(status: 204))
            server.route("/no-chunk", .chunkedHead(), .chunk(Data()))
            for path in ["/empty", "/204", "/no-chunk"] {
                try folder.write("file", Data("old".utf8))
                let response = try await dispatcher.save(server.url(path), to: folder["file"])
                #expect(response.data == folder["file"])
                #expect(folder.data("file") == Data())
                #expect(folder.listing == ["file"])
            }
        }

        @Test func aHeadRequestSavesNothing() async throws {
            let response = try await dispatcher.download(
                for: URLRequest("HEAD", server.url("/known")),
                to: folder["empty"]
            ).response()
            #expect(response.statusCode == .ok)
            #expect(folder.data("empty") == Data())
        }

        @Test func compressionIsAskedForOnlyOnRequest() async throws {
            server.route("/file") { request in
                guard request.header("Accept-Encoding")?.contains("gzip") == true else {
                    return [.response(body: Data.hello)]
                }
                return [.response(headers: ["Content-Encoding": "gzip"], body: Data.helloGzip)]
            }
            try await dispatcher.save(server.url("/file"), to: folder["plain"])
            #expect(folder.data("plain") == .hello)
            #expect(server.requests.last?.header("Accept-Encoding") == "identity")

            try await dispatcher.save(server.url("/file"), to: folder["decoded"]) { $0.acceptsCompression = true }
            #expect(folder.data("decoded") == .hello)
            #expect(server.requests.last?.header("Accept-Encoding")?.contains("gzip") == true)

            // What the caller asks for is what the caller gets, as it came.
            var request = URLRequest(url: server.url("/file"))
            request.setValue("gzip;q=1", forHTTPHeaderField: "Accept-Encoding")
            for accepts in [false, true] {
                var options = DownloadOptions()
                options.acceptsCompression = accepts
                _ = try await dispatcher.download(for: request, to: folder["raw"], options: options).response()
                #expect(folder.data("raw") == .helloGzip)
                #expect(server.requests.last?.header("Accept-Encoding") == "gzip;q=1")
            }
        }

        @Test func sizesAreAboutTheFileAndNotAboutWhatWasCompressed() async throws {
            server.route("/gzip", .response(headers: ["Content-Encoding": "gzip"], body: Data.helloGzip))
            try await dispatcher.save(server.url("/gzip"), to: folder["file"]) {
                $0.acceptsCompression = true
                $0.expectedSize = Int64(Data.hello.count)
                $0.digest = .init(expected: FNVDigest.of(.hello), using: { FNVDigest() })
            }
            #expect(folder.data("file") == .hello)
            try folder.write("file", Data("old".utf8))
            let error = try await refusal("/gzip") {
                $0.acceptsCompression = true
                $0.maximumSize = 1000
            }
            #expect(TransportError.Code.bodyTooLarge ~= error, "\(error)")
        }
    }
}
