#if os(Linux)
import SuiteSupport
import PiuPiuTesting
import PiuPiuAsync
import TestSupport
import Testing

extension TransferNetworkTests {
    struct DownloadThreadsTests {
        /// How many threads the process has.
        private static func threadCount() throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("Threads:") }
            return try #require(line.flatMap { Int($0.split(separator: "\t").last ?? "") })
        }

        @Test("A thousand downloads at once need a few threads", .timeLimit(.generous))
        func threads() async throws {
            // In a process of its own, whose threads are all counted.
            await #expect(processExitsWith: .success) {
                // Each has a connection, whose other end is here too, and a file.
                let count = isSanitized ? 100 : 1000
                var limit = rlimit(rlim_cur: 8192, rlim_max: 8192)
                try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
                let server = try LoopbackServer()
                let folder = try DownloadFolder()
                let block = String(repeating: "x", count: 16_384)
                server.route("/file", .head(4 * block.utf8.count), .hold("all"), .repeat(block, count: 4))
                let dispatcher = URLRequestDispatcher.forTests {
                    $0.connections = ConnectionLimits(perHost: 8, total: 2000, streamsPerHost: 1000)
                }
                let downloads = Task {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for index in 0..<count {
                            group.addTask { try await dispatcher.save(server.url("/file"), to: folder["\(index)"]) }
                        }
                        try await group.waitForAll()
                    }
                }
                await server.waitUntilHeld("all", count: count)
                let isOver = Locked(false)
                let watch = Task {
                    var most = 0
                    while !isOver.withLock({ $0 }) {
                        most = max(most, try Self.threadCount())
                        try await Task.sleep(for: .milliseconds(1))
                    }
                    return most
                }
                server.release("all")
                try await downloads.value
                isOver.withLock { $0 = true }
                let most = try await watch.value
                #expect(most <= 32, "\(most) threads")
                #expect(folder.listing.count == count)
            }
        }
    }
}
#endif
