import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

/// The samples of the article on event loops.
struct TaskExecutorSamplesTests {
    private struct Post: Decodable, Sendable { var id: Int }

    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/posts", .response(headers: ["Content-Type": "application/json"], body: #"[{"id":7}]"#))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func tasksOnTheLoop() async throws {
        let dispatcher = URLRequestDispatcher.forTests()
        let urls = (0..<10).map { _ in server.url("/posts") }
        let total = try await withTaskExecutorPreference(dispatcher.taskExecutor) {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for url in urls { group.addTask { try await dispatcher.data(from: url).data?.count ?? 0 } }
                var total = 0
                for try await count in group { total += count }
                return total
            }
        }
        #expect(total == 100)
        await dispatcher.shutdown()
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func tasksOnSeveralLoops() async throws {
        let dispatcher = URLRequestDispatcher.forTests { $0.transport.eventLoops = 2 }
        let url = server.url("/posts")
        let crawled = Locked<[Int]>([])
        @Sendable func crawl(_ part: Int) async throws {
            _ = try await dispatcher.data(from: url)
            crawled.withLock { $0.append(part) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (part, executor) in dispatcher.taskExecutors.enumerated() {
                group.addTask(executorPreference: executor) { try await crawl(part) }
            }
            try await group.waitForAll()
        }
        #expect(crawled.withLock { $0.sorted() } == Array(dispatcher.taskExecutors.indices))
        await dispatcher.shutdown()
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aCallOnTheLoop() async throws {
        let api = URLRequestDispatcher(baseURL: server.baseURL) { $0.transport.proxy = .none }
        let posts: [Post] = try await withTaskExecutorPreference(api.taskExecutor) {
            try await api.get("/posts")
        }
        #expect(posts.first?.id == 7)
        await api.shutdown()
    }
}
