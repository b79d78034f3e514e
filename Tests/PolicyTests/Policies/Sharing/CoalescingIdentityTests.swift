import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

/// No user gets the response of another, wherever the credential comes from.
@Suite(.timeLimit(.generous)) struct CoalescingIdentityTests {
    @TaskLocal private static var user = "nobody"

    /// What adds the user to the request, after the policy in the list.
    enum Source: String, CaseIterable, CustomTestStringConvertible {
        case adapter, weakAdapter, interceptor, hop, authentication, query

        var testDescription: String { rawValue }
    }

    private struct UserAdapter: URLRequestAdapter {
        func adapt(urlRequest: URLRequest) async throws -> URLRequest { CoalescingIdentityTests.adding(urlRequest) }
    }

    private final class UserObject: URLRequestAdapter {
        func adapt(urlRequest: URLRequest) async throws -> URLRequest { CoalescingIdentityTests.adding(urlRequest) }
    }

    private static func adding(_ request: URLRequest) -> URLRequest {
        var request = request
        request.setValue(user, forHTTPHeaderField: "Authorization")
        return request
    }

    private let gate = Gate()
    private let policy = Coalescing()
    private let object = UserObject()

    /// Answers with the name of the user.
    private var transport: ScriptedTransport {
        ScriptedTransport { [gate] request in
            try await gate.wait()
            let sent = request.urlRequest
            return .scripted(
                200,
                for: request,
                body: sent.value(forHTTPHeaderField: "Authorization") ?? sent.url?.query ?? ""
            )
        }
    }

    private func dispatcher(
        _ source: Source,
        _ transport: ScriptedTransport,
        _ others: [any Interceptor] = []
    ) throws -> URLRequestDispatcher {
        let list: [any Interceptor] = [policy] + others
        switch source {
        case .adapter:
            return URLRequestDispatcher(interceptors: list, requestAdapters: [UserAdapter()], transport: transport)
        case .weakAdapter:
            let adapters = AdapterInterceptor(requestAdapters: [AdapterReference(weak: object)], responseAdapters: [])
            return URLRequestDispatcher(.init(), list, adapters, transport)
        case .interceptor, .hop:
            let jar = Intercepting(eachHop: source == .hop) { request, next in
                var request = request
                request.urlRequest = Self.adding(request.urlRequest)
                return try await next(request)
            }
            return URLRequestDispatcher(interceptors: list + [jar], transport: transport)
        case .authentication:
            let authentication = try AuthenticationPolicy<String>(
                origins: [Fixture.url],
                credential: "",
                apply: { $1 = Self.adding($1) },
                refresh: { $0 ?? "" }
            )
            return URLRequestDispatcher(interceptors: list + [authentication], transport: transport)
        case .query:
            let signing = Intercepting { request, next in
                var request = request
                request.urlRequest.url?.append(queryItems: [URLQueryItem(name: "user", value: Self.user)])
                return try await next(request)
            }
            return URLRequestDispatcher(interceptors: list + [signing], transport: transport)
        }
    }

    private func call(_ dispatcher: URLRequestDispatcher, as user: String) -> Task<String, any Error> {
        Self.$user.withValue(user) { Task { try await dispatcher.data(for: Fixture.request).decodeString() } }
    }

    @Test(arguments: Source.allCases, [false, true])
    func everyUserGetsTheirOwnResponse(from source: Source, isRetried: Bool) async throws {
        let transport = transport
        let others: [any Interceptor] = isRetried ? [RetryPolicy(), CircuitBreaker(), ConcurrencyLimit(32)] : []
        let dispatcher = try dispatcher(source, transport, others)
        let names = ["alice", "bob", "alice", "bob", "carol"]
        let calls = names.map { call(dispatcher, as: $0) }
        await policy.waiters(5)
        gate.open()
        for (name, call) in zip(names, calls) {
            #expect(try await call.value == (source == .query ? "user=\(name)" : name))
        }
        // Requests of the same user still share.
        #expect(transport.requests.count == 3)
    }

    @Test func aPolicyThatIsCalledBeforeTheRequestIsWholeSharesNothing() async throws {
        let transport = transport
        let wrapper = Intercepting { [policy] in try await policy.intercept($0, next: $1) }
        let dispatcher = URLRequestDispatcher(
            interceptors: [wrapper],
            requestAdapters: [UserAdapter()],
            transport: transport
        )
        let calls = ["alice", "bob"].map { call(dispatcher, as: $0) }
        await gate.arrival(of: 2)
        gate.open()
        #expect(try await [calls[0].value, calls[1].value] == ["alice", "bob"])
    }

    @Test func adaptersOfResponsesAnswerToTheirOwnCaller() async throws {
        struct Greeting: URLResponseAdapter {
            func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
                let fields = ["X-User": CoalescingIdentityTests.user]
                return HTTPURLResponse(url: Fixture.url, statusCode: 200, httpVersion: nil, headerFields: fields)
                    ?? urlResponse
            }
        }
        let dispatcher = URLRequestDispatcher(
            interceptors: [policy],
            responseAdapters: [Greeting()],
            transport: transport
        )
        let calls = ["alice", "bob"].map { user in
            Self.$user.withValue(user) { Task { try await dispatcher.data(for: Fixture.request).headers["X-User"] } }
        }
        await policy.waiters(2)
        gate.open()
        #expect(try await [calls[0].value, calls[1].value] == ["alice", "bob"])
    }

    /// What is known to treat all callers alike runs once.
    @Test func fixedCredentialsAreSharedWithTheirRetries() async throws {
        let count = Locked(0)
        let transport = ScriptedTransport { [gate] request in
            try await gate.wait()
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return .scripted(isFirst ? 503 : 200, for: request)
        }
        let dispatcher = URLRequestDispatcher(
            interceptors: [policy, RetryPolicy(backoff: Backoff(base: .zero))],
            requestAdapters: [try BearerToken("fixed", origins: [Fixture.url])],
            transport: transport
        )
        let calls = (0..<10).map { _ in Task { try await dispatcher.data(for: Fixture.request) } }
        await policy.waiters(10)
        gate.open()
        for call in calls {
            let response = try await call.value
            #expect(response.statusCode == .ok)
            #expect(response.attempts.count == 2)
        }
        #expect(transport.requests.count == 2)
    }

    #if os(Linux)
    /// A client certificate belongs to the configuration.
    @Test func aChangedConfigurationIsAnotherClient() async throws {
        let server = try LoopbackServer()
        server.route("/a", .hold("a"), .response(body: "first"))
        let transport = try SocketTransport()
        let dispatcher = URLRequestDispatcher(interceptors: [policy], transport: transport)
        let first = Task { try await dispatcher.data(from: server.url("/a")).decodeString() }
        await policy.waiters(1)
        await server.waitUntilHeld("a")
        var configuration = transport.configuration
        configuration.network.maximumIdleTime = .seconds(60)
        try transport.reconfigure(configuration)
        let second = Task { try await dispatcher.data(from: server.url("/a")).decodeString() }
        await policy.waiters(2)
        server.release("a")
        #expect(try await [first.value, second.value] == ["first", "first"])
        #expect(server.requests.count == 2)
    }
    #endif
}
