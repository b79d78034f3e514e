import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

// The refresh.
extension AuthenticationPolicyTests {
    @Test func theRefreshMayUseTheSameDispatcher() async throws {
        let service = service
        let holder = Locked<MockURLRequestDispatcher?>(nil)
        let statuses = Locked<[StatusCode]>([])
        let policy = try service.policy(nil) { _ in
            guard let dispatcher = holder.withLock({ $0 }) else { return }
            // In other tasks, too.
            async let child = dispatcher.data(from: TokenService.url)
            let other = Task { try await dispatcher.data(from: TokenService.url) }
            let (first, second) = try await (child, other.value)
            statuses.withLock { $0 = [first.statusCode, second.statusCode] }
        }
        let dispatcher = service.dispatcher(policy)
        holder.withLock { $0 = dispatcher }
        defer { holder.withLock { $0 = nil } }
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        #expect(statuses.withLock { $0 } == [.unauthorized, .unauthorized])
        #expect(tokens(dispatcher) == ["-", "-", "Bearer token1"])
        #expect(service.refreshes.count == 1)
    }

    @Test func aTaskThatOutlivesTheRefreshIsAnOrdinaryCaller() async throws {
        let gate = Gate()
        let late = Locked<Task<StatusCode?, any Error>?>(nil)
        let holder = Locked<MockURLRequestDispatcher?>(nil)
        let policy = try service.policy(nil) { _ in
            let task = Task {
                try await gate.wait()
                return try await holder.withLock { $0 }?.data(from: TokenService.url).statusCode
            }
            late.withLock { $0 = task }
        }
        let dispatcher = service.dispatcher(policy)
        holder.withLock { $0 = dispatcher }
        defer { holder.withLock { $0 = nil } }
        _ = try await dispatcher.data(from: url)
        gate.open()
        #expect(try await late.withLock { $0 }?.value == .ok)
        #expect(tokens(dispatcher) == ["Bearer token1", "Bearer token1"])
    }

    @Test func aRefreshHasATimeLimitOnTheTransportsClock() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let policy = try service.policy(nil, limit: .seconds(7)) { _ in try await gate.wait() }
        let dispatcher = service.dispatcher(policy, clock: clock)
        let url = url
        let calls = (0..<3).map { _ in Task { try await dispatcher.data(from: url) } }
        await policy.waiters(3)
        await clock.sleeper(until: .seconds(7))
        clock.advance(by: .seconds(7))
        for call in calls {
            let error = try await failure { try await call.value }
            #expect(AuthenticationError.Code.refreshTimedOut ~= error)
        }
        #expect(service.refreshes.count == 1)
        gate.open()
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
    }

    @Test func aRefreshThatIgnoresItsCancellationIsAbandoned() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let policy = try service.policy(nil, limit: .seconds(7)) { _ in
            await withCheckedContinuation { continuation in
                Task.immediateOrNot {
                    try? await gate.wait()
                    continuation.resume()
                }
            }
        }
        let dispatcher = service.dispatcher(policy, clock: clock)
        let url = url
        let call = Task { try await dispatcher.data(from: url) }
        await clock.sleeper(until: .seconds(7))
        clock.advance(by: .seconds(7))
        #expect(AuthenticationError.Code.refreshTimedOut ~= (try await failure { try await call.value }))
        // What it returns late is still a credential.
        gate.open()
        while policy.state.withLock({ $0.machine.generation }) == 0 { await Task.yield() }
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        #expect(service.refreshes.count == 1)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1), .zero])
    func anyTimeLimitIsAccepted(_ limit: Duration) async throws {
        let clock = ManualClock()
        let gate = Gate()
        let policy = try service.policy(nil, limit: limit, margin: limit, lifetime: .init(duration: limit)) { _ in
            try await gate.wait()
        }
        let dispatcher = service.dispatcher(policy, clock: clock)
        let url = url
        let call = Task { try await dispatcher.data(from: url) }
        if limit <= .zero {
            #expect(AuthenticationError.Code.refreshTimedOut ~= (try await failure { try await call.value }))
        } else {
            await policy.waiters(1)
            clock.advance(by: .seconds(1_000_000))
            gate.open()
            #expect(try await call.value.statusCode == .ok)
        }
    }

    @Test func aFailureReachesEveryWaiterUnchangedAndTheNextRequestTriesAgain() async throws {
        let gate = Gate()
        let isDown = Locked(true)
        let policy = try service.policy("token0") { _ in
            try await gate.wait()
            if isDown.withLock({ $0 }) { throw TokenService.Down() }
        }
        let dispatcher = service.dispatcher(policy)
        let url = url
        let calls = (0..<10).map { _ in Task { try await dispatcher.data(from: url) } }
        await policy.waiters(10)
        gate.open()
        for call in calls { #expect(try await failure { try await call.value } is TokenService.Down) }
        #expect(service.refreshes.count == 1)
        let sent = dispatcher.transport.requests.count
        #expect(sent <= 10)
        isDown.withLock { $0 = false }
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        // The dropped credential was not sent again, but the refresh got it.
        #expect(tokens(dispatcher).dropFirst(sent) == ["Bearer token1"])
        #expect(service.oldCredentials == ["token0", "token0"])
    }

    @Test func aRefreshThatIsCancelledFromWithinIsAnError() async throws {
        let policy = try service.policy(nil) { _ in throw CancellationError() }
        let dispatcher = service.dispatcher(policy)
        let error = try await failure { try await dispatcher.data(from: url) }
        #expect(AuthenticationError.Code.refreshCancelled ~= error)
    }

    @Test func anErrorOfTheSecondAttemptHasBothAttempts() async throws {
        let transport = MockTransport(answers: [MockAnswer(.unauthorized), .failure(TransportError(.connectionLost))])
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [try service.policy()])
        let error = try await failure { try await dispatcher.data(from: url) }
        #expect((error as? TransportError)?.attempts.map(\.cause) == [.call, .credentials])
    }

    private enum Local {
        @TaskLocal static var name = "none"
    }

    @Test func theRefreshHasTheTaskLocalsAndThePriorityOfTheFirstCaller() async throws {
        let seen = Locked<[String]>([])
        let gate = Gate()
        let policy = try service.policy(nil) { _ in
            seen.withLock { $0.append("\(Local.name) \(Task.basePriority == .low)") }
            try await gate.wait()
        }
        let dispatcher = service.dispatcher(policy)
        let url = url
        let first = Local.$name.withValue("first") { Task(priority: .low) { try await dispatcher.data(from: url) } }
        await policy.waiters(1)
        let second = Local.$name.withValue("second") { Task { try await dispatcher.data(from: url) } }
        await policy.waiters(2)
        gate.open()
        _ = try await (first.value, second.value)
        #expect(seen.withLock { $0 } == ["first true"])
    }
}
