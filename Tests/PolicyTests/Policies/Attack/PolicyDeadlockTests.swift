import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// Policies of one dispatcher that could wait for each other.
@Suite(.timeLimit(.generous)) struct PolicyDeadlockTests {
    private let clock = ManualClock()

    /// The first attempt's bad response holds the only permit, for which the second attempt waits.
    @Test func aBadStreamLeavesItsPermitToTheHedge() async throws {
        let count = Locked(0)
        let transport = MockTransport(clock: clock) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1
                ? MockAnswer(.serviceUnavailable, body: "1", after: .seconds(2)) : MockAnswer(.ok, body: "2")
        }
        let limit = ConcurrencyLimit(1)
        let dispatcher = URLRequestDispatcher(
            configuration: .init(options: RequestOptions(timeouts: Timeouts(idle: nil))),
            interceptors: [Hedging(after: .fixed(.seconds(1))), limit],
            transport: transport
        )
        let text = Locked<String?>(nil)
        let call = Task {
            let response = try await dispatcher.stream(for: Fixture.request)
            let body = try await response.data.collect(upTo: 10)
            text.withLock { $0 = String(decoding: body, as: UTF8.self) }
        }
        await clock.sleeper(until: .seconds(2))
        await clock.sleeper(until: .seconds(1))
        clock.advance(by: .seconds(1))
        while limit.waitingCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(1))
        while text.withLock({ $0 }) == nil { await Task.yield() }
        #expect(text.withLock { $0 } == "2")
        call.cancel()
        _ = await call.result
    }

    /// A call waits for a refresh whose own request equals it.
    @Test func aRefreshDoesNotJoinACallThatWaitsForIt() async throws {
        let transport = MockTransport(clock: clock) { request in
            let token = request.urlRequest.value(forHTTPHeaderField: "Authorization")
            return MockAnswer(.ok, body: token ?? "none")
        }
        let reference = Locked<URLRequestDispatcher?>(nil)
        let authentication = try AuthenticationPolicy<String>(
            origins: [Fixture.url("https://example.com")],
            apply: { $1.setValue($0, forHTTPHeaderField: "Authorization") },
            refresh: { _ in
                let dispatcher = try #require(reference.withLock { $0 })
                return try await dispatcher.data(for: Fixture.request).decodeString()
            }
        )
        let gate = Gate()
        let pause = Intercepting { request, next in
            let isOutside = request.call.context.work.isEmpty
            if request.urlRequest.url == Fixture.request.url, isOutside { try await gate.wait() }
            return try await next(request)
        }
        let coalescing = Coalescing()
        let dispatcher = URLRequestDispatcher(
            configuration: .init(options: RequestOptions(timeouts: Timeouts(idle: nil))),
            interceptors: [coalescing, pause, authentication],
            transport: transport
        )
        reference.withLock { $0 = dispatcher }
        let result = Locked<String?>(nil)
        // This one begins an exchange that will need the credential.
        let first = Task { try await dispatcher.data(for: Fixture.request).decodeString() }
        await gate.arrival()
        // This one is not shared, and begins the refresh.
        var post = URLRequest(url: Fixture.url("https://example.com/other"), method: .post)
        post.httpBody = Data("a".utf8)
        let second = Task { [post] in
            let text = try await dispatcher.data(for: post).decodeString()
            result.withLock { $0 = text }
        }
        while result.withLock({ $0 }) == nil { await Task.yield() }
        // The refresh's request has no credential, so its answer is "none".
        #expect(result.withLock { $0 } == "none")
        second.cancel()
        first.cancel()
        _ = await (first.result, second.result)
        reference.withLock { $0 = nil }
    }

    /// The second attempt may have been processed, whatever became of the first.
    @Test func aHedgedErrorIsNotSafeToRetry() async throws {
        let count = Locked(0)
        let transport = MockTransport(clock: clock) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            var answer = MockAnswer.failure(TransportError(number == 1 ? .cannotConnect : .connectionLost))
            answer.delay = .seconds(number == 1 ? 2 : 3)
            return answer
        }
        let dispatcher = URLRequestDispatcher(
            configuration: .init(options: RequestOptions(timeouts: Timeouts(idle: nil))),
            interceptors: [Hedging(after: .fixed(.seconds(1)), methods: [.put])],
            transport: transport
        )
        let request = URLRequest(url: Fixture.url("https://example.com/a"), method: .put)
        let call = Task { try await dispatcher.data(for: request) }
        await clock.sleeper(until: .seconds(2))
        await clock.sleeper(until: .seconds(1))
        clock.advance(by: .seconds(1))
        await clock.sleeper(until: .seconds(4))
        clock.advance(by: .seconds(3))
        let error = try #require(await #expect(throws: TransportError.self) { try await call.value })
        #expect(error.code == .cannotConnect)
        #expect(!error.isSafeToRetry)
    }
}
