import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// Which adapters a dispatcher keeps alive, and what becomes of requests without them.
@Suite(.timeLimit(.generous)) struct AdapterOwnershipTests {
    /// The kinds of adapters that a dispatcher can have.
    enum Kind: CaseIterable, Sendable {
        case request, response, both
    }

    /// Marks requests, and may wait with responses.
    private final class Adapter: Marking {
        let gate: Gate?

        init(gate: Gate? = nil) {
            self.gate = gate
        }
    }

    /// An object that owns the dispatcher whose adapter it is.
    private final class Owner: Marking {
        private let stored = Locked<URLRequestDispatcher?>(nil)
        var dispatcher: URLRequestDispatcher? { stored.withLock { $0 } }

        init(_ kind: Kind) {
            let dispatcher = AdapterOwnershipTests.dispatcher(kind, self)
            stored.withLock { $0 = dispatcher }
        }
    }

    private struct Value: Marking {
        func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
            URLResponse(url: Fixture.url, mimeType: "adapted", expectedContentLength: 0, textEncodingName: nil)
        }
    }

    private static func dispatcher(
        _ kind: Kind,
        _ adapter: any URLRequestAdapter & URLResponseAdapter
    ) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        return switch kind {
        case .request: URLRequestDispatcher(configuration: configuration, requestAdapter: adapter)
        case .response: URLRequestDispatcher(configuration: configuration, responseAdapter: adapter)
        case .both:
            URLRequestDispatcher(configuration: configuration, requestAdapter: adapter, responseAdapter: adapter)
        }
    }

    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
    }

    @Test(arguments: Kind.allCases) func anOwnerThatIsTheAdapterIsReleased(_ kind: Kind) async throws {
        weak var released: Owner?
        do {
            let owner = Owner(kind)
            released = owner
            let response = try await owner.dispatcher?.data(from: server.url("/"))
            #expect(response?.statusCode == .ok)
        }
        #expect(server.requests.map { $0.header("X-Adapted") } == [kind == .response ? nil : "yes"])
        #expect(released == nil)
    }

    @Test(arguments: Kind.allCases) func nothingIsSentWithoutTheAdapter(_ kind: Kind) async throws {
        var adapter: Adapter? = Adapter()
        let dispatcher = Self.dispatcher(kind, try #require(adapter))
        _ = try await dispatcher.data(from: server.url("/"))
        adapter = nil
        server.forgetRequests()
        let request = URLRequest("GET", server.url("/"), headers: ["Authorization": "secret"])
        for _ in 0..<2 {
            let thrown = try await failure { try await dispatcher.data(for: request) }
            let error = try #require(thrown as? TransportError)
            #expect(error.code == .adapterReleased)
            #expect("\(error)".contains("Adapter"), "\(error)")
            #expect(!"\(error)".contains("secret"))
            #expect(error.request?.value(forHTTPHeaderField: "Authorization") != "secret")
        }
        await #expect(throws: TransportError.self) { try await dispatcher.stream(for: request) }
        #expect(server.requests.isEmpty)
    }

    @Test func oneOfTwoAdaptersIsNotEnough() async throws {
        let kept = Adapter()
        var dispatchers: [URLRequestDispatcher] = []
        do {
            let lost = Adapter()
            var configuration = URLRequestDispatcher.Configuration()
            configuration.transport.proxy = .none
            dispatchers = [
                URLRequestDispatcher(configuration: configuration, requestAdapter: kept, responseAdapter: lost),
                URLRequestDispatcher(configuration: configuration, requestAdapter: lost, responseAdapter: kept),
            ]
        }
        for dispatcher in dispatchers {
            let error = try await failure { try await dispatcher.data(from: server.url("/")) }
            #expect(TransportError.Code.adapterReleased ~= error)
        }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: Kind.allCases) func aValueIsHeld(_ kind: Kind) async throws {
        let dispatcher = Self.dispatcher(kind, Value())
        let response = try await dispatcher.data(from: server.url("/"))
        #expect(server.requests.map { $0.header("X-Adapted") } == [kind == .response ? nil : "yes"])
        #expect((response.urlResponse.mimeType == "adapted") == (kind != .request))
    }

    @Test func adaptersOfTheListsAreHeld() async throws {
        weak var released: Adapter?
        var dispatcher: URLRequestDispatcher?
        do {
            let adapter = Adapter()
            released = adapter
            dispatcher = URLRequestDispatcher(requestAdapters: [adapter], responseAdapters: [adapter])
        }
        #expect(released != nil)
        dispatcher = nil
        #expect(dispatcher == nil && released == nil)
    }

    @Test func aResponseIsNotDeliveredWithoutItsAdapter() async throws {
        server.route("/held", .hold("here"), .response(body: "late"))
        var adapter: Adapter? = Adapter()
        let dispatcher = Self.dispatcher(.response, try #require(adapter))
        let url = server.url("/held")
        let call = Task { try await dispatcher.data(from: url) }
        #expect(await server.waitUntilHeld("here"))
        adapter = nil
        server.release("here")
        let error = try await failure { try await call.value }
        #expect(TransportError.Code.adapterReleased ~= error)
    }

    @Test func anAdapterLivesWhileItAdapts() async throws {
        let gate = Gate()
        var adapter: Adapter? = Adapter(gate: gate)
        let dispatcher = Self.dispatcher(.response, try #require(adapter))
        let url = server.url("/")
        let call = Task { try await dispatcher.data(from: url) }
        await gate.arrival()
        adapter = nil
        gate.open()
        #expect(try await call.value.statusCode == .ok)
    }
}

/// An adapter that marks requests.
private protocol Marking: URLRequestAdapter, URLResponseAdapter {
    /// Where responses wait.
    var gate: Gate? { get }
}

extension Marking {
    var gate: Gate? { nil }

    func adapt(urlRequest: URLRequest) async throws -> URLRequest {
        var request = urlRequest
        request.setValue("yes", forHTTPHeaderField: "X-Adapted")
        return request
    }

    func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
        try await gate?.wait()
        return urlResponse
    }
}
