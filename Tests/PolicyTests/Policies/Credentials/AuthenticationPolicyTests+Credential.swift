import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

// Login and logout.
extension AuthenticationPolicyTests {
    @Test func aCredentialThatIsSetIsUsed() async throws {
        let policy = try service.policy(nil)
        let dispatcher = service.dispatcher(policy)
        policy.setCredential("token1")
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        service.revoke()
        policy.setCredential("token2")
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        #expect(service.refreshes.count == 0)
        #expect(tokens(dispatcher) == ["Bearer token1", "Bearer token2"])
    }

    @Test func whatWaitsForARefreshIsSentWithTheCredentialThatIsSet() async throws {
        let gate = Gate()
        let cancellations = Tally()
        let policy = try service.policy(nil) { _ in
            do { try await gate.wait() } catch {
                cancellations.add()
                throw error
            }
        }
        let dispatcher = service.dispatcher(policy)
        let calls = (0..<3).map { [url] _ in Task { try await dispatcher.data(from: url) } }
        await policy.waiters(3)
        await gate.arrival()
        policy.setCredential("token1")
        for call in calls { #expect(try await call.value.statusCode == .ok) }
        // The refresh was cancelled; it would return another one.
        await cancellations.reach(1)
        gate.open()
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        #expect(Set(tokens(dispatcher)) == ["Bearer token1"])
        #expect(service.refreshes.count == 1)
    }

    @Test func theResultOfARefreshThatIgnoresItsEndIsNotUsed() async throws {
        let gate = Gate()
        let returned = Tally()
        let policy = try AuthenticationPolicy<String>(
            origins: [url],
            apply: { $1.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") },
            refresh: { _ in
                await Task { try? await gate.wait() }.value
                returned.add()
                return "late"
            }
        )
        let dispatcher = service.dispatcher(policy)
        let call = Task { [url] in try await dispatcher.data(from: url) }
        await gate.arrival()
        policy.setCredential("token1")
        #expect(try await call.value.statusCode == .ok)
        gate.open()
        await returned.reach(1)
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        #expect(tokens(dispatcher) == ["Bearer token1", "Bearer token1"])
    }

    @Test func removingTheCredentialFailsWhatWaits() async throws {
        let gate = Gate()
        let policy = try service.policy("token0") { _ in try await gate.wait() }
        let dispatcher = service.dispatcher(policy)
        let calls = (0..<3).map { [url] _ in Task { try await dispatcher.data(from: url) } }
        await policy.waiters(3)
        policy.removeCredential()
        for call in calls {
            let error = try await failure { try await call.value } as? AuthenticationError
            #expect(error?.code == .credentialRemoved)
            #expect(error.map { "\($0)" } == "The credential was removed (GET https://a.example/page)")
        }
        gate.open()
        // As at the beginning: a refresh without an old credential.
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        #expect(service.oldCredentials == ["token0", "-"])
    }

    @Test(arguments: [false, true])
    func aCallUnderWayIsNotSentAgainAsAnotherUser(_ isStream: Bool) async throws {
        let gate = Gate()
        let policy = try service.policy("token0")
        let service = service
        let transport = MockTransport { request in
            if request["Authorization"] == "Bearer token0" { try await gate.wait() }
            return service.answer(request)
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [policy])
        let call = Task { [url] in
            if isStream {
                _ = try await dispatcher.stream(for: URLRequest(url: url))
            } else {
                _ = try await dispatcher.data(from: url)
            }
        }
        await gate.arrival()
        policy.removeCredential()
        policy.setCredential("token1")
        gate.open()
        #expect(AuthenticationError.Code.credentialRemoved ~= (try await failure { try await call.value }))
        #expect(tokens(dispatcher) == ["Bearer token0"])
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        #expect(service.refreshes.count == 0)
    }

    @Test func aRefusedCallIsSentAgainWithTheCredentialThatWasSet() async throws {
        let gate = Gate()
        let policy = try service.policy("token0")
        let service = service
        let transport = MockTransport { request in
            if request["Authorization"] == "Bearer token0" { try await gate.wait() }
            return service.answer(request)
        }
        let dispatcher = MockURLRequestDispatcher(transport: transport, interceptors: [policy])
        let call = Task { [url] in try await dispatcher.data(from: url) }
        await gate.arrival()
        policy.setCredential("token1")
        gate.open()
        #expect(try await call.value.statusCode == .ok)
        #expect(tokens(dispatcher) == ["Bearer token0", "Bearer token1"])
        #expect(service.refreshes.count == 0)
    }

    @Test func theLifetimeOfACredentialThatIsSetCountsFromItsFirstRequest() async throws {
        let clock = ManualClock()
        let policy = try service.policy("token0", lifetime: TokenService.Lifetime(duration: .seconds(60)))
        let dispatcher = service.dispatcher(policy, clock: clock)
        policy.setCredential("token1")
        clock.advance(by: .seconds(100))
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        clock.advance(by: .seconds(60))
        // It expired: a refresh comes first.
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
        #expect(service.oldCredentials == ["token1"])
    }

    @Test func settingFromManyThreadsWhileCallsRunLeavesNoneWaiting() async throws {
        let service = service
        let policy = try service.policy(nil) { _ in await Task.yield() }
        let dispatcher = service.dispatcher(policy)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { [url] in
                    switch number % 4 {
                    case 0: policy.setCredential("token1")
                    case 1: policy.removeCredential()
                    default:
                        do { _ = try await dispatcher.data(from: url) } catch {
                            #expect(AuthenticationError.Code.credentialRemoved ~= error, "\(error)")
                        }
                    }
                }
            }
        }
        await policy.waiters(0)
        policy.setCredential("token1")
        #expect(try await dispatcher.data(from: url).statusCode == .ok)
    }
}
