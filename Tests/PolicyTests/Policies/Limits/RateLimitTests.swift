import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

@Suite(.timeLimit(.generous)) struct RateLimitTests {
    private let clock = ManualClock()

    private func dispatcher(
        _ interceptors: any Interceptor...,
        total: Duration? = nil,
        answer: @escaping MockTransport.Answer = { _ in MockAnswer(.ok, body: "ok") }
    ) -> MockURLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.timeouts = Timeouts(idle: nil, total: total)
        return MockURLRequestDispatcher(
            transport: MockTransport(clock: clock, answer: answer),
            configuration: configuration,
            interceptors: interceptors
        )
    }

    /// Starts a request that has to wait.
    private func waiting(
        _ dispatcher: MockURLRequestDispatcher,
        _ limit: RateLimit,
        _ path: String
    ) async -> Task<Response<Data?>, any Error> {
        let count = limit.waitingCount
        let task = Task { try await dispatcher.data(from: Fixture.url("https://example.com\(path)")) }
        await until { limit.waitingCount > count }
        return task
    }

    @Test func requestsWaitInOrderWithOneTimer() async throws {
        let limit = RateLimit(10, burst: 1)
        let dispatcher = dispatcher(limit)
        _ = try await dispatcher.data(from: Fixture.url("https://example.com/0"))
        var calls: [Task<Response<Data?>, any Error>] = []
        for index in 1...3 { calls.append(await waiting(dispatcher, limit, "/\(index)")) }
        for index in 1...3 {
            await clock.sleeper(until: .milliseconds(100 * index))
            #expect(clock.deadlines == [.milliseconds(100 * index)])
            #expect(dispatcher.requests.count == index)
            clock.advance(by: .milliseconds(100))
            #expect(try await calls[index - 1].value.statusCode == .ok)
        }
        #expect(dispatcher.requests.map(\.path) == ["/0", "/1", "/2", "/3"])
        #expect(limit.waitingCount == 0)
        #expect(clock.deadlines.isEmpty)
    }

    @Test func cancellingTheFirstInLineLetsTheNextOneTakeItsPlace() async throws {
        let limit = RateLimit(10, burst: 1)
        let dispatcher = dispatcher(limit)
        _ = try await dispatcher.data(for: Fixture.request)
        let first = await waiting(dispatcher, limit, "/1")
        let second = await waiting(dispatcher, limit, "/2")
        await clock.sleeper(until: .milliseconds(100))
        let sleeps = clock.sleepCount
        first.cancel()
        #expect(try await failure { try await first.value } is CancellationError)
        await clock.sleeps(sleeps + 1)
        #expect(clock.deadlines == [.milliseconds(100)])
        clock.advance(by: .milliseconds(100))
        #expect(try await second.value.statusCode == .ok)
        #expect(limit.waitingCount == 0)
    }

    @Test func aCancelledRequestEndsAtOnceAndTakesNoToken() async throws {
        let limit = RateLimit(10, burst: 1)
        let dispatcher = dispatcher(limit)
        _ = try await dispatcher.data(for: Fixture.request)
        let first = await waiting(dispatcher, limit, "/1")
        let second = await waiting(dispatcher, limit, "/2")
        let third = await waiting(dispatcher, limit, "/3")
        second.cancel()
        #expect(try await failure { try await second.value } is CancellationError)
        #expect(limit.waitingCount == 2)
        for (index, call) in [first, third].enumerated() {
            await clock.sleeper(until: .milliseconds(100 * (index + 1)))
            clock.advance(by: .milliseconds(100))
            #expect(try await call.value.statusCode == .ok)
        }
        #expect(dispatcher.requests.map(\.path) == ["/posts/1", "/1", "/3"])
    }

    /// Cancels the call of one path, before it goes on.
    private struct Canceller: PromptInterceptor {
        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            if request.urlRequest.url?.path() == "/1" { withUnsafeCurrentTask { $0?.cancel() } }
            return try await next(request)
        }
    }

    @Test func aCallThatIsCancelledBeforeItWaitsHoldsNobodyUp() async throws {
        let limit = RateLimit(10, burst: 1)
        let dispatcher = dispatcher(Canceller(), limit)
        _ = try await dispatcher.data(for: Fixture.request)
        let cancelled = Task { try await dispatcher.data(from: Fixture.url("https://example.com/1")) }
        #expect(try await failure { try await cancelled.value } is CancellationError)
        #expect(limit.waitingCount == 0)
        let second = await waiting(dispatcher, limit, "/2")
        await clock.sleeper(until: .milliseconds(100))
        clock.advance(by: .milliseconds(100))
        #expect(try await second.value.statusCode == .ok)
        #expect(dispatcher.requests.map(\.path) == ["/posts/1", "/2"])
    }

    @Test func aWaitBeyondTheDeadlineIsRefusedAtOnce() async throws {
        let dispatcher = dispatcher(RateLimit(1, per: .seconds(10), burst: 1), total: .seconds(3))
        _ = try await dispatcher.data(for: Fixture.request)
        let error = try await failure {
            try await dispatcher.data(from: Fixture.url("https://user:pw@EXAMPLE.com/a?token=1"))
        }
        let refusal = try #require(error as? LimitError)
        #expect(refusal.limit == .rate && refusal.reason == .deadline && refusal.wait == .seconds(10))
        #expect(refusal.origin == "https://example.com:443" && refusal.target == "GET https://EXAMPLE.com/a")
        #expect(dispatcher.requests.count == 1)
        for hidden in ["token", "pw"] { #expect(!Fixture.allTexts(of: error).contains(hidden)) }
        #expect(
            "\(error)"
                == "The rate limit for https://example.com:443 is reached, and the call has no time to wait "
                + "(GET https://EXAMPLE.com/a, the wait would be 10 seconds)"
        )
    }

    @Test func aFullQueueAndALongWaitAreRefused() async throws {
        let full = dispatcher(RateLimit(10, burst: 1, maximumWaiting: 0))
        _ = try await full.data(for: Fixture.request)
        let refusal = try await failure { try await full.data(for: Fixture.request) } as? LimitError
        #expect(refusal?.reason == .queueFull)
        let impatient = dispatcher(RateLimit(10, burst: 1, maximumWait: .milliseconds(99)))
        _ = try await impatient.data(for: Fixture.request)
        let second = try await failure { try await impatient.data(for: Fixture.request) } as? LimitError
        #expect(second?.reason == .waitTooLong)
        #expect(second?.wait == .milliseconds(100))
    }

    @Test func scopesSeparateRequests() async throws {
        let byOrigin = dispatcher(RateLimit(1, burst: 1, scope: .origin, maximumWaiting: 0))
        for url in ["https://a.example/1", "https://b.example/", "http://a.example/", "https://a.example:8443/"] {
            _ = try await byOrigin.data(from: Fixture.url(url))
        }
        _ = await #expect(throws: LimitError.self) {
            try await byOrigin.data(from: Fixture.url("https://A.example:443/2"))
        }
        let byKey = dispatcher(
            RateLimit(
                1,
                burst: 1,
                scope: .key { $0.urlRequest.value(forHTTPHeaderField: "X-Tenant") },
                maximumWaiting: 0
            )
        )
        for tenant in [nil, nil, "a", "b"] {
            _ = try await byKey.data(
                for: URLRequest("GET", Fixture.url, headers: tenant.map { ["X-Tenant": $0] } ?? [:])
            )
        }
        _ = await #expect(throws: LimitError.self) {
            try await byKey.data(for: URLRequest("GET", Fixture.url, headers: ["X-Tenant": "b"]))
        }
    }

    @Test func everyRequestOfARedirectChainCounts() async throws {
        let dispatcher = dispatcher(RateLimit(3, burst: 3, maximumWaiting: 0)) { request in
            request.path == "/posts/1" ? MockAnswer(.found, headers: ["Location": "/new"]) : MockAnswer(.ok)
        }
        _ = try await dispatcher.data(for: Fixture.request)
        let error = try await failure { try await dispatcher.data(for: Fixture.request) }
        #expect(error is LimitError)
        #expect(dispatcher.requests.count == 3)
    }

    @Test func dataUploadsStreamsAndDownloadsShareTheLimit() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "file")
        let limit = RateLimit(10, burst: 1)
        let dispatcher = dispatcher(limit)
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await dispatcher.data(for: Fixture.request) },
            {
                _ = try await dispatcher.upload(for: URLRequest("POST", Fixture.url), from: .data(Data("a".utf8)))
                    .response()
            },
            {
                let body = try await dispatcher.stream(for: Fixture.request).data
                #expect(try await body.collect(upTo: 100) == Data("ok".utf8))
            },
            { _ = try await dispatcher.download(for: Fixture.request, to: file).response() },
        ]
        try await calls[0]()
        for (index, call) in calls.enumerated() {
            let task = Task { try await call() }
            await clock.sleeper(until: .milliseconds(100 * (index + 1)))
            clock.advance(by: .milliseconds(100))
            try await task.value
        }
        #expect(dispatcher.requests.count == 5)
    }

    @Test func aThousandRequestsWithRandomCancellationEndOnceAndLeaveNothing() async throws {
        let flight = Flight()
        let limit = RateLimit(50_000, burst: 10, scope: .origin, maximumWaiting: 2000)
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport { _ in
                flight.begin()
                return MockAnswer(.ok)
            },
            interceptors: [limit]
        )
        let outcomes = Locked((succeeded: 0, cancelled: 0))
        await withTaskGroup { group in
            for index in 0..<1000 {
                group.addTask {
                    let call = Task {
                        try await dispatcher.data(from: Fixture.url("https://\(index % 3).example/"))
                    }
                    if index % 3 == 0 {
                        for _ in 0..<(index % 50) { await Task.yield() }
                        call.cancel()
                    }
                    do {
                        _ = try await call.value
                        outcomes.withLock { $0.succeeded += 1 }
                    } catch is CancellationError {
                        outcomes.withLock { $0.cancelled += 1 }
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        let (succeeded, cancelled) = outcomes.withLock { ($0.succeeded, $0.cancelled) }
        #expect(succeeded + cancelled == 1000)
        #expect(succeeded >= 666)
        #expect(flight.total >= succeeded)
        #expect(limit.waitingCount == 0)
    }
}
