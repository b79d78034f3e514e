import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

@Suite(.timeLimit(.generous)) struct ConcurrencyLimitTests {
    private let clock = ManualClock()

    private func dispatcher(
        _ interceptors: any Interceptor...,
        answer: @escaping MockTransport.Answer
    ) -> MockURLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.timeouts = Timeouts(idle: nil)
        return MockURLRequestDispatcher(
            transport: MockTransport(clock: clock, answer: answer),
            configuration: configuration,
            interceptors: interceptors
        )
    }

    /// Starts a request that has to wait.
    private func waiting(
        _ dispatcher: MockURLRequestDispatcher,
        _ limit: ConcurrencyLimit,
        _ path: String,
        _ priority: TaskPriority? = nil
    ) async -> Task<Response<Data?>, any Error> {
        let count = limit.waitingCount
        let task = Task(priority: priority) {
            try await dispatcher.data(from: Fixture.url("https://example.com\(path)"))
        }
        await until { limit.waitingCount > count }
        return task
    }

    @Test func requestsBeyondTheLimitWaitInOrder() async throws {
        let gates = (0..<4).map { _ in Gate() }
        let limit = ConcurrencyLimit(1)
        let dispatcher = dispatcher(limit) { request in
            try await gates[Int(request.path.dropFirst()) ?? 0].wait()
            return MockAnswer(.ok)
        }
        let first = Task { try await dispatcher.data(from: Fixture.url("https://example.com/0")) }
        await gates[0].arrival()
        var calls = [first]
        for index in 1...3 { calls.append(await waiting(dispatcher, limit, "/\(index)")) }
        for index in 0...3 {
            await gates[index].arrival()
            #expect(dispatcher.requests.count == index + 1)
            #expect(limit.usage().inFlight == 1)
            gates[index].open()
            #expect(try await calls[index].value.statusCode == .ok)
        }
        #expect(limit.usage().inFlight == 0)
    }

    @Test func thePriorityOfTheTaskOrTheClosureDecides() async throws {
        let byTask = ConcurrencyLimit(1)
        let byClosure = ConcurrencyLimit(1) { request in
            request.urlRequest.url?.path() == "/high" ? .high : .low
        }
        for limit in [byTask, byClosure] {
            let gate = Gate()
            let dispatcher = dispatcher(limit) { _ in
                try await gate.wait()
                return MockAnswer(.ok)
            }
            let first = Task { try await dispatcher.data(from: Fixture.url("https://example.com/first")) }
            _ = try await dispatcher.requests(atLeast: 1)
            let low = await waiting(dispatcher, limit, "/low", .low)
            let high = await waiting(dispatcher, limit, "/high", .high)
            gate.open()
            for call in [first, low, high] { _ = try await call.value }
            #expect(dispatcher.requests.map(\.path) == ["/first", "/high", "/low"])
        }
    }

    @Test func aStreamKeepsItsPermitUntilItsEnd() async throws {
        let limit = ConcurrencyLimit(1)
        let dispatcher = dispatcher(limit) { _ in MockAnswer(.ok, pieces: ["one", "two"]) }
        let body = try await dispatcher.stream(for: Fixture.request).data
        #expect(limit.usage().inFlight == 1)
        let second = await waiting(dispatcher, limit, "/2")
        #expect(try await body.collect(upTo: 100) == Data("onetwo".utf8))
        #expect(try await second.value.statusCode == .ok)
        #expect(limit.usage().inFlight == 0)
    }

    @Test func aStreamThatIsDroppedFailsOrIsCancelledReleasesItsPermit() async throws {
        let limit = ConcurrencyLimit(1)
        let dispatcher = dispatcher(limit) { request in
            request.path == "/broken"
                ? MockAnswer(.ok, pieces: ["one"], ending: .failure(TransportError(.connectionLost)))
                : MockAnswer(.ok, pieces: ["one"], ending: .hang)
        }
        var body: ResponseBody? = try await dispatcher.stream(for: Fixture.request).data
        #expect(limit.usage().inFlight == 1)
        withExtendedLifetime(body) {}
        body = nil
        await until { limit.usage().inFlight == 0 }
        let broken = try await dispatcher.stream(
            for: URLRequest(url: Fixture.url("https://example.com/broken"))
        ).data
        #expect(limit.usage().inFlight == 1)
        _ = try await failure { try await broken.collect(upTo: 100) }
        #expect(limit.usage().inFlight == 0)
        let hung = try await dispatcher.stream(for: Fixture.request).data
        let reader = Task { try await hung.collect(upTo: 100) }
        reader.cancel()
        #expect(try await failure { try await reader.value } is CancellationError)
        await until { limit.usage().inFlight == 0 }
    }

    @Test func errorsAndCancellationReleaseThePermit() async throws {
        let limit = ConcurrencyLimit(1)
        let dispatcher = dispatcher(limit) { request in
            request.path == "/hang" ? .hang : .failure(TransportError(.connectionLost))
        }
        _ = try await failure { try await dispatcher.data(for: Fixture.request) }
        #expect(limit.usage().inFlight == 0)
        let hung = Task { try await dispatcher.data(from: Fixture.url("https://example.com/hang")) }
        _ = try await dispatcher.requests(atLeast: 2)
        let waiter = await waiting(dispatcher, limit, "/next")
        hung.cancel()
        #expect(try await failure { try await hung.value } is CancellationError)
        #expect(TransportError.Code.connectionLost ~= (try await failure { try await waiter.value }))
        #expect(limit.usage().inFlight == 0)
    }

    @Test func aWaitThatIsTooLongAndAFullQueueAreRefused() async throws {
        let limit = ConcurrencyLimit(1, scope: .origin, maximumWaiting: 1, maximumWait: .seconds(2))
        let dispatcher = dispatcher(limit) { _ in .hang }
        let hung = Task { try await dispatcher.data(for: Fixture.request) }
        _ = try await dispatcher.requests(atLeast: 1)
        let waiter = await waiting(dispatcher, limit, "/waiter")
        let refused = try await failure { try await dispatcher.data(for: Fixture.request) }
        let origin = "https://example.com:443"
        #expect(
            refused as? LimitError
                == LimitError(.concurrency, .queueFull, TransportRequest(Fixture.request), wait: nil, bound: "1")
        )
        await clock.sleeper(until: .seconds(2))
        clock.advance(by: .seconds(2))
        let expired = try await failure { try await waiter.value }
        let expiry = try #require(expired as? LimitError)
        #expect(expiry.reason == .waitTooLong && expiry.origin == origin && expiry.wait == .seconds(2))
        #expect(expiry.description.hasSuffix("it was 2 seconds; ConcurrencyLimit.maximumWait is 2 seconds)"))
        #expect(limit.waitingCount == 0)
        hung.cancel()
        _ = await hung.result
        #expect(limit.usage(of: origin).inFlight == 0)
    }

    @Test(arguments: [Duration.seconds(-1), .zero, .seconds(Int64.max), .seconds(Int64.min)])
    func anyMaximumWaitIsTolerated(maximumWait: Duration) async throws {
        let limit = ConcurrencyLimit(1, maximumWait: maximumWait)
        let gate = Gate()
        let dispatcher = dispatcher(limit) { _ in
            try await gate.wait()
            return MockAnswer(.ok)
        }
        let first = Task { try await dispatcher.data(for: Fixture.request) }
        await gate.arrival()
        if maximumWait > .zero {
            let second = await waiting(dispatcher, limit, "/2")
            gate.open()
            #expect(try await second.value.statusCode == .ok)
        } else {
            #expect(try await failure { try await dispatcher.data(for: Fixture.request) } is LimitError)
            gate.open()
        }
        _ = try await first.value
    }

    @Test func everyHopOfARedirectHasAPermitOfItsOwn() async throws {
        let flight = Flight()
        let limit = ConcurrencyLimit(1)
        let dispatcher = dispatcher(limit) { request in
            flight.begin()
            return request.path == "/posts/1" ? MockAnswer(.found, headers: ["Location": "/new"]) : MockAnswer(.ok)
        }
        #expect(try await dispatcher.data(for: Fixture.request).statusCode == .ok)
        #expect(try await dispatcher.stream(for: Fixture.request).data.collect(upTo: 10).isEmpty)
        #expect(flight.total == 4)
        #expect(limit.usage().inFlight == 0)
    }

    /// The request that is handed the permit is cancelled at that moment.
    @Test func noPermitIsLostIfItsReceiverIsCancelled() async throws {
        let limit = ConcurrencyLimit(1)
        let transport = ScriptedTransport { .scripted(200, for: $0) }
        let chain = InterceptorChain([limit], transport: transport)
        for round in 0..<rounds(500) {
            let gate = Gate()
            let holder = Task {
                try await InterceptorChain(
                    [limit],
                    transport: ScriptedTransport {
                        try await gate.wait()
                        return .scripted(200, for: $0)
                    }
                )(TransportRequest(Fixture.request))
            }
            await gate.arrival()
            let waiter = Task { try await chain(TransportRequest(Fixture.request)) }
            await until { limit.waitingCount == 1 }
            await withTaskGroup { group in
                group.addTask { gate.open() }
                group.addTask {
                    for _ in 0..<(round % 7) { await Task.yield() }
                    waiter.cancel()
                }
            }
            _ = try await holder.value
            switch await waiter.result {
            case .success: break
            case .failure(let error): #expect(error is CancellationError)
            }
            #expect(limit.usage().inFlight == 0)
            #expect(limit.waitingCount == 0)
        }
        _ = try await chain(TransportRequest(Fixture.request))
    }

    @Test func aThousandRequestsWithRandomCancellationKeepTheLimit() async throws {
        let flight = Flight()
        let limit = ConcurrencyLimit(7, maximumWaiting: 2000)
        // It waits for its script even if the call is cancelled, so that the count is exact.
        let transport = ScriptedTransport { request in
            flight.begin()
            defer { flight.end() }
            for _ in 0..<3 { await Task.yield() }
            var response = TransportResponse.scripted(200, for: request, body: "ok")
            if request.delivery == .streamed { response.stream = response.body.take().map { ResponseBody($0) } }
            return response
        }
        let dispatcher = URLRequestDispatcher(interceptors: [limit], transport: transport)
        let ended = Tally()
        await withTaskGroup { group in
            for index in 0..<1000 {
                group.addTask(priority: index % 2 == 0 ? .high : .low) {
                    let call = Task {
                        if index % 5 == 0 {
                            let body = try await dispatcher.stream(for: Fixture.request).data
                            _ = try await body.collect(upTo: 100)
                        } else {
                            _ = try await dispatcher.data(for: Fixture.request)
                        }
                    }
                    if index % 3 == 0 {
                        for _ in 0..<(index % 100) { await Task.yield() }
                        call.cancel()
                    }
                    if case .failure(let error) = await call.result {
                        #expect(index % 3 == 0 && error is CancellationError)
                    }
                    ended.add()
                }
            }
        }
        #expect(ended.count == 1000)
        #expect(flight.most <= 7)
        #expect(limit.waitingCount == 0)
        await until { limit.usage().inFlight == 0 }
        _ = try await dispatcher.data(for: Fixture.request)
    }
}
