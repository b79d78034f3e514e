import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

// Cancellation and the end.
extension AuthenticationPolicyTests {
    @Test func aCancelledRequestEndsAtOnceAndLeavesTheRefreshRunning() async throws {
        let gate = Gate()
        let policy = try service.policy(nil) { _ in try await gate.wait() }
        let dispatcher = service.dispatcher(policy)
        let url = url
        let calls = (0..<3).map { _ in Task { try await dispatcher.data(from: url) } }
        await policy.waiters(3)
        await gate.arrival()
        for call in calls {
            call.cancel()
            #expect(try await failure { try await call.value } is CancellationError)
        }
        // Nothing waits any more, and the refresh still runs.
        gate.open()
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        #expect(service.refreshes.count == 1)
    }

    @Test func theTotalLimitOfACallEndsItsWaiting() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let policy = try service.policy(nil) { _ in try await gate.wait() }
        var configuration = URLRequestDispatcher.Configuration()
        configuration.timeouts.total = .seconds(3)
        let dispatcher = MockURLRequestDispatcher(
            transport: MockTransport(clock: clock, answer: service.answer),
            configuration: configuration,
            interceptors: [policy]
        )
        let url = url
        let call = Task { try await dispatcher.data(from: url) }
        await policy.waiters(1)
        await clock.sleeper(until: .seconds(3))
        clock.advance(by: .seconds(3))
        #expect(TransportError.Code.timeout(.total) ~= (try await failure { try await call.value }))
        await policy.waiters(0)
    }

    @Test func releasingTheDispatcherAndThePolicyCancelsTheRefresh() async throws {
        let gate = Gate()
        let cancellations = Tally()
        var policy: AuthenticationPolicy<String>? = try service.policy(nil) { _ in
            do { try await gate.wait() } catch {
                cancellations.add()
                throw error
            }
        }
        weak let released = policy
        var dispatcher: MockURLRequestDispatcher? = service.dispatcher(try #require(policy))
        let core = try #require(dispatcher?.core)
        let call = Task { [url] in try await core.data(for: URLRequest(url: url)) }
        await gate.arrival()
        policy = nil
        dispatcher = nil
        core.invalidateAndCancel()
        #expect(TransportError.Code.shutDown ~= (try await failure { try await call.value }))
        _ = consume core
        await cancellations.reach(1)
        while released != nil { await Task.yield() }
    }

    @Test func invalidatingADispatcherEndsItsWaitersOnly() async throws {
        let gate = Gate()
        let policy = try service.policy(nil) { _ in try await gate.wait() }
        let first = service.dispatcher(policy)
        let second = service.dispatcher(policy)
        let url = url
        let calls = [first, second].map { dispatcher in Task { try await dispatcher.data(from: url) } }
        await policy.waiters(2)
        first.core.invalidateAndCancel()
        #expect(try await failure { try await calls[0].value } is CancellationError)
        gate.open()
        #expect(try await calls[1].value.statusCode == .ok)
        #expect(service.refreshes.count == 1)
    }
}
