import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of the article on policies and of the README's section, and of the comments on limits.
@Suite(.timeLimit(.generous)) struct PolicySamplesTests {
    private let request = URLRequest(url: Fixture.url("https://example.com/busy"))
    private let print = Printed()

    // swift-format-ignore
    @Test func readme() async throws {
        typealias URLRequestDispatcher = OfflineDispatcher
        let tokenURL = Fixture.url("https://api.example.com/token")
        let secret = "hunter2"

        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = URL(string: "https://api.example.com/v1")
        let login = try OAuth2ClientCredentials(
            tokenURL: tokenURL,
            clientID: "reader",
            clientSecret: secret,
            dispatcher: URLRequestDispatcher()
        )
        let api = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [Coalescing(), RetryPolicy(), CircuitBreaker(), try login.authenticationPolicy(origins: [tokenURL])]
        )
        let posts: [Post] = try await api.get("/posts", query: ["page": 2])
        for try await post in api.pages(for: try api.request(.get, "/posts"), of: [Post].self).items {
            print(post.title)
        }

        #expect(print.lines == posts.map(\.title))
        let sent = try await api.get("/posts").urlRequest
        #expect(sent.value(forHTTPHeaderField: "Authorization") == "Bearer 42")
    }

    @Test func everyUserHasALimit() async throws {
        let perUser = RateLimit(10, scope: .key { $0.urlRequest.value(forHTTPHeaderField: "X-User") })
        let clock = ManualClock()
        let transport = MockTransport(clock: clock) { _ in MockAnswer(.ok) }
        let dispatcher = URLRequestDispatcher(interceptors: [perUser], transport: transport)
        // Ten for each of two, and any number for none: nobody waits, because the clock stands still.
        for user in ["ada", "bob", nil] as [String?] {
            for _ in 0..<(user == nil ? 30 : 10) {
                var request = request
                request.setValue(user, forHTTPHeaderField: "X-User")
                _ = try await dispatcher.data(for: request)
            }
        }
        #expect(transport.requests.count == 50)
    }

    @Test func order() async throws {
        typealias URLRequestDispatcher = OfflineDispatcher
        let configuration = URLRequestDispatcher.Configuration()
        let url = Fixture.url("https://example.com/posts")
        let client = try OAuth2ClientCredentials(
            tokenURL: Fixture.url("https://example.com/token"),
            clientID: "reader",
            clientSecret: "hunter2",
            dispatcher: URLRequestDispatcher()
        )

        let budget = RetryBudget()
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [
                ResponseCache(.memory(limit: 16 << 20)),
                Coalescing(),
                RequestCompression(),
                RetryPolicy(budget: budget),
                Hedging(budget: budget),
                CircuitBreaker(),
                RateLimit(100),
                ConcurrencyLimit(32),
                try client.authenticationPolicy(origins: [url]),
            ]
        )

        #expect(try await dispatcher.data(for: URLRequest(url: url)).statusCode == .ok)
    }

    @Test func circuitBreaker() async throws {
        typealias URLRequestDispatcher = OfflineDispatcher

        let breaker = CircuitBreaker(failureRate: 0.5, minimumCalls: 20, window: .seconds(10), openTime: .seconds(5))
        let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy(), breaker])
        do {
            let response = try await dispatcher.data(for: request)
            print(response)
        } catch let error as CircuitBreaker.OpenError {
            print("\(error.origin) is down, try again in \(error.retryAfter)")
        }

        #expect(print.lines == ["HTTP/1.1 503 https://example.com/busy"])
    }

    @Test func limits() async throws {
        typealias URLRequestDispatcher = OfflineDispatcher

        do {
            // 10 requests a second to each server, and no more than 20 at once after a pause.
            let limit = RateLimit(10, burst: 20, scope: .origin)
            let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy(), limit])
            _ = try await dispatcher.data(for: request)
        }
        do {
            // At most 20 requests to each server; a request waits for at most two seconds.
            let limit = ConcurrencyLimit(20, scope: .origin, maximumWait: .seconds(2))
            let dispatcher = URLRequestDispatcher(interceptors: [RetryPolicy(), limit])
            _ = try await dispatcher.data(for: request)
        }
        let limit = ConcurrencyLimit(adapting: 1...200, scope: .origin, maximumWait: .seconds(1))
        let perServer = RateLimit(50, scope: .origin)
        let perTenant = RateLimit(10, scope: .key { $0.urlRequest.value(forHTTPHeaderField: "X-Tenant") })
        let dispatcher = URLRequestDispatcher(interceptors: [perServer, perTenant, limit])
        do {
            let response = try await dispatcher.data(for: request)
            print(response)
        } catch let error as LimitError {
            print("Busy, try again in \(error.wait ?? .seconds(1))")
        }
        #expect(print.lines == ["HTTP/1.1 503 https://example.com/busy"])
    }
}
