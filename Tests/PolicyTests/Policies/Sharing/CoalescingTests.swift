import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@Suite(.timeLimit(.generous)) struct CoalescingTests {
    @TaskLocal private static var user = "nobody"

    private let gate = Gate()
    private let policy = Coalescing()

    private func held(_ body: String = "shared") -> ScriptedTransport {
        ScriptedTransport { [gate] request in
            try await gate.wait()
            return .scripted(200, for: request, body: body)
        }
    }

    // MARK: Sharing

    @Test func aThousandEqualRequestsAreOneExchange() async throws {
        let transport = held()
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let calls = (0..<1000).map { _ in Task { try await dispatcher.data(for: Fixture.request).decodeString() } }
        await policy.waiters(1000)
        gate.open()
        for call in calls { #expect(try await call.value == "shared") }
        #expect(transport.requests.count == 1)
        #expect(policy.waiterCount == 0)
    }

    @Test func differentRequestsHaveExchangesOfTheirOwn() async throws {
        let transport = held()
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let users = ["a", "b", "a", "c"].map { user in
            Task { try await dispatcher.data(for: URLRequest("GET", Fixture.url, headers: ["Authorization": user])) }
        }
        await policy.waiters(4)
        gate.open()
        var answered: [String] = []
        for user in users {
            answered.append(try await user.value.urlRequest.value(forHTTPHeaderField: "Authorization") ?? "")
        }
        #expect(answered == ["a", "b", "a", "c"])
        #expect(transport.requests.count == 3)
    }

    @Test func aRequestAfterTheEndBeginsANewExchange() async throws {
        gate.open()
        let transport = held()
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        for _ in 0..<3 { _ = try await dispatcher.data(for: Fixture.request) }
        #expect(transport.requests.count == 3)
    }

    @Test func theBodyIsNotCopied() async throws {
        let body = Data(repeating: 0x61, count: 10 << 20)
        let transport = MockTransport(clock: ContinuousClock()) { [gate] _ in
            try await gate.wait()
            return MockAnswer(.ok, body: body)
        }
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let calls = (0..<100).map { _ in Task { try await dispatcher.data(for: Fixture.request) } }
        await policy.waiters(100)
        gate.open()
        var responses: [Response<Data?>] = []
        for call in calls { responses.append(try await call.value) }
        let addresses = responses.map { $0.data?.withUnsafeBytes { $0.baseAddress.map { Int(bitPattern: $0) } } }
        #expect(Set(addresses).count == 1)
        #expect(responses.allSatisfy { $0.data?.count == 10 << 20 })
    }

    @Test func everyoneSeesTheRequestThatWasSent() async throws {
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: held())
        let calls = Locked<[Task<String?, any Error>]>([])
        for id in ["first", "second"] {
            let call = Task {
                try await dispatcher.data(for: URLRequest("GET", Fixture.url, headers: ["X-Request-ID": id]))
                    .urlRequest.value(forHTTPHeaderField: "X-Request-ID")
            }
            calls.withLock { $0.append(call) }
            await policy.waiters(id == "first" ? 1 : 2)
        }
        gate.open()
        for call in calls.withLock({ $0 }) { #expect(try await call.value == "first") }
    }

    @Test func errorsAreShared() async throws {
        let transport = ScriptedTransport { [gate] _ in
            try await gate.wait()
            throw TransportError(.connectionLost)
        }
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let calls = (0..<5).map { _ in Task { try await dispatcher.data(for: Fixture.request) } }
        await policy.waiters(5)
        gate.open()
        for call in calls {
            let error = try await failure { try await call.value }
            #expect(TransportError.Code.connectionLost ~= error)
        }
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [true, false]) func attemptsAreEachCallsOwn(fails: Bool) async throws {
        let retried = Attempt(number: 2, cause: .status(.serviceUnavailable))
        let hedged: [Attempt] = [.first, Attempt(number: 2, cause: .hedge)]
        let inner = Intercepting(distinguishesCallers: false) { [gate] request, _ in
            try await gate.wait()
            request.beginAttempt(.hedge)
            if fails { throw TransportError(.connectionLost) }
            return .scripted(200, for: request)
        }
        let chain = InterceptorChain([policy, inner], transport: held())
        let attempts: @Sendable (TransportRequest) async -> [Attempt] = { request in
            _ = try? await chain(request)
            return request.attempts
        }
        let first = Task { await attempts(TransportRequest(Fixture.request)) }
        await policy.waiters(1)
        let other = TransportRequest(Fixture.request)
        other.beginAttempt(retried.cause)
        let second = Task { await attempts(other) }
        await policy.waiters(2)
        gate.open()
        #expect(await first.value == hedged)
        #expect(await second.value == [.first, retried, Attempt(number: 3, cause: .hedge)])
    }

    @Test func theExchangeHasTheTaskLocalsAndThePriorityOfTheFirstCall() async throws {
        let seen = Locked<[String]>([])
        let inner = Intercepting(distinguishesCallers: false) { [gate] request, next in
            seen.withLock { $0.append("\(Self.user) \(Task.currentPriority == .background)") }
            try await gate.wait()
            return try await next(request)
        }
        let dispatcher = URLRequestDispatcher(interceptors: [policy, inner], transport: held())
        let first = Self.$user.withValue("first") {
            Task(priority: .background) { _ = try await dispatcher.data(for: Fixture.request) }
        }
        await policy.waiters(1)
        await gate.arrival()
        let second = Self.$user.withValue("second") { Task { try await dispatcher.data(for: Fixture.request) } }
        await policy.waiters(2)
        gate.open()
        _ = try await second.value
        try await first.value
        #expect(seen.withLock { $0 } == ["first true"])
    }

    @Test func eachCallReportsTheProgressOfTheExchange() async throws {
        let clock = ManualClock()
        let transport = MockTransport(clock: clock) { _ in
            MockAnswer(.ok, pieces: ["abc", .init("defg", after: .seconds(1))])
        }
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let progress = Locked([TransferProgress(direction: .receiving), TransferProgress(direction: .receiving)])
        func call(_ index: Int) -> Task<Data?, any Error> {
            let reporter = TransferReporter { change in progress.withLock { change(&$0[index]) } }
            return Task { try await dispatcher.core.data(for: Fixture.request, reporter: reporter).data }
        }
        let first = call(0)
        await clock.sleeper(until: .seconds(1))
        let second = call(1)
        await policy.waiters(2)
        while progress.withLock({ $0[1].bytesReceived }) == 0 { await Task.yield() }
        #expect(progress.withLock { $0.map(\.bytesReceived) } == [3, 3])
        #expect(progress.withLock { $0.map(\.bytesToReceive) } == [7, 7])
        clock.advance(by: .seconds(1))
        #expect(try await first.value == Data("abcdefg".utf8))
        #expect(try await second.value == Data("abcdefg".utf8))
        #expect(progress.withLock { $0.map(\.bytesReceived) } == [7, 7])
        #expect(transport.requests.count == 1)
    }

    // MARK: What does not share

    @Test func streamsDownloadsAndUploadsHaveExchangesOfTheirOwn() async throws {
        let transport = MockTransport { _ in MockAnswer(.ok, body: "body") }
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let folder = try DownloadFolder()
        async let one = dispatcher.stream(for: Fixture.request).data.collect(upTo: 10)
        async let two = dispatcher.stream(for: Fixture.request).data.collect(upTo: 10)
        #expect(try await [one, two] == [Data("body".utf8), Data("body".utf8)])
        async let three = dispatcher.download(for: Fixture.request, to: folder["a"]).response().statusCode
        async let four = dispatcher.download(for: Fixture.request, to: folder["b"]).response().statusCode
        #expect(try await [three, four] == [.ok, .ok])
        let post = URLRequest(url: Fixture.url, method: .post)
        _ = try await dispatcher.upload(for: post, from: .data(Data("a".utf8))).response()
        #expect(transport.requests.count == 5)
    }

    @Test func twoDispatchersShareNothing() async throws {
        let transport = held()
        let dispatchers = (0..<2).map { _ in URLRequestDispatcher(interceptors: [policy], transport: transport) }
        let calls = dispatchers.map { dispatcher in Task { try await dispatcher.data(for: Fixture.request) } }
        await policy.waiters(2)
        gate.open()
        for call in calls { _ = try await call.value }
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "MOVE", "OPTIONS"])
    func aRequestAfterAWriteSeesIt(method: String) async throws {
        let transport = ScriptedTransport { [gate] request in
            if request.urlRequest.httpMethod == "GET" { try await gate.wait() }
            if request.urlRequest.httpMethod == "PUT" { throw TransportError(.connectionLost) }
            return .scripted(200, for: request)
        }
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let before = Task { try await dispatcher.data(for: Fixture.request) }
        await policy.waiters(1)
        let elsewhere = URLRequest(method, Fixture.url("https://other.example/"))
        _ = try await dispatcher.data(
            for: method == "PUT" ? URLRequest("POST", elsewhere.url ?? Fixture.url) : elsewhere
        )
        let joined = Task { try await dispatcher.data(for: Fixture.request) }
        await policy.waiters(2)
        _ = try? await dispatcher.data(for: URLRequest(method, Fixture.url("https://EXAMPLE.com:443/elsewhere")))
        let after = Task { try await dispatcher.data(for: Fixture.request) }
        await policy.waiters(3)
        gate.open()
        for call in [before, joined, after] { _ = try await call.value }
        let fetches = transport.requests.count { $0.urlRequest.httpMethod == "GET" }
        #expect(fetches == (method == "OPTIONS" ? 1 : 2))
    }

    @Test func anExchangeDoesNotWaitForItself() async throws {
        let policy = Coalescing()
        let own = Locked<URLRequestDispatcher?>(nil)
        let nested = Intercepting(distinguishesCallers: false) { request, next in
            if request.urlRequest.value(forHTTPHeaderField: "X-Request-ID") == nil, let own = own.withLock({ $0 }) {
                var inner = request.urlRequest
                inner.setValue("inner", forHTTPHeaderField: "X-Request-ID")
                _ = try await own.data(for: inner)
            }
            return try await next(request)
        }
        let transport = ScriptedTransport { .scripted(200, for: $0) }
        let dispatcher = URLRequestDispatcher(interceptors: [policy, nested], transport: transport)
        own.withLock { $0 = dispatcher }
        _ = try await dispatcher.data(for: Fixture.request)
        #expect(transport.requests.count == 2)
        own.withLock { $0 = nil }
    }

    @Test func twoExchangesDoNotWaitForEachOther() async throws {
        let policy = Coalescing()
        let own = Locked<URLRequestDispatcher?>(nil)
        let both = Gate()
        let paths = ["/a", "/b"].map { Fixture.url("https://example.com\($0)") }
        let nested = Intercepting(distinguishesCallers: false) { request, next in
            if request.urlRequest.value(forHTTPHeaderField: "X-Request-ID") == nil, let own = own.withLock({ $0 }) {
                try await both.wait()
                let other = paths[request.urlRequest.url == paths[0] ? 1 : 0]
                _ = try await own.data(for: URLRequest("GET", other, headers: ["X-Request-ID": "inner"]))
            }
            return try await next(request)
        }
        let transport = ScriptedTransport { .scripted(200, for: $0) }
        let dispatcher = URLRequestDispatcher(interceptors: [policy, nested], transport: transport)
        own.withLock { $0 = dispatcher }
        let calls = paths.map { url in Task { try await dispatcher.data(from: url) } }
        await both.arrival(of: 2)
        both.open()
        for call in calls { _ = try await call.value }
        #expect(transport.requests.count == 4)
        own.withLock { $0 = nil }
    }
}
