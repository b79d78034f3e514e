import PiuPiuAsync
import PiuPiuTesting
import TestSupport

@testable import PiuPiuPolicies

/// A service that accepts one token, and issues the next one.
final class TokenService: Sendable {
    struct Down: Error, Hashable {}

    /// How long each credential is valid.
    struct Lifetime: Sendable {
        let duration: Duration?
    }

    private struct State {
        var accepted = 1
        var credentials: [String] = []
    }

    /// Counts the refreshes that began.
    let refreshes = Tally()
    private let state = Locked(State())

    /// The credentials that the refreshes got.
    var oldCredentials: [String] { state.withLock { $0.credentials } }

    static let url = Fixture.url("https://a.example/page")
    static let foreign = Fixture.url("https://b.example/page")

    /// Answers a request: 401 unless it has the accepted token.
    func answer(_ request: MockRequest) -> MockAnswer {
        let accepted = state.withLock { $0.accepted }
        guard request["Authorization"] == "Bearer token\(accepted)" else {
            return MockAnswer(.unauthorized, headers: ["WWW-Authenticate": "Bearer"], body: "refused")
        }
        return MockAnswer(.ok, body: "welcome")
    }

    /// The token that is accepted.
    var issued: String { state.withLock { "token\($0.accepted)" } }

    /// Makes every token that was issued worthless.
    func revoke() {
        state.withLock { $0.accepted += 1 }
    }

    /// Issues a token.
    func issue(_ old: String?) -> String {
        refreshes.add()
        return state.withLock { state in
            state.credentials.append(old ?? "-")
            return "token\(state.accepted)"
        }
    }

    func policy(
        _ credential: String? = "token0",
        origins: [URL] = [url],
        limit: Duration = .seconds(30),
        margin: Duration = .seconds(10),
        lifetime: Lifetime? = nil,
        refresh: (@Sendable (String?) async throws -> Void)? = nil
    ) throws -> AuthenticationPolicy<String> {
        var measure: (@Sendable (String) -> Duration?)?
        if let lifetime { measure = { _ in lifetime.duration } }
        return try AuthenticationPolicy(
            origins: origins,
            credential: credential,
            refreshTimeLimit: limit,
            renewalMargin: margin,
            lifetime: measure,
            apply: { $1.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") },
            refresh: { old in
                let token = self.issue(old)
                try await refresh?(old)
                return token
            }
        )
    }

    func dispatcher(
        _ policy: AuthenticationPolicy<String>,
        clock: any Clock<Duration> = ManualClock()
    ) -> MockURLRequestDispatcher {
        MockURLRequestDispatcher(transport: MockTransport(clock: clock, answer: answer), interceptors: [policy])
    }
}

extension AuthenticationPolicy {
    /// Returns when requests wait for a refresh.
    ///
    /// A request cannot tell when it waits; so this asks again and again, but lets everything else run first.
    func waiters(_ count: Int) async {
        while state.withLock({ $0.machine.waiterCount }) != count {
            // Unlike a yield, a pause lets tasks of a lower priority run.
            try? await Task.sleep(for: .milliseconds(1))
        }
    }
}
