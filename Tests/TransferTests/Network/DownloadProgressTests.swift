import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// How fast a reader reads events.
enum ReaderPace: CaseIterable, Sendable {
    case fast, slow, firstThenTheRest
}

extension TransferNetworkTests {
    /// What is told about transfers while they are under way.
    struct DownloadProgressTests {
        private let server: LoopbackServer
        private let folder: DownloadFolder
        private let dispatcher = URLRequestDispatcher.forTests()
        private let chunk = Data(repeating: 7, count: 1000)

        init() throws {
            server = try LoopbackServer()
            folder = try DownloadFolder()
        }

        /// Reads all events of a download, the last of which has to be that it is finished.
        private func progress(
            _ path: String,
            _ pace: ReaderPace = .fast,
            _ configure: (inout DownloadOptions) -> Void = { _ in }
        ) async throws -> [TransferProgress] {
            var options = DownloadOptions()
            configure(&options)
            let request = URLRequest(url: server.url(path))
            let transfer = dispatcher.download(for: request, to: folder["file"], options: options)
            var iterator = transfer.progress(every: .zero).makeAsyncIterator()
            var all: [TransferProgress] = []
            var isFinished = false
            while let event = try await iterator.next() {
                #expect(!isFinished)
                switch event {
                case .progress(let progress): all.append(progress)
                case .finished: isFinished = true
                }
                switch pace {
                case .fast: break
                case .slow:
                    let gate = Gate()
                    Task {
                        await gate.arrival()
                        for _ in 0..<50 { await Task.yield() }
                        gate.open()
                    }
                    try await gate.wait()
                case .firstThenTheRest:
                    // The file is there when the download has ended, all but for telling.
                    while folder.data("file") == nil { await Task.yield() }
                }
            }
            #expect(isFinished)
            #expect(try await iterator.next() == nil)
            return all
        }

        private func expectMonotonic(_ all: [TransferProgress]) {
            #expect(all.first?.bytesReceived == 0)
            for (earlier, later) in zip(all, all.dropFirst()) {
                #expect(earlier.bytesReceived <= later.bytesReceived)
                #expect(earlier.fractionCompleted ?? 0 <= later.fractionCompleted ?? 1)
            }
            #expect(all.last?.fractionCompleted == 1)
            #expect(all.last?.bytesToReceive == all.last?.bytesReceived)
            #expect(all.allSatisfy { $0.direction == .receiving })
        }

        @Test(arguments: ReaderPace.allCases)
        func progressGoesFromZeroToOne(_ pace: ReaderPace) async throws {
            server.route("/file", .head(100_000), .repeat(chunk, count: 100, every: .milliseconds(1)))
            let all = try await progress("/file", pace)
            expectMonotonic(all)
            #expect(all.last?.bytesReceived == 100_000)
            for progress in all where progress.bytesReceived > 0 { #expect(progress.bytesToReceive == 100_000) }
            // What was not read in time is left out.
            if pace == .firstThenTheRest { #expect(all.count == 2) }
            // Beside the pieces: the start, the length, and that nothing was sent.
            #expect(all.count <= 100 + 4)
        }

        @Test func everyPieceIsToldOfWhereTheReaderIsFastEnough() async throws {
            let gates = (0..<10).map { "\($0)" }
            server.route("/file", [.head(10_000)] + gates.flatMap { [.hold($0), .send(chunk)] })
            var counts: [Int64] = []
            let request = URLRequest(url: server.url("/file"))
            for try await event in dispatcher.download(for: request, to: folder["file"]).progress(every: .zero) {
                guard case .progress(let progress) = event, progress.bytesToReceive != nil else { continue }
                counts.append(progress.bytesReceived)
                let next = Int(progress.bytesReceived / 1000)
                if next < 10 { server.release(gates[next]) }
            }
            #expect(counts == (0...10).map { $0 * 1000 })
        }

        @Test(arguments: ReaderPace.allCases)
        func withoutALengthThereIsNoFractionBeforeTheEnd(_ pace: ReaderPace) async throws {
            let chunks = (0..<100).map { _ in Step.chunk(chunk) }
            server.route("/file", [.chunkedHead()] + chunks + [.chunk(Data())])
            let all = try await progress("/file", pace)
            expectMonotonic(all)
            #expect(all.dropLast().allSatisfy { $0.fractionCompleted == nil })
            #expect(all.last?.bytesReceived == 100_000)
        }

        @Test(arguments: ReaderPace.allCases)
        func whatIsDecompressedHasNoFractionBeforeTheEnd(_ pace: ReaderPace) async throws {
            server.route("/file", .response(headers: ["Content-Encoding": "gzip"], body: Data.helloGzip))
            let all = try await progress("/file", pace) { $0.acceptsCompression = true }
            expectMonotonic(all)
            #expect(all.dropLast().allSatisfy { $0.fractionCompleted == nil })
            #expect(all.last?.bytesReceived == Int64(Data.hello.count))
        }

        @Test func anEmptyFileIsComplete() async throws {
            server.route("/file", .response())
            let all = try await progress("/file")
            #expect(all.first?.bytesReceived == 0)
            #expect(all.last?.fractionCompleted == 1)
        }

        @Test(arguments: [Duration.nanoseconds(1), .microseconds(10), .milliseconds(5)])
        func everyPieceThatIsWaitedForIsToldAtAnyInterval(_ interval: Duration) async throws {
            let gates = (0..<10).map { "\($0)" }
            server.route("/file", [.head(10_000)] + gates.flatMap { [.hold($0), .send(chunk)] })
            let transfer = dispatcher.download(for: URLRequest(url: server.url("/file")), to: folder["file"])
            var all: [TransferProgress] = []
            // Each piece waits for the one before it to be told: were one of them left out, this would not end.
            for try await case .progress(let progress) in transfer.progress(every: interval) {
                all.append(progress)
                let next = Int(progress.bytesReceived / 1000)
                if progress.bytesToReceive != nil, next < 10 { server.release(gates[next]) }
            }
            expectMonotonic(all)
            #expect(Set(all.map(\.bytesReceived)) == Set((0...10).map { $0 * 1000 }))
        }

        @Test func progressComesNoMoreOftenThanAskedFor() async throws {
            server.route("/file", .head(100_000), .repeat(chunk, count: 100, every: .milliseconds(1)))
            let transfer = dispatcher.download(for: URLRequest(url: server.url("/file")), to: folder["file"])
            var all: [TransferProgress] = []
            for try await case .progress(let progress) in transfer.progress(every: .seconds(3600)) {
                all.append(progress)
            }
            expectMonotonic(all)
            // The first and the last come in any case.
            #expect(all.count == 2)
        }

        @Test func iteratingAgainIsAnotherTransfer() async throws {
            server.route("/file", .response(body: "contents"))
            let transfer = dispatcher.download(for: URLRequest(url: server.url("/file")), to: folder["file"])
            #expect(server.requests.isEmpty)
            _ = transfer.makeAsyncIterator()
            for _ in 0..<2 { for try await _ in transfer {} }
            _ = try await transfer.response()
            #expect(server.requests.count == 3)
        }

        @Test func aReleasedDispatcherEndsItsTransfers() async throws {
            server.route("/file", .head(6), .send("abc"), .stall)
            var dispatcher: URLRequestDispatcher? = .forTests()
            let request = URLRequest(url: server.url("/file"))
            let transfer = try #require(dispatcher).download(for: request, to: folder["file"]).progress(every: .zero)
            var iterator = transfer.makeAsyncIterator()
            while case .progress(let progress)? = try await iterator.next(), progress.bytesReceived < 3 {}
            dispatcher = nil
            let error = try await failure { while try await iterator.next() != nil {} }
            #expect(TransportError.Code.shutDown ~= error, "\(error)")
            #expect(folder.listing == [])
            let late = try await failure { try await transfer.response() }
            #expect(TransportError.Code.shutDown ~= late, "\(late)")
            #expect(folder.listing == [])
        }
    }
}
