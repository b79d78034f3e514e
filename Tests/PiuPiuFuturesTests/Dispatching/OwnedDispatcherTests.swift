import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// Futures of a dispatcher whose adapter is its owner.
@MainActor
@Suite(.timeLimit(.generous)) struct OwnedDispatcherTests {
    private final class Client: URLRequestAdapter, URLResponseAdapter {
        private let stored = Locked<URLRequestDispatcher?>(nil)
        var dispatcher: URLRequestDispatcher? { stored.withLock { $0 } }

        init() {
            var configuration = URLRequestDispatcher.Configuration()
            configuration.transport.proxy = .none
            let dispatcher = URLRequestDispatcher(
                configuration: configuration,
                requestAdapter: self,
                responseAdapter: self
            )
            stored.withLock { $0 = dispatcher }
        }

        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            var request = urlRequest
            request.setValue("yes", forHTTPHeaderField: "X-Adapted")
            return request
        }

        func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse { urlResponse }
    }

    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
        server.route("/silent", .hold("here"), .stall)
    }

    @Test(arguments: RequestForm.allCases) func theOwnerIsReleased(form: RequestForm) async throws {
        weak var released: Client?
        do {
            let client = Client()
            released = client
            let dispatcher = try #require(client.dispatcher)
            #expect(await Ending.events(of: form.future(dispatcher, server.url("/"))) == ["success", "completion"])
        }
        #expect(released == nil)
        #expect(server.requests.map { $0.header("X-Adapted") } == ["yes"])
    }

    @Test(arguments: RequestForm.allCases) func releasingTheOwnerFails(form: RequestForm) async throws {
        var client: Client? = Client()
        weak let released = client
        let ending = Ending(of: form.future(try #require(client?.dispatcher), server.url("/silent")))
        #expect(await server.waitUntilHeld("here"))
        client = nil
        #expect(released == nil)
        #expect(await ending.wait() == ["error", "completion"])
    }

    @Test(arguments: RequestForm.allCases) func aLostAdapterIsAnError(form: RequestForm) async throws {
        let dispatcher = try #require(Client().dispatcher)
        let error = await Ending.error(of: form.future(dispatcher, server.url("/")))
        #expect(error.map { TransportError.Code.adapterReleased ~= $0 } == true)
        #expect(server.requests.isEmpty)
    }
}
