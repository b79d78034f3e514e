#if os(Linux)
import PiuPiuAsync
import SuiteSupport
import Glibc
import TestSupport
import Testing

/// Files are not read on the thread of the caller.
@Suite(.timeLimit(.generous)) struct FileThreadTests {
    /// An actor with a thread to itself, whose reads can be counted.
    private actor Caller {
        private final class Executor: SerialExecutor {
            private let condition = NSCondition()
            nonisolated(unsafe) private var queue: [UnownedJob] = []
            nonisolated(unsafe) private var isOver = false

            init() {
                Thread.detachNewThread { [self] in run() }
            }

            private func run() {
                while true {
                    condition.lock()
                    while queue.isEmpty, !isOver { condition.wait() }
                    guard !queue.isEmpty else { return condition.unlock() }
                    let job = queue.removeFirst()
                    condition.unlock()
                    job.runSynchronously(on: asUnownedSerialExecutor())
                }
            }

            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                condition.lock()
                queue.append(job)
                condition.signal()
                condition.unlock()
            }

            func stop() {
                condition.lock()
                isOver = true
                condition.signal()
                condition.unlock()
            }
        }

        private let executor = Executor()

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        deinit { executor.stop() }

        /// How many bytes were read on the actor's thread while an operation ran.
        func bytesRead(_ operation: @Sendable (isolated Caller) async throws -> Void) async throws -> Int {
            let before = Self.bytesReadOnThisThread()
            try await operation(self)
            return Self.bytesReadOnThisThread() - before
        }

        private static func bytesReadOnThisThread() -> Int {
            let text = (try? String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("rchar:") }
            return line.flatMap { Int($0.dropFirst(6).trimmingCharacters(in: .whitespaces)) } ?? 0
        }
    }

    private static let isCounted = FileManager.default.fileExists(atPath: "/proc/thread-self/io")

    @Test(.enabled(if: isCounted)) func aFileIsCollectedElsewhere() async throws {
        let folder = try DownloadFolder()
        let file = try folder.write("file", Data(repeating: 0x61, count: 1 << 20))
        let read = try await Caller().bytesRead { _ in
            let data = try await RequestBody.file(file).collect(upTo: 1 << 21)
            #expect(data.count == 1 << 20)
        }
        #expect(read < 1 << 16)
    }

    // A file without a length is read when it is looked at.
    @Test(.enabled(if: isCounted)) func aRequestLooksAtItsFilesElsewhere() async throws {
        let file = URL(filePath: "/proc/self/maps")
        let length = Int((try? RequestBody.file(file).resolved().length) ?? 0)
        try #require(length > 16_000)
        let request = URLRequest(url: Fixture.url, method: .post)
        let read = try await Caller().bytesRead { _ in
            var transport = TransportRequest(request)
            transport.body = .file(file)
            _ = try await PreparedRequest.make(transport, userAgent: nil)
        }
        #expect(read < length / 2)
    }

    @Test(.enabled(if: isCounted)) func aTransferLooksAtItsFilesElsewhere() async throws {
        let file = URL(filePath: "/proc/self/maps")
        let length = Int((try? RequestBody.file(file).resolved().length) ?? 0)
        try #require(length > 16_000)
        let dispatcher = URLRequestDispatcher(transport: ScriptedTransport { .scripted(200, for: $0) })
        let request = URLRequest(url: Fixture.url, method: .post)
        let read = try await Caller().bytesRead { _ in
            var events = dispatcher.upload(for: request, from: .file(file)).makeAsyncIterator()
            guard case .progress(let progress) = try await events.next() else {
                Issue.record("There is no progress at the start")
                return
            }
            #expect(progress.bytesToSend ?? 0 > 16_000)
        }
        #expect(read < length / 2)
    }
}
#endif
