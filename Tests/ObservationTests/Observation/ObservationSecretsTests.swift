import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// One secret, planted in everything of a request that must not be in a log or in statistics.
@Suite(.timeLimit(.generous)) struct ObservationSecretsTests {
    private static let secret = SecretSearch.secret

    /// An error of a caller, which hides nothing.
    struct Careless: LocalizedError, CustomStringConvertible {
        let text = SecretSearch.secret
        var description: String { text }
        var errorDescription: String? { text }
    }

    private static let endings: [MockAnswer] = [
        MockAnswer(.ok, headers: ["Set-Cookie": secret], body: secret),
        MockAnswer(.unauthorized, headers: ["WWW-Authenticate": secret], body: secret),
        MockAnswer(.found, headers: ["Location": "https://user:\(secret)@example.com/b?token=\(secret)#\(secret)"]),
        MockAnswer(.found, headers: ["Location": "ftp://user:\(secret)@example.com/"]),
        .failure(Careless()),
        .failure(NSError(domain: secret, code: 1, userInfo: [NSLocalizedDescriptionKey: secret])),
        .failure(TransportError(.proxy, underlyingDescription: "Unsupported proxy syntax in 'http://u:\(secret)@p'")),
        .failure(
            TransportError(
                .http2,
                request: URLRequest(url: Fixture.url("https://u:\(secret)@example.com/?\(secret)")),
                underlyingDescription: "Invalid HTTP header field: value: [\(secret)]"
            )
        ),
        MockAnswer(.serviceUnavailable, body: secret),
    ]

    private struct Refusing: Interceptor {
        func intercept(_ request: TransportRequest, next: InterceptorChain) async throws -> TransportResponse {
            throw Careless()
        }
    }

    @Test func neitherALineNorASnapshotTells() async throws {
        let lines = LogLines()
        let statistics = Statistics()
        let observer = lines.observer()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [observer, statistics]
        var request = URLRequest(
            url: Fixture.url("https://user:\(Self.secret)@example.com/a?token=\(Self.secret)#\(Self.secret)"),
            method: .put
        )
        request.setValue("Bearer \(Self.secret)", forHTTPHeaderField: "Authorization")
        request.setValue(Self.secret, forHTTPHeaderField: "X-Api-Key")
        request.httpBody = Data(Self.secret.utf8)
        let retry = RetryPolicy(retries: 1, backoff: Backoff(base: .zero))
        for ending in Self.endings {
            for interceptors in [[retry, Validation.default], [Refusing()]] as [[any Interceptor]] {
                let transport = MockTransport(answers: [ending, ending, MockAnswer(.ok)])
                let dispatcher = URLRequestDispatcher(
                    configuration: configuration,
                    interceptors: interceptors,
                    transport: transport
                )
                _ = try? await dispatcher.data(for: request)
                await dispatcher.shutdown()
            }
        }
        #expect(lines.texts.count > 25)
        #expect(lines.texts.contains { $0.contains("error=Careless") && $0.contains("event=exchange") })
        #expect(lines.texts.contains { $0.contains("error=Careless") && $0.contains("event=call") })
        for line in lines.texts { #expect(!SecretSearch.isFound(in: line), "\(line)") }
        let snapshot = statistics.snapshot()
        #expect(snapshot.origins["https://example.com:443"]?.failures.keys.contains("Careless") == true)
        for value in [snapshot, statistics, observer, snapshot.prometheusText, snapshot.description] as [Any] {
            for showing in SecretSearch.showings(of: value) {
                #expect(!showing.tells, "\(showing.way): \(showing.text.prefix(300))")
            }
        }
    }
}
