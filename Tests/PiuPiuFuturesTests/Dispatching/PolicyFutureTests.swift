import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuFutures
@testable import PiuPiuPolicies

/// Policies through futures, of every form: each ends once, also if it is cancelled.
@MainActor
@Suite(.timeLimit(.generous))
struct PolicyFutureTests {
    /// The policies other than retries, which have tests of their own.
    enum Policy: String, CaseIterable, Sendable {
        case authentication, rateLimit, concurrencyLimit, coalescing, breaker, hedging, compression
    }

    private let url = Fixture.url
    private let clock = ManualClock()
    /// Holds the answers of the mock until it is opened.
    private let gate = Gate()

    private func mock(
        _ policy: any Interceptor,
        _ answer: @escaping @Sendable (MockRequest) async throws -> MockAnswer = { _ in MockAnswer(.ok, body: "1234") }
    ) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher(transport: MockTransport(clock: clock, answer: answer), interceptors: [policy])
    }

    private func start(_ form: RequestForm, _ mock: MockURLRequestDispatcher) -> Ending {
        Ending(of: form.future(mock, url))
    }

    private static let succeeded = ["success", "completion"]

    @Test(arguments: RequestForm.allCases) func aTokenIsRefreshed(form: RequestForm) async throws {
        let refreshes = Locked(0)
        let policy = try AuthenticationPolicy<Int>(
            origins: [url],
            credential: 1,
            apply: { $1.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") },
            refresh: { _ in
                refreshes.withLock { $0 += 1 }
                return 2
            }
        )
        let mock = mock(policy) { request in
            request["Authorization"] == "Bearer 2" ? MockAnswer(.ok, body: "1234") : MockAnswer(.unauthorized)
        }
        let endings = (0..<5).map { _ in start(form, mock) }
        for ending in endings { #expect(await ending.wait() == Self.succeeded) }
        #expect(refreshes.withLock { $0 } == 1)
        #expect(mock.requests.allSatisfy { $0.body == mock.requests.first?.body })
    }

    @Test(arguments: RequestForm.allCases) func aRateIsKept(form: RequestForm) async throws {
        let mock = mock(RateLimit(1, per: .seconds(2), burst: 1))
        #expect(await start(form, mock).wait() == Self.succeeded)
        let second = start(form, mock)
        await clock.sleeper(until: .seconds(2))
        #expect(mock.requests.count == 1 && second.events.isEmpty)
        clock.advance(by: .seconds(2))
        #expect(await second.wait() == Self.succeeded)
    }

    @Test(arguments: RequestForm.allCases) func oneRequestIsInFlightAtATime(form: RequestForm) async throws {
        let limit = ConcurrencyLimit(1)
        let counts = Locked((now: 0, most: 0))
        let mock = mock(limit) { [gate] _ in
            counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { counts.withLock { $0.now -= 1 } }
            try await gate.wait()
            return MockAnswer(.ok, body: "1234")
        }
        let endings = (0..<3).map { _ in start(form, mock) }
        await gate.arrival()
        while limit.waitingCount < 2 { await Task.yield() }
        gate.open()
        for ending in endings { #expect(await ending.wait() == Self.succeeded) }
        #expect(mock.requests.count == 3)
        #expect(counts.withLock { $0.most } == 1)
    }

    @Test(arguments: RequestForm.allCases) func equalRequestsForDataAreOne(form: RequestForm) async throws {
        let coalescing = Coalescing()
        let mock = mock(coalescing) { [gate] _ in
            try await gate.wait()
            return MockAnswer(.ok, body: "1234")
        }
        let isShared = form == .data || form == .dataClosure
        let endings = (0..<4).map { _ in start(form, mock) }
        await gate.arrival(of: isShared ? 1 : 4)
        if isShared { while coalescing.waiterCount < 4 { await Task.yield() } }
        gate.open()
        for ending in endings { #expect(await ending.wait() == Self.succeeded) }
        #expect(mock.requests.count == (isShared ? 1 : 4))
    }

    @Test(arguments: RequestForm.allCases) func anOpenCircuitIsAnError(form: RequestForm) async throws {
        let mock = mock(CircuitBreaker(failureRate: 0.5, minimumCalls: 1)) { _ in
            .failure(TransportError(.connectionLost))
        }
        #expect(await start(form, mock).wait() == ["error", "completion"])
        let refused = start(form, mock)
        #expect(await refused.wait() == ["error", "completion"])
        #expect(refused.error is CircuitBreaker.OpenError, "\(String(describing: refused.error))")
        #expect(mock.requests.count == 1)
    }

    @Test(arguments: RequestForm.allCases) func aSlowRequestIsSentTwiceIfThatIsAllowed(form: RequestForm) async throws {
        let count = Locked(0)
        let mock = mock(Hedging(after: .fixed(.seconds(1)), methods: [.get, .put])) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? .hang : MockAnswer(.ok, body: "1234")
        }
        let ending = start(form, mock)
        _ = try await mock.requests(atLeast: 1)
        await clock.sleeper(until: .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(await ending.wait() == Self.succeeded)
        #expect(mock.requests.count == 2)
    }

    @Test(arguments: RequestForm.allCases) func aBodyIsCompressed(form: RequestForm) async throws {
        let mock = mock(RequestCompression(shouldCompress: { _ in true }))
        let body = Data(repeating: 0x61, count: 4096)
        let events = await Ending.events(of: form.future(mock, url, body: body))
        #expect(events == Self.succeeded)
        let sent = try #require(mock.requests.first)
        #expect(sent["Content-Encoding"] == (form.rawValue.hasPrefix("upload") ? "gzip" : nil))
        #expect(sent.body.count < 100)
        #expect(mock.requests.count == 1)
    }

    // MARK: Cancellation

    private func interceptor(_ policy: Policy) throws -> any Interceptor {
        switch policy {
        case .authentication:
            // The refresh hangs, not the request.
            try AuthenticationPolicy<Int>(
                origins: [url],
                credential: nil,
                apply: { $1.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") },
                refresh: { [gate] _ in
                    try await gate.wait()
                    return 2
                }
            )
        case .rateLimit: RateLimit(1, burst: 1)
        case .concurrencyLimit: ConcurrencyLimit(1)
        case .coalescing: Coalescing()
        case .breaker: CircuitBreaker()
        case .hedging: Hedging(after: .fixed(.seconds(1)), methods: [.get, .put])
        case .compression: RequestCompression(minimumLength: 0, shouldCompress: { _ in true })
        }
    }

    @Test(arguments: Policy.allCases, RequestForm.allCases)
    func aFutureThatIsCancelledEndsOnce(policy: Policy, form: RequestForm) async throws {
        let mock = mock(try interceptor(policy)) { [gate] _ in
            try await gate.wait()
            return MockAnswer(.ok)
        }
        let futures = (0..<3).map { _ in form.future(mock, url) }
        let endings = futures.map { Ending(of: $0) }
        await gate.arrival()
        for future in futures { future.cancel() }
        for ending in endings { #expect(await ending.wait() == ["cancellation", "completion"]) }
        gate.open()
        await mock.shutdown()
        for ending in endings { #expect(ending.events == ["cancellation", "completion"]) }
    }
}
