import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// A policy of retries around one of credentials, whose refresh has, or has not, retries of its own.
@Suite(.timeLimit(.generous)) struct RefreshRetryTests {
    private static let tokenURL = Fixture.url("https://login.example/token")

    /// How a token endpoint fails, each time.
    enum Fault: CaseIterable {
        case unavailable, refused

        var answer: MockAnswer {
            switch self {
            case .unavailable: MockAnswer(.serviceUnavailable, body: "down")
            case .refused: .failure(TransportError(.cannotConnect))
            }
        }
    }

    private static let retries = RetryPolicy(retries: 4, backoff: Backoff(base: .zero), budget: nil)

    private let service = TokenService()

    /// A token endpoint that always fails.
    private func endpoint(_ fault: Fault, retries: RetryPolicy?) -> (URLRequestDispatcher, MockTransport) {
        let transport = MockTransport { _ in fault.answer }
        return (URLRequestDispatcher(interceptors: retries.map { [$0] } ?? [], transport: transport), transport)
    }

    private func api(_ policy: some Interceptor, _ retries: RetryPolicy = Self.retries) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher(transport: MockTransport(answer: service.answer), interceptors: [retries, policy])
    }

    private func policy(
        _ login: URLRequestDispatcher,
        _ credential: String? = nil,
        send: @escaping @Sendable (URLRequestDispatcher, URLRequest) async throws -> Void
    ) throws -> AuthenticationPolicy<String> {
        var request = URLRequest(url: Self.tokenURL, method: .post)
        request.setValue("1", forHTTPHeaderField: "Idempotency-Key")
        return try service.policy(credential) { [request] _ in try await send(login, request) }
    }

    // MARK: With retries of its own

    @Test(arguments: Fault.allCases, [nil, "token0"])
    func whatARefreshGaveUpAfterRetriesIsNotRepeated(_ fault: Fault, _ credential: String?) async throws {
        let (login, endpoint) = endpoint(fault, retries: Self.retries)
        let policy = try policy(login, credential) { _ = try await $0.data(for: $1).validated() }
        let api = api(policy)
        let error = try await failure { try await api.data(from: TokenService.url) }
        #expect(endpoint.requests.count == 5)
        #expect(service.refreshes.count == 1)
        switch fault {
        case .unavailable: #expect((error as? UnacceptableResponseError)?.statusCode == .serviceUnavailable)
        case .refused: #expect((error as? TransportError)?.attempts.count == 5)
        }
        // A later call begins another refresh.
        _ = try await failure { try await api.data(from: TokenService.url) }
        #expect(endpoint.requests.count == 10)
    }

    @Test func theShortFormsAreNotRepeatedEither() async throws {
        let (login, endpoint) = endpoint(.unavailable, retries: Self.retries)
        let path = Self.tokenURL.absoluteString
        let get = try policy(login) { login, _ in try await login.get(path) }
        _ = try await failure { try await api(get).data(from: TokenService.url) }
        #expect(endpoint.requests.count == 5)
        let post = try policy(login) { login, _ in
            _ = try await login.post(path, headers: ["Idempotency-Key": "1"], form: ["a": "b"], as: [String].self)
        }
        _ = try await failure { try await api(post).data(from: TokenService.url) }
        #expect(endpoint.requests.count == 10)
    }

    @Test func aValidationInsideTheRetriesOfTheRefreshCounts() async throws {
        let endpoint = MockTransport { _ in Fault.unavailable.answer }
        let login = URLRequestDispatcher(interceptors: [Self.retries, Validation.default], transport: endpoint)
        let policy = try policy(login) { _ = try await $0.data(for: $1) }
        let error = try await failure { try await api(policy).data(from: TokenService.url) }
        #expect(StatusCode.serviceUnavailable ~= error)
        #expect(endpoint.requests.count == 5)
    }

    @Test func callsThatWaitForOneRefreshShareItsEnd() async throws {
        let (login, endpoint) = endpoint(.refused, retries: Self.retries)
        let gate = Gate()
        let policy = try policy(login) { login, request in
            try await gate.wait()
            _ = try await login.data(for: request)
        }
        let api = api(policy)
        let calls = (0..<5).map { _ in Task { try await api.data(from: TokenService.url) } }
        await policy.waiters(5)
        gate.open()
        for call in calls { #expect(TransportError.Code.cannotConnect ~= (try await failure { try await call.value })) }
        #expect(endpoint.requests.count == 5)
    }

    @Test func clientCredentialsAreNotRepeatedEither() async throws {
        for fault in Fault.allCases {
            let (login, endpoint) = endpoint(
                fault,
                retries: RetryPolicy(retries: 4, backoff: Backoff(base: .zero)) { _ in
                    .retry(ignoringIdempotency: true)
                }
            )
            let client = try OAuth2ClientCredentials(
                tokenURL: Self.tokenURL,
                clientID: "c",
                clientSecret: "s",
                dispatcher: login
            )
            let policy = try client.authenticationPolicy(origins: [TokenService.url])
            _ = try await failure { try await api(policy).data(from: TokenService.url) }
            #expect(endpoint.requests.count == 5)
        }
    }

    @Test func aDecisionOfTheCallerIsFollowed() async throws {
        let (login, endpoint) = endpoint(.refused, retries: Self.retries)
        let policy = try policy(login) { _ = try await $0.data(for: $1) }
        let outer = RetryPolicy(retries: 1, backoff: Backoff(base: .zero)) { $0.error == nil ? .default : .retry() }
        _ = try await failure { try await api(policy, outer).data(from: TokenService.url) }
        #expect(endpoint.requests.count == 10)
    }

    // MARK: Without

    @Test(arguments: Fault.allCases)
    func aRefreshWithoutRetriesIsRepeated(_ fault: Fault) async throws {
        let (login, endpoint) = endpoint(fault, retries: nil)
        let policy = try policy(login) { _ = try await $0.data(for: $1).validated() }
        _ = try await failure { try await api(policy).data(from: TokenService.url) }
        #expect(endpoint.requests.count == 5)
        #expect(service.refreshes.count == 5)
    }

    @Test func anAttemptForOtherReasonsIsNoRetry() async throws {
        // The refresh is itself refused once, and its credential refreshed, before it fails.
        let endpoint = MockTransport { request in
            request["Authorization"] == "Bearer token1" ? Fault.refused.answer : MockAnswer(.unauthorized)
        }
        let inner = TokenService()
        let login = URLRequestDispatcher(
            interceptors: [try inner.policy(origins: [Self.tokenURL])],
            transport: endpoint
        )
        let policy = try policy(login) { _ = try await $0.data(for: $1) }
        _ = try await failure { try await api(policy).data(from: TokenService.url) }
        #expect(service.refreshes.count == 5)
    }

    // MARK: A second 401

    @Test func aRetryOfASecond401ServesTokensThatAreGoodForOneRequest() async throws {
        /// Accepts each token once.
        let used = Locked<Set<String>>([])
        let transport = MockTransport { request in
            let token = request["Authorization"] ?? ""
            return MockAnswer(used.withLock { $0.insert(token).inserted } ? .ok : .unauthorized)
        }
        let count = Tally()
        let policy = try AuthenticationPolicy<Int>(
            origins: [TokenService.url],
            apply: { $1.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") },
            refresh: { _ in
                count.add()
                return count.count
            }
        )
        let retries = RetryPolicy(retries: 20, backoff: Backoff(base: .zero), budget: nil) {
            $0.statusCode == .unauthorized ? .retry() : .default
        }
        let dispatcher = URLRequestDispatcher(interceptors: [retries, policy], transport: transport)
        let codes = try await withThrowingTaskGroup(of: StatusCode.self) { group in
            for _ in 0..<8 { group.addTask { try await dispatcher.data(from: TokenService.url).statusCode } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .ok, count: 8))
    }

    @Test func aRetryOfASecond401Ends() async throws {
        let transport = MockTransport { _ in MockAnswer(.unauthorized) }
        let retries = RetryPolicy(retries: 2, backoff: Backoff(base: .zero)) {
            $0.statusCode == .unauthorized ? .retry() : .default
        }
        let dispatcher = URLRequestDispatcher(interceptors: [retries, try service.policy()], transport: transport)
        #expect(try await dispatcher.data(from: TokenService.url).statusCode == .unauthorized)
        #expect(transport.requests.count == 6)
    }
}
