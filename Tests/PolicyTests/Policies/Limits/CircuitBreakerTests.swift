import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

@Suite(.timeLimit(.generous)) struct CircuitBreakerTests {
    private let clock = ManualClock()

    private func breaker(
        probes: Int = 1,
        scope: LimitScope = .origin,
        classify: CircuitBreaker.Classification? = nil,
        onStateChange: CircuitBreaker.StateChangeHandler? = nil
    ) -> CircuitBreaker {
        CircuitBreaker(
            minimumCalls: 2,
            openTime: .seconds(5),
            jitter: 0,
            probes: probes,
            scope: scope,
            classify: classify,
            onStateChange: onStateChange
        )
    }

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

    @Test func anAttemptThatTakesTooLongIsAFailure() async throws {
        let retry = RetryPolicy(retries: 5, backoff: Backoff(base: .zero), attemptTimeout: .seconds(1))
        let dispatcher = dispatcher(retry, breaker()) { _ in .hang }
        let call = Task { try await dispatcher.data(for: Fixture.request) }
        for count in 1...2 {
            _ = try await dispatcher.requests(atLeast: count)
            await clock.sleeper(until: .seconds(count))
            clock.advance(by: .seconds(1))
        }
        await #expect(throws: CircuitBreaker.OpenError.self) { try await call.value }
        #expect(dispatcher.requests.count == 2)
    }

    @Test func aCallThatWaitsForItsPlaceUntilItsTimeIsOverSaysNothingAboutTheServer() async throws {
        let hangs = Locked(true)
        let dispatcher = dispatcher(breaker(), ConcurrencyLimit(1)) { _ in
            hangs.withLock { $0 } ? .hang : MockAnswer(.ok)
        }
        let occupant = Task { try await dispatcher.data(for: Fixture.request) }
        _ = try await dispatcher.requests(atLeast: 1)
        var options = RequestOptions()
        options.timeouts = Timeouts(idle: nil, total: .seconds(1))
        for count in 1...3 {
            let call = Task { [options] in try await dispatcher.data(for: Fixture.request, options: options) }
            await clock.sleeper(until: .seconds(count))
            clock.advance(by: .seconds(1))
            let error = await #expect(throws: TransportError.self) { try await call.value }
            #expect(error?.code == .timeout(.total))
        }
        hangs.withLock { $0 = false }
        occupant.cancel()
        await #expect(throws: CancellationError.self) { try await occupant.value }
        let response = try await dispatcher.data(for: Fixture.request)
        #expect(response.statusCode == .ok, "the circuit is closed")
        #expect(dispatcher.requests.count == 2)
    }

    @Test func opensRefusesProbesAndCloses() async throws {
        let changes = Locked<[String]>([])
        let isDown = Locked(true)
        let breaker = breaker(onStateChange: { change in
            changes.withLock { $0.append("\(change.from) > \(change.to)") }
            #expect(change.origin == "https://example.com:443" && change.key == change.origin)
        })
        let dispatcher = dispatcher(breaker) { _ in MockAnswer(isDown.withLock { $0 } ? .serviceUnavailable : .ok) }
        for _ in 0..<2 { #expect(try await dispatcher.data(for: Fixture.request).statusCode == .serviceUnavailable) }
        #expect(breaker.state(for: Fixture.request) == .open)
        clock.advance(by: .seconds(2))
        let url = Fixture.url("https://user:pw@example.com/a?token=1")
        let error = try await failure { try await dispatcher.data(from: url) }
        let expected = CircuitBreaker.OpenError(
            origin: "https://example.com:443",
            retryAfter: .seconds(3),
            target: "GET https://example.com/a"
        )
        #expect(error as? CircuitBreaker.OpenError == expected)
        for hidden in ["token", "pw"] { #expect(!Fixture.allTexts(of: error).contains(hidden)) }
        #expect(dispatcher.requests.count == 2)
        // Another origin is not concerned.
        _ = try await dispatcher.data(from: Fixture.url("https://other.example/"))
        clock.advance(by: .seconds(3))
        _ = try await dispatcher.data(for: Fixture.request)
        #expect(breaker.state(for: Fixture.request) == .open)
        isDown.withLock { $0 = false }
        clock.advance(by: .seconds(10))
        #expect(try await dispatcher.data(for: Fixture.request).statusCode == .ok)
        #expect(breaker.state(for: Fixture.request) == .closed)
        #expect(
            changes.withLock { $0 } == [
                "closed > open", "open > halfOpen", "halfOpen > open", "open > halfOpen", "halfOpen > closed",
            ]
        )
    }

    static let results: [(Result<Int, any Error>, CircuitBreaker.Outcome)] =
        [
            (.success(200), .success), (.success(302), .success), (.success(404), .success), (.success(408), .success),
            (.success(429), .success), (.success(500), .failure), (.success(501), .success), (.success(502), .failure),
            (.success(503), .failure), (.success(504), .failure), (.success(505), .success),
            (.failure(CancellationError()), .ignored), (.failure(ResponseError.noResponse), .ignored),
            (
                .failure(LimitError(limit: .rate, reason: .queueFull, origin: nil, wait: nil, target: nil, bound: nil)),
                .ignored
            ),
            (.failure(CircuitBreaker.OpenError(origin: "", retryAfter: .zero, target: nil)), .ignored),
            (.failure(UnacceptableResponseError(.statusCode, response: Fixture.head(.notFound))), .success),
            (.failure(UnacceptableResponseError(.statusCode, response: Fixture.head(.badGateway))), .failure),
        ] + failures.map { (.failure(TransportError($0)), .failure) }
        + ignored.map { (.failure(TransportError($0)), .ignored) }

    private static let failures: [TransportError.Code] = [
        .cannotResolveHost, .cannotConnect, .tls, .proxy, .connectionLost, .truncatedBody, .http2, .timeout(.connect),
        .timeout(.head), .timeout(.idle), .timeout(.total),
    ]

    private static let ignored: [TransportError.Code] = [
        .timeout(.queue), .invalidRequest, .invalidURL, .unsupportedScheme, .malformedHead, .malformedBody,
        .headTooLarge, .bodyTooLarge, .decompressionLimit, .tooManyRedirects, .redirectLoop, .unsafeRedirect,
        .invalidRedirect, .shutDown, .libraryUnavailable, .outOfResources, .unsupported, .adapterReleased,
    ]

    @Test(arguments: results.indices) func whatCountsAsAFailure(index: Int) {
        let (result, expected) = Self.results[index]
        let outcome = CircuitBreaker.Outcome(
            result.map { .scripted($0, for: TransportRequest(Fixture.request)) }
        )
        #expect(outcome == expected, "\(result)")
    }

    @Test func aClosureDecidesInstead() async throws {
        let breaker = breaker(classify: { result in
            if case .success(let response) = result, response.head.statusCode == .tooManyRequests { return .failure }
            return CircuitBreaker.Outcome(result)
        })
        let dispatcher = dispatcher(breaker) { _ in MockAnswer(.tooManyRequests) }
        for _ in 0..<2 { _ = try await dispatcher.data(for: Fixture.request) }
        #expect(try await failure { try await dispatcher.data(for: Fixture.request) } is CircuitBreaker.OpenError)
    }

    @Test func aStreamCountsWhenItsHeadArrives() async throws {
        let breaker = breaker()
        let dispatcher = dispatcher(breaker) { _ in MockAnswer(.badGateway, pieces: ["one"], ending: .hang) }
        let bodies = [
            try await dispatcher.stream(for: Fixture.request).data,
            try await dispatcher.stream(for: Fixture.request).data,
        ]
        #expect(breaker.state(for: Fixture.request) == .open)
        withExtendedLifetime(bodies) {}
    }

    @Test func aCancelledProbeGivesItsPlaceToAnother() async throws {
        let breaker = breaker()
        let step = Locked(0)
        let dispatcher = dispatcher(breaker) { _ in
            let step = step.withLock { step in
                step += 1
                return step
            }
            return step <= 2 ? MockAnswer(.badGateway) : step == 3 ? .hang : MockAnswer(.ok)
        }
        for _ in 0..<2 { _ = try await dispatcher.data(for: Fixture.request) }
        clock.advance(by: .seconds(5))
        let probe = Task { try await dispatcher.data(for: Fixture.request) }
        _ = try await dispatcher.requests(atLeast: 3)
        #expect(breaker.state(for: Fixture.request) == .halfOpen)
        #expect(try await failure { try await dispatcher.data(for: Fixture.request) } is CircuitBreaker.OpenError)
        probe.cancel()
        #expect(try await failure { try await probe.value } is CancellationError)
        #expect(try await dispatcher.data(for: Fixture.request).statusCode == .ok)
        #expect(breaker.state(for: Fixture.request) == .closed)
    }

    @Test func eachHopOfARedirectCountsForItsOwnOrigin() async throws {
        let breaker = breaker()
        let dispatcher = dispatcher(breaker) { request in
            request.urlRequest.url?.host() == "a.example"
                ? MockAnswer(.found, headers: ["Location": "https://b.example/"]) : MockAnswer(.badGateway)
        }
        let request = URLRequest(url: Fixture.url("https://a.example/"))
        for _ in 0..<2 { _ = try await dispatcher.data(for: request) }
        #expect(breaker.state(for: request) == .closed)
        #expect(breaker.state(for: URLRequest(url: Fixture.url("https://b.example/"))) == .open)
        let error = try await failure { try await dispatcher.data(for: request) } as? CircuitBreaker.OpenError
        #expect(error?.origin == "https://b.example:443")
    }

    @Test func theHandlerMayUseTheBreakerAndIsCalledOneChangeAfterTheOther() async throws {
        let running = Flight()
        let changes = Locked<[CircuitBreaker.StateChange]>([])
        let breaker = Locked<CircuitBreaker?>(nil)
        let made = self.breaker(onStateChange: { change in
            running.begin()
            _ = breaker.withLock { $0 }?.state(for: Fixture.request)
            changes.withLock { $0.append(change) }
            running.end()
        })
        breaker.withLock { $0 = made }
        defer { breaker.withLock { $0 = nil } }
        let count = Locked(0)
        let transport = ScriptedTransport { request in
            let count = count.withLock { count in
                count += 1
                return count
            }
            return .scripted(count % 3 == 0 ? 200 : 503, for: request)
        }
        let chain = InterceptorChain([made], transport: TickingTransport(transport, clock))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 {
                        _ = try? await chain(TransportRequest(Fixture.request))
                        clock.advance(by: .seconds(1))
                    }
                }
            }
        }
        let delivered = changes.withLock { $0 }
        #expect(running.most == 1)
        #expect(delivered.count > 2)
        // Each change begins with the state in which the one before ended.
        for (earlier, later) in zip(delivered, delivered.dropFirst()) { #expect(earlier.to == later.from) }
    }

    @Test func aThousandCallsWithRandomCancellationLeaveNoProbeBehind() async throws {
        let breaker = CircuitBreaker(minimumCalls: 5, openTime: .milliseconds(1), growth: 1, probes: 2)
        let count = Locked(0)
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport { _ in
                let count = count.withLock { count in
                    count += 1
                    return count
                }
                for _ in 0..<3 { await Task.yield() }
                return count % 2 == 0 && count < 400 ? MockAnswer(.badGateway) : MockAnswer(.ok)
            },
            interceptors: [breaker]
        )
        let ended = Tally()
        await withTaskGroup { group in
            for index in 0..<1000 {
                group.addTask {
                    let call = Task { try await dispatcher.data(for: Fixture.request) }
                    if index % 3 == 0 {
                        for _ in 0..<(index % 20) { await Task.yield() }
                        call.cancel()
                    }
                    if case .failure(let error) = await call.result {
                        #expect(error is CircuitBreaker.OpenError || index % 3 == 0 && error is CancellationError)
                    }
                    ended.add()
                }
            }
        }
        #expect(ended.count == 1000)
        // The circuit can always be closed again.
        count.withLock { $0 = 1000 }
        while breaker.state(for: Fixture.request) != .closed {
            _ = try? await dispatcher.data(for: Fixture.request)
            await Task.yield()
        }
        #expect(try await dispatcher.data(for: Fixture.request).statusCode == .ok)
    }
}

/// A transport with a clock.
private struct TickingTransport: HTTPTransport {
    let base: ScriptedTransport
    let clock: TransferClock?

    init(_ base: ScriptedTransport, _ clock: ManualClock) {
        self.base = base
        self.clock = TransferClock(clock)
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse { try await base.send(request) }
    func shutdown() async { await base.shutdown() }
    func invalidateAndCancel() { base.invalidateAndCancel() }
}
