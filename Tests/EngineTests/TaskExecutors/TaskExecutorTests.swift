#if os(Linux)
import Glibc
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore
@testable import PiuPiuSockets

/// Tasks on the event loops of a dispatcher.
@Suite(.timeLimit(.generous))
struct TaskExecutorTests {
    /// Notes on which thread an interceptor runs.
    private struct ThreadNote: Interceptor {
        let isOnLoop: Locked<[Bool]>

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            isOnLoop.withLock { $0.append(CurrentLoop.executor != nil) }
            let response = try await next(request)
            isOnLoop.withLock { $0.append(CurrentLoop.executor != nil) }
            return response
        }
    }

    /// An actor that interceptors share, as those with a token do.
    private actor Tokens {
        private(set) var isOnLoop: [Bool] = []

        func token() -> String {
            isOnLoop.append(CurrentLoop.executor != nil)
            return "token"
        }
    }

    private struct WithToken: Interceptor {
        let tokens: Tokens

        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            let token = await tokens.token()
            #expect(CurrentLoop.executor != nil, "the interceptor has come back")
            var request = request
            request.urlRequest.setValue(token, forHTTPHeaderField: "X-Token")
            return try await next(request)
        }
    }

    private final class Events: ExchangeObserver {
        private let stored = Locked<[EventLoopEvent]>([])
        var all: [EventLoopEvent] { stored.withLock { $0 } }

        func observe(_ event: ExchangeEvent) {}
        func observe(_ event: EventLoopEvent) { stored.withLock { $0.append(event) } }
    }

    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
        server.route("/large", .response(body: String(repeating: "x", count: 3 << 20)))
        server.route("POST", "/", .response(body: "ok"))
        server.route("/silent", .hold("silent"), .stall)
    }

    private static func dispatcher(
        loops: Int = 1,
        interceptors: [any Interceptor] = [],
        observers: [any ExchangeObserver] = []
    ) -> URLRequestDispatcher {
        .forTests(interceptors: interceptors) {
            $0.transport.eventLoops = loops
            // Few descriptors: Foundation reads too far if a process with more than a thousand starts another.
            $0.connections = ConnectionLimits(perHost: 16, total: 32)
            $0.observers = observers
        }
    }

    /// Occupies the thread.
    private static func block(for duration: Duration) {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {}
    }

    @Test func aDispatcherHasAnExecutorForEachLoop() {
        let dispatcher = Self.dispatcher(loops: 3)
        #expect(dispatcher.taskExecutors.count == 3)
        let first = dispatcher.taskExecutors.map { $0.asUnownedTaskExecutor() }
        #expect(first == dispatcher.taskExecutors.map { $0.asUnownedTaskExecutor() }, "they are created once")
        let inTurn = (0..<4).map { _ in dispatcher.taskExecutor?.asUnownedTaskExecutor() }
        #expect(inTurn == [first[0], first[1], first[2], first[0]])
    }

    @Test func aTransportWithoutLoopsHasNoExecutor() async throws {
        let dispatcher = URLRequestDispatcher(transport: MockTransport { _ in MockAnswer(.ok) })
        #expect(dispatcher.taskExecutor == nil)
        #expect(dispatcher.taskExecutors.isEmpty)
        // `nil` is no preference.
        let value = await withTaskExecutorPreference(dispatcher.taskExecutor) { 1 }
        #expect(value == 1)
    }

    @Test func callersAndInterceptorsRunOnTheLoop() async throws {
        let notes = Locked<[Bool]>([])
        let dispatcher = Self.dispatcher(interceptors: [ThreadNote(isOnLoop: notes)])
        let url = server.url("/")
        try await withTaskExecutorPreference(dispatcher.taskExecutor) {
            await Task.yield()
            #expect(CurrentLoop.executor != nil)
            let response = try await dispatcher.data(from: url)
            #expect(response.data == Data("hello".utf8))
            #expect(CurrentLoop.executor != nil)
        }
        #expect(CurrentLoop.executor == nil)
        #expect(notes.withLock { $0 } == [true, true])
        await dispatcher.shutdown()
    }

    /// The work of an actor belongs to all its callers, who must not wait for a loop or for a driving caller.
    @Test func actorsDoNotRunOnTheLoop() async throws {
        let tokens = Tokens()
        let dispatcher = Self.dispatcher(interceptors: [WithToken(tokens: tokens)])
        let url = server.url("/")
        try await withTaskExecutorPreference(dispatcher.taskExecutor) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        _ = await tokens.token()
                        #expect(CurrentLoop.executor != nil)
                        _ = try await dispatcher.data(from: url)
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(await tokens.isOnLoop == Array(repeating: false, count: 200))
        await dispatcher.shutdown()
    }

    @Test func producersAndReadersOfBodiesRunOnTheLoop() async throws {
        let dispatcher = Self.dispatcher()
        let (url, large) = (server.url("/"), server.url("/large"))
        let notes = Locked<[Bool]>([])
        let pieces = AsyncStream<Data>(unfolding: {
            let count = notes.withLock {
                $0.append(CurrentLoop.executor != nil)
                return $0.count
            }
            return count > 5 ? nil : Data("piece".utf8)
        })
        try await withTaskExecutorPreference(dispatcher.taskExecutor) {
            let request = URLRequest(url: url, method: .post)
            let upload = dispatcher.upload(for: request, from: .stream(pieces))
            #expect(try await upload.response().data == Data("ok".utf8))
            var count = 0
            for try await chunk in try await dispatcher.stream(for: URLRequest(url: large)).data {
                #expect(CurrentLoop.executor != nil)
                count += chunk.count
            }
            #expect(count == 3 << 20)
        }
        #expect(notes.withLock { $0 } == Array(repeating: true, count: 6))
        await dispatcher.shutdown()
    }

    @Test func aTaskSendsOnTheLoopItRunsOn() async throws {
        let dispatcher = Self.dispatcher(loops: 3)
        let transport = try #require(dispatcher.core.transport as? SocketTransport)
        let url = server.url("/silent")
        for (index, executor) in dispatcher.taskExecutors.enumerated() {
            let task = Task(executorPreference: executor) { try await dispatcher.data(from: url) }
            let loop = transport.loops[index]
            while await loop.exchangeCount == 0 { await Task.yield() }
            // Here, a task gets the executor it has.
            let current = await withTaskExecutorPreference(executor) {
                await Task.yield()
                return dispatcher.taskExecutor?.asUnownedTaskExecutor()
            }
            #expect(current == executor.asUnownedTaskExecutor())
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        await dispatcher.shutdown()
    }

    @Test func tasksOfOneLoopCanWaitForEachOther() async throws {
        let dispatcher = Self.dispatcher()
        let url = server.url("/")
        let sum = try await withTaskExecutorPreference(dispatcher.taskExecutor) {
            let unstructured = Task(executorPreference: dispatcher.taskExecutor) {
                try await dispatcher.data(from: url).data?.count ?? 0
            }
            async let child = dispatcher.data(from: url).data?.count ?? 0
            let group = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<50 { group.addTask { try await dispatcher.data(from: url).data?.count ?? 0 } }
                return try await group.reduce(0, +)
            }
            return try await group + child + unstructured.value
        }
        #expect(sum == 52 * 5)
        await dispatcher.shutdown()
    }

    @Test func aJobThatTakesTooLongIsReported() async throws {
        let events = Events()
        let dispatcher = Self.dispatcher(loops: 2, observers: [events])
        let executor = dispatcher.taskExecutors[1]
        await withTaskExecutorPreference(executor) {
            await Task.yield()
            Self.block(for: .milliseconds(60))
            await Task.yield()
        }
        let event = try #require(events.all.first)
        #expect(event.loop == 1)
        guard case .heldUp(let duration) = event.kind else { return }
        #expect(duration >= .milliseconds(60))
        await dispatcher.shutdown()
    }

    @Test(arguments: [false, true])
    func aLimitEndsTheCallsOfOthersWhileAJobHoldsUpTheLoop(hasInterceptor: Bool) async throws {
        let notes = Locked<[Bool]>([])
        let dispatcher = Self.dispatcher(interceptors: hasInterceptor ? [ThreadNote(isOnLoop: notes)] : [])
        let url = server.url("/")
        let (entered, entering) = AsyncStream<Void>.makeStream()
        let isOver = DispatchSemaphore(value: 0)
        let job = Task(executorPreference: dispatcher.taskExecutor) {
            entering.yield()
            DispatchQueue.global().sync { isOver.wait() }
        }
        for await _ in entered { break }
        var options = dispatcher.configuration.options
        options.timeouts.total = .milliseconds(50)
        let error = await #expect(throws: TransportError.self) {
            try await dispatcher.data(from: url, options: options)
        }
        #expect(error?.code == .timeout(.total))
        isOver.signal()
        await job.value
        #expect(try await dispatcher.data(from: url).data?.count == 5)
        await dispatcher.shutdown()
    }

    @Test func theLastReferenceCanBeReleasedInAJob() async {
        let url = server.url("/silent")
        for _ in 0..<50 {
            var dispatcher: URLRequestDispatcher? = Self.dispatcher(loops: 2)
            weak let released = dispatcher
            let executors = dispatcher?.taskExecutors ?? []
            let others = (0..<10).map { number in
                Task(executorPreference: executors[number % 2]) { [weak dispatcher] in
                    await Task.yield()
                    _ = try? await dispatcher?.data(from: url)
                    return number
                }
            }
            let job = Task(executorPreference: executors[0]) { [held = dispatcher.take()] in
                await Task.yield()
                withExtendedLifetime(held) {}
            }
            await job.value
            var sum = 0
            for other in others {
                other.cancel()
                sum += await other.value
            }
            #expect(sum == 45)
            await until { released == nil }
        }
    }

    @Test func tasksGoOnAfterTheLoopHasEnded() async throws {
        let dispatcher = Self.dispatcher(loops: 2)
        let url = server.url("/")
        let executors = dispatcher.taskExecutors
        let gate = Gate()
        let tasks = (0..<100).map { number in
            Task(executorPreference: executors[number % 2]) {
                if number % 2 == 0 { _ = try await dispatcher.data(from: url) }
                try await gate.wait()
                for _ in 0..<number { await Task.yield() }
                return CurrentLoop.executor == nil
            }
        }
        await gate.arrival(of: 100)
        await withTaskExecutorPreference(executors[0]) {
            await Task.yield()
            await dispatcher.shutdown()
            let error = await #expect(throws: TransportError.self) { try await dispatcher.data(from: url) }
            #expect(error?.code == .shutDown)
        }
        gate.open()
        for task in tasks { #expect(try await task.value) }
    }

    /// Shutdowns and releases at any moment lose no job.
    @Test(arguments: 0..<4)
    func everyJobRunsWheneverTheLoopEnds(seed: Int) async {
        var random = SeededRandom(seed: UInt64(seed))
        let url = server.url("/")
        for _ in 0..<25 {
            let dispatcher = Self.dispatcher(loops: 2)
            let executors = dispatcher.taskExecutors
            let yields = Int.random(in: 0..<60, using: &random)
            let count = await withTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    group.addTask(executorPreference: executors[number % 2]) {
                        for _ in 0..<number { await Task.yield() }
                        _ = try? await dispatcher.data(from: url)
                        for _ in 0..<number { await Task.yield() }
                        return 1
                    }
                }
                group.addTask {
                    for _ in 0..<yields { await Task.yield() }
                    if yields % 2 == 0 { dispatcher.invalidateAndCancel() } else { await dispatcher.shutdown() }
                    return 1
                }
                return await group.reduce(0, +)
            }
            #expect(count == 41)
        }
    }

    @Test(arguments: 0..<3)
    func aStormOnTheLoopsLosesNothing(seed: Int) async {
        let dispatcher = Self.dispatcher(loops: 2)
        let urls = [server.url("/"), server.url("/large")]
        let failures = await withTaskExecutorPreference(dispatcher.taskExecutor) {
            await storm(1_000, seed: seed, of: dispatcher, to: urls)
        }
        #expect(failures == [])
        await dispatcher.shutdown()
    }
}
#endif
