import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// All policies together, in the order that the documentation recommends, under calls that are cancelled at random.
@Suite(.timeLimit(.generous)) struct OnionTests {
    /// How much the policies allow.
    enum Limits: CaseIterable {
        /// So much that no call is refused.
        case wide
        /// So little that calls wait and are refused, and that the circuit opens.
        case tight

        /// The most exchanges at once.
        var concurrency: Int { self == .wide ? 50 : 10 }
        /// From how many cases the server chooses an answer; three of them are failures.
        var choices: Int { self == .wide ? 20 : 6 }
    }

    /// An origin with a token that never changes.
    private static let otherOrigin = "https://other.example"
    private static let fixedToken = "fixed"

    /// What the server is asked for, and how it answers.
    private final class Server: Sendable {
        struct State {
            var random: SeededRandom
            /// The most exchanges that were in flight at once.
            var most = 0
            var token = 1
            /// How often each request that must not be done twice was done.
            var done: [String: Int] = [:]
            /// The number of requests with the token of another origin.
            var misplacedTokens = 0
            /// The number of requests to the origin whose token never changes.
            var otherCount = 0
            /// The calls, from which the server cancels some while it answers.
            var calls: [Task<Void, Never>] = []
        }

        let state: Locked<State>
        private let choices: Int

        init(_ limits: Limits, seed: UInt64) {
            choices = limits.choices
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
            let (choice, isAuthorized, cancelled) = state.withLock { state in
                state.most = max(state.most, exchangeCount)
                // A token expires now and then.
                if state.random.below(300) == 0 { state.token += 1 }
                let token = request.urlRequest.value(forHTTPHeaderField: "Authorization")
                let isOther = request.url.absoluteString.hasPrefix(OnionTests.otherOrigin)
                if isOther { state.otherCount += 1 }
                if (token == "Bearer \(OnionTests.fixedToken)") != isOther { state.misplacedTokens += 1 }
                let (choice, isAuthorized) = (state.random.below(choices), isOther || token == "Bearer \(state.token)")
                let id = request.urlRequest.value(forHTTPHeaderField: "X-Unsafe")
                if let id, request.urlRequest.httpMethod == "POST", isAuthorized, choice != 2 {
                    state.done[id, default: 0] += 1
                }
                let isCancelling = !state.calls.isEmpty && state.random.picks(30)
                return (choice, isAuthorized, isCancelling ? state.random.element(of: state.calls) : nil)
            }
            cancelled?.cancel()
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

    /// Objects that must be gone when the dispatcher is.
    private struct Weak {
        weak var coalescing: Coalescing?
        weak var hedging: Hedging?
        weak var rate: RateLimit?
        weak var limit: ConcurrencyLimit?
        weak var authentication: AuthenticationPolicy<Int>?
    }

    private func dispatcher(
        _ limits: Limits,
        _ server: Server,
        _ transport: MockTransport,
        _ observer: EventOrderChecker,
        onStateChange: @escaping CircuitBreaker.StateChangeHandler
    ) throws -> (URLRequestDispatcher, Weak) {
        let isTight = limits == .tight
        let budget = isTight ? RetryBudget(ratio: 0.5, perSecond: 1000) : RetryBudget(ratio: 1, perSecond: 1_000_000)
        let authentication = try AuthenticationPolicy<Int>(
            origins: [Fixture.url("https://example.com")],
            credential: 1,
            apply: { $1.setValue("Bearer \($0)", forHTTPHeaderField: "Authorization") },
            refresh: { _ in server.newToken() }
        )
        let breaker = CircuitBreaker(
            failureRate: isTight ? 0.3 : 0.95,
            minimumCalls: isTight ? 20 : 1000,
            openTime: .milliseconds(1),
            longestOpenTime: .milliseconds(1),
            onStateChange: onStateChange
        )
        let rate =
            isTight
            ? RateLimit(2000, burst: 20, maximumWaiting: 800)
            : RateLimit(1_000_000, burst: 1_000_000, maximumWaiting: 100_000)
        let limit = ConcurrencyLimit(limits.concurrency, maximumWaiting: isTight ? 50 : 100_000)
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
                breaker,
                rate,
                limit,
                authentication,
            ],
            requestAdapters: [try BearerToken(Self.fixedToken, origins: [Fixture.url(Self.otherOrigin)])],
            transport: transport
        )
        let weak = Weak(
            coalescing: coalescing,
            hedging: hedging,
            rate: rate,
            limit: limit,
            authentication: authentication
        )
        return (dispatcher, weak)
    }

    /// Makes one call of a random kind.
    private static func call(
        _ number: Int,
        _ dispatcher: URLRequestDispatcher,
        _ folder: DownloadFolder,
        _ seed: UInt64
    ) async throws {
        var random = SeededRandom(seed: seed)
        let origin = random.picks(20) ? otherOrigin : "https://example.com"
        let path = Fixture.url("\(origin)/\(random.below(10))")
        var request = URLRequest(url: path, method: .get)
        switch random.below(7) {
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
        case 5: _ = try await dispatcher.download(for: request, to: folder["\(number)"]).response()
        default:
            for try await _ in try await dispatcher.stream(for: request).data where random.picks(50) { break }
        }
    }

    /// The errors that calls may end with.
    private static func allowedOutcomes(_ limits: Limits) -> Set<String> {
        let always: Set = [
            "response", "CancellationError", "TransportError connectionLost", "TransportError cannotConnect",
            "TransportError truncatedBody", "TransportError redirectLoop",
            // A download, if the server is busy each time.
            "TransferError unacceptableStatus",
        ]
        return limits == .wide ? always : always.union(["LimitError", "OpenError"])
    }

    private static func name(of error: any Error) -> String {
        let code = (error as? TransportError)?.code.description ?? (error as? TransferError)?.code.description
        return ["\(type(of: error))", code].compactMap { $0 }.joined(separator: " ")
    }

    @Test(arguments: Limits.allCases, 0..<3)
    func everyCallEndsOnceAndNothingIsLeft(limits: Limits, seed: Int) async throws {
        let server = Server(limits, seed: UInt64(seed))
        let exchanges = Locked<MockTransport?>(nil)
        let transport = MockTransport { request in
            try await server.answer(request, exchanges.withLock { $0 }?.exchangeCount ?? 0)
        }
        exchanges.withLock { $0 = transport }
        defer { exchanges.withLock { $0 = nil } }
        let checker = EventOrderChecker()
        let openings = Locked(0)
        var (dispatcher, weak): (URLRequestDispatcher?, Weak) = try dispatcher(limits, server, transport, checker) {
            change in
            if change.to == .open { openings.withLock { $0 += 1 } }
        }
        let folder = try DownloadFolder()
        let count = max(300, rounds(1000))
        let ends = Locked([Int](repeating: 0, count: count))
        let outcomes = Locked<[String: Int]>([:])
        var mostWaiting = 0
        do {
            let dispatcher = try #require(dispatcher)
            // All of them are in flight at once.
            let calls = (0..<count).map { number in
                Task {
                    let name: String
                    do {
                        try await Self.call(number, dispatcher, folder, UInt64(seed * count + number))
                        name = "response"
                    } catch {
                        name = Self.name(of: error)
                    }
                    ends.withLock { $0[number] += 1 }
                    outcomes.withLock { $0[name, default: 0] += 1 }
                }
            }
            server.state.withLock { $0.calls = calls }
            var random = SeededRandom(seed: UInt64(seed) + 77)
            for call in calls {
                for _ in 0..<random.below(4) { await Task.yield() }
                if random.picks(40) { call.cancel() }
                mostWaiting = max(mostWaiting, weak.rate?.waitingCount ?? 0)
            }
            for call in calls { await call.value }
            await dispatcher.shutdown()
        }
        #expect(checker.order.openCallCount == 0)
        // The exchange of a hedge that lost may end after its call.
        while checker.order.openExchangeCount > 0 { await Task.yield() }
        #expect(checker.order.violations == [])
        #expect(ends.withLock { $0 } == [Int](repeating: 1, count: count))
        let seen = outcomes.withLock { $0 }
        #expect(Set(seen.keys).subtracting(Self.allowedOutcomes(limits)).isEmpty, "\(seen)")
        switch limits {
        case .wide:
            #expect(checker.order.exchangeCount > count / 4)
            #expect((seen["response"] ?? 0) > count / 4, "\(seen)")
        case .tight:
            #expect((seen["response"] ?? 0) > 0, "\(seen)")
            #expect(mostWaiting > 0 || seen["LimitError"] != nil, "\(seen)")
            #expect(openings.withLock { $0 } > 0, "\(seen)")
        }
        #expect((seen["CancellationError"] ?? 0) > 0, "\(seen)")
        let state = server.state.withLock { $0 }
        #expect(state.most <= limits.concurrency)
        #expect(state.misplacedTokens == 0)
        #expect(state.otherCount > 0)
        #expect(transport.exchangeCount == 0)
        #expect(!state.done.isEmpty && state.done.values.allSatisfy { $0 == 1 })
        #expect(folder.openDescriptors == 0)
        dispatcher = nil
        #expect(weak.coalescing == nil && weak.hedging == nil && weak.authentication == nil)
        #expect(weak.rate == nil && weak.limit == nil)
    }
}
