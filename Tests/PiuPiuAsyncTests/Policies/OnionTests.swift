import PiuPiuTesting
import TestSupport
import Testing

@testable import PiuPiuAsync

/// All policies together, in the order that the documentation recommends, under calls that are cancelled at random.
@Suite(.timeLimit(.generous)) struct OnionTests {
    /// What the server is asked for, and how it answers.
    private final class Server: Sendable {
        struct State {
            var random: SeededRandom
            /// The most exchanges that were in flight at once.
            var most = 0
            var token = 1
            /// How often each request that must not be done twice was done.
            var done: [String: Int] = [:]
        }

        let state: Locked<State>

        init(seed: UInt64) {
            state = Locked(State(random: SeededRandom(seed: seed)))
        }

        /// The token that is accepted now; a new one replaces it.
        func newToken() -> Int {
            state.withLock {
                $0.token += 1
                return $0.token
            }
        }

        func answer(_ request: MockRequest, _ exchangeCount: Int) async throws -> MockAnswer {
            let (choice, isAuthorized) = state.withLock { state in
                state.most = max(state.most, exchangeCount)
                // A token expires now and then.
                if state.random.below(300) == 0 { state.token += 1 }
                let token = request.urlRequest.value(forHTTPHeaderField: "Authorization")
                let (choice, isAuthorized) = (state.random.below(20), token == "Bearer \(state.token)")
                let id = request.urlRequest.value(forHTTPHeaderField: "X-Unsafe")
                if let id, request.urlRequest.httpMethod == "POST", isAuthorized, choice != 2 {
                    state.done[id, default: 0] += 1
                }
                return (choice, isAuthorized)
            }
            for _ in 0..<choice { await Task.yield() }
            guard isAuthorized else { return MockAnswer(.unauthorized) }
            switch choice {
            case 0: return MockAnswer(.serviceUnavailable, headers: ["Retry-After": "0"], body: "busy")
            case 1: return .failure(TransportError(.connectionLost, request: request.urlRequest))
            case 2: return .failure(TransportError(.cannotConnect, request: request.urlRequest))
            case 3: return MockAnswer(.found, headers: ["Location": "/elsewhere"])
            case 4: return MockAnswer(.ok, pieces: ["first"], ending: .failure(TransportError(.truncatedBody)))
            default: return MockAnswer(.ok, pieces: [MockAnswer.Piece("a"), MockAnswer.Piece("b")])
            }
        }
    }

    private static let concurrency = 50

    /// Objects that must be gone when the dispatcher is.
    private struct Weak {
        weak var coalescing: Coalescing?
        weak var hedging: Hedging?
        weak var limit: ConcurrencyLimit?
        weak var authentication: AuthenticationPolicy<Int>?
    }

    private func dispatcher(
        _ server: Server,
        _ transport: MockTransport,
        _ observer: EventOrderChecker
    ) throws -> (URLRequestDispatcher, Weak) {
        let budget = RetryBudget(ratio: 1, perSecond: 1_000_000)
        let authentication = try AuthenticationPolicy<Int>(
            origins: [Fixture.url("https://example.com")],
            credential: 1,
            apply: { $1.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") },
            refresh: { _ in server.newToken() }
        )
        let limit = ConcurrencyLimit(Self.concurrency, maximumWaiting: 100_000)
        let (coalescing, hedging) = (Coalescing(), Hedging(after: .fixed(.milliseconds(1)), budget: budget))
        let backoff = Backoff(base: .microseconds(10), maximum: .milliseconds(1))
        var configuration = URLRequestDispatcher.Configuration()
        // Timers run, but never decide how a call ends.
        configuration.timeouts.total = .seconds(300)
        configuration.observers = [observer]
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [
                coalescing,
                RequestCompression(),
                RetryPolicy(retries: 3, backoff: backoff, attemptTimeout: .seconds(200), budget: budget),
                hedging,
                CircuitBreaker(failureRate: 0.95, minimumCalls: 1000, openTime: .milliseconds(1)),
                RateLimit(1_000_000, burst: 1_000_000, maximumWaiting: 100_000),
                limit,
                authentication,
            ],
            transport: transport
        )
        let weak = Weak(coalescing: coalescing, hedging: hedging, limit: limit, authentication: authentication)
        return (dispatcher, weak)
    }

    /// Makes one call of a random kind.
    private static func call(_ number: Int, _ dispatcher: URLRequestDispatcher, _ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let path = Fixture.url("https://example.com/\(random.below(10))")
        var request = URLRequest(url: path, method: .get)
        switch random.below(6) {
        case 0, 1: _ = try await dispatcher.data(for: request)
        case 2:
            request = URLRequest(url: path, method: .post)
            request.httpBody = Data(repeating: 7, count: 4096)
            request.setValue("\(number)", forHTTPHeaderField: "X-Unsafe")
            _ = try await dispatcher.data(for: request)
        case 3:
            request = URLRequest(url: path, method: .put)
            _ = try await dispatcher.upload(for: request, from: .data(Data(repeating: 7, count: 4096))).response()
        case 4:
            let body = try await dispatcher.stream(for: request).data
            if random.picks(50) { for try await _ in body {} }
        default:
            for try await _ in try await dispatcher.stream(for: request).data where random.picks(50) { break }
        }
    }

    @Test(arguments: 0..<3) func everyCallEndsOnceAndNothingIsLeft(seed: Int) async throws {
        let server = Server(seed: UInt64(seed))
        let exchanges = Locked<MockTransport?>(nil)
        let transport = MockTransport { request in
            try await server.answer(request, exchanges.withLock { $0 }?.exchangeCount ?? 0)
        }
        exchanges.withLock { $0 = transport }
        defer { exchanges.withLock { $0 = nil } }
        let checker = EventOrderChecker()
        var (dispatcher, weak): (URLRequestDispatcher?, Weak) = try dispatcher(server, transport, checker)
        let count = 1000
        let ends = Locked([Int](repeating: 0, count: count))
        let outcomes = Locked<[String: Int]>([:])
        do {
            let dispatcher = try #require(dispatcher)
            // All of them are in flight at once.
            let calls = (0..<count).map { number in
                Task {
                    let name: String
                    do {
                        try await Self.call(number, dispatcher, UInt64(seed * count + number))
                        name = "response"
                    } catch {
                        name = "\(type(of: error)) \((error as? TransportError)?.code.description ?? "")"
                    }
                    ends.withLock { $0[number] += 1 }
                    outcomes.withLock { $0[name, default: 0] += 1 }
                }
            }
            var random = SeededRandom(seed: UInt64(seed) + 77)
            for call in calls {
                for _ in 0..<random.below(4) { await Task.yield() }
                if random.picks(40) { call.cancel() }
            }
            for call in calls { await call.value }
            await dispatcher.shutdown()
        }
        #expect(checker.order.openCallCount == 0)
        // The exchange of a hedge that lost may end after its call.
        while checker.order.openExchangeCount > 0 { await Task.yield() }
        #expect(checker.order.violations == [])
        #expect(checker.order.exchangeCount > count / 4)
        #expect(ends.withLock { $0 } == [Int](repeating: 1, count: count))
        let allowed: Set = [
            "response", "CancellationError ", "TransportError connectionLost", "TransportError cannotConnect",
            "TransportError truncatedBody", "TransportError redirectLoop",
        ]
        let seen = outcomes.withLock { $0 }
        #expect(Set(seen.keys).subtracting(allowed).isEmpty, "\(seen)")
        #expect((seen["response"] ?? 0) > count / 4, "\(seen)")
        let state = server.state.withLock { $0 }
        #expect(state.most <= Self.concurrency)
        #expect(transport.exchangeCount == 0)
        #expect(!state.done.isEmpty && state.done.values.allSatisfy { $0 == 1 })
        dispatcher = nil
        #expect(weak.coalescing == nil && weak.hedging == nil && weak.limit == nil && weak.authentication == nil)
    }
}
