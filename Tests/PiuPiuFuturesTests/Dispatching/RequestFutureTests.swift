import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

@MainActor
@Suite(.timeLimit(.generous))
struct RequestFutureTests {
    private struct Failure: Error {}

    private struct TokenAdapter: URLRequestAdapter {
        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            var request = urlRequest
            request.setValue("Bearer 1", forHTTPHeaderField: "Authorization")
            return request
        }
    }

    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher.forTests()

    init() throws {
        server = try LoopbackServer()
        server.route("GET", "/", .response(body: "hello"))
        server.route("PUT", "/", .echo)
        server.route("/silent", .hold("here"), .stall)
        server.route("/half", .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hold("here"), .stall)
    }

    @Test(arguments: RequestForm.allCases)
    func everyFormGivesTheResponse(form: RequestForm) async throws {
        let response = try await form.future(dispatcher, server.url("/")).fetchResult()
        #expect(response.data == (form.rawValue.hasPrefix("upload") ? "body" : "hello"))
        #expect(response.statusCode == .ok)
    }

    @Test func theClosureMayBeWrittenInEveryWay() async throws {
        let get = URLRequest(url: server.url("/"), method: .get)
        let put = URLRequest(url: server.url("/"), method: .put)
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let datas = [
            dispatcher.dataFuture { get },
            dispatcher.dataFuture(from: { get }),
            dispatcher.dataFuture(from: {
                var request = get
                request.setValue("fr", forHTTPHeaderField: "Accept-Language")
                return request
            }),
            dispatcher.uploadFuture(with: Data("hello".utf8)) { put },
            dispatcher.uploadFuture(with: Data("hello".utf8), from: { put }),
        ]
        for future in datas { #expect(try await future.fetchResult().decodeString() == "hello") }
        let downloads = [
            dispatcher.downloadFuture(destination: file) { get },
            dispatcher.downloadFuture(destination: file, from: { get }),
        ]
        for future in downloads { #expect(try await future.fetchResult().data == file) }
    }

    // K10, rule 15, rule 16
    @Test(arguments: RequestForm.allCases)
    func nothingHappensBeforeSend(form: RequestForm) async throws {
        let made = Locked(0)
        var future: ResponseFuture? = form.future(dispatcher, server.url("/")) {
            made.withLock { $0 += 1 }
            return nil
        }
        #expect(future?.status == .created)
        future = nil
        #expect(made.withLock { $0 } == 0)
        #expect(server.acceptedConnections == 0)
        // An unsent future holds nothing that would keep the dispatcher from ending.
        await dispatcher.shutdown()
    }

    // K3, B22, rule 7, rule 8
    @Test(arguments: RequestForm.closures)
    func nilCancelsAndAnErrorEndsIt(form: RequestForm) async throws {
        let none = form.future(dispatcher, server.url("/")) { nil }
        #expect(await Ending.events(of: none) == ["cancellation", "completion"])
        let error = await Ending.error(of: form.future(dispatcher, server.url("/")) { throw Failure() })
        #expect(error is Failure)
        #expect(server.requests.isEmpty)
    }

    // K5, K23, B35, rule 2
    @Test(arguments: RequestForm.allCases)
    func releasedBeforeSendFails(form: RequestForm) async throws {
        var dispatcher: URLRequestDispatcher? = .forTests()
        let future = form.future(try #require(dispatcher), server.url("/"))
        dispatcher = nil
        #expect(await Ending.events(of: future) == ["error", "completion"])
        #expect(server.acceptedConnections == 0)
    }

    // B34, rule 2
    @Test(arguments: RequestForm.allCases, ["/silent", "/half"])
    func releasedWhileItRunsFailsAndCloses(form: RequestForm, path: String) async throws {
        var dispatcher: URLRequestDispatcher? = .forTests()
        let ending = Ending(of: form.future(try #require(dispatcher), server.url(path)))
        #expect(await server.waitUntilHeld("here"))
        dispatcher = nil
        #expect(await ending.wait() == ["error", "completion"])
        #expect((ending.error as? TransportError)?.code == .shutDown)
        server.release("here")
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    // K4, B21, rule 3, rule 15
    @Test(arguments: RequestForm.allCases, ["/silent", "/half"])
    func cancelReachesTheSocket(form: RequestForm, path: String) async throws {
        let future = form.future(dispatcher, server.url(path))
        let ending = Ending(of: future)
        #expect(await server.waitUntilHeld("here"))
        future.cancel()
        #expect(await ending.wait() == ["cancellation", "completion"])
        server.release("here")
        #expect(await server.waitForOpenConnections(atMost: 0))
        #expect(future.status == .cancelled)
    }

    // B36, rule 15
    @Test(arguments: RequestForm.allCases)
    func theDispatcherEndsItToo(form: RequestForm) async throws {
        let ending = Ending(of: form.future(dispatcher, server.url("/silent")))
        #expect(await server.waitUntilHeld("here"))
        dispatcher.invalidateAndCancel()
        #expect(await ending.wait() == ["cancellation", "completion"])
        // What is sent afterwards is refused; PiuPiu 1 ended the process.
        let late = try await failure { try await form.future(dispatcher, server.url("/")).fetchResult() }
        #expect((late as? TransportError)?.code == .shutDown)
        server.release("here")
    }

    // B30, rule 12
    @Test(arguments: [400, 404, 500, 503])
    func anErrorStatusIsAResponse(status: Int) async throws {
        server.route("/status", .response(status: status, body: "sorry"))
        for form in [RequestForm.data, .dataClosure, .upload, .uploadBody, .uploadClosure] {
            let response = try await form.future(dispatcher, server.url("/status")).fetchResult()
            #expect(response.statusCode.rawValue == status)
            #expect(response.httpError?.statusCode.rawValue == status)
            #expect(response.data == "sorry")
        }
    }

    // B31, rule 13
    @Test func anEmptyBodyIsNil() async throws {
        server.route("/empty", .response(status: 204))
        let response = try await dispatcher.dataFuture(from: URLRequest(url: server.url("/empty"))).fetchResult()
        #expect(response.data == nil)
        #expect(throws: ResponseError.unexpectedEmptyResponse) { try response.unwrapData() }
    }

    // K1, B33, rule 11
    @Test(arguments: RequestForm.allCases)
    func whatARequestAdapterReturnsIsSent(form: RequestForm) async throws {
        let dispatcher = URLRequestDispatcher.forTests(requestAdapters: [TokenAdapter()])
        let response = try await form.future(dispatcher, server.url("/")).fetchResult()
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer 1"])
        #expect(response.urlRequest.value(forHTTPHeaderField: "Authorization") == "Bearer 1")
    }

    @Test func uploadedDataTakesThePlaceOfABody() async throws {
        var request = URLRequest(url: server.url("/"), method: .put)
        request.httpBody = Data("old".utf8)
        let response = try await dispatcher.uploadFuture(from: request, with: Data("new".utf8)).fetchResult()
        #expect(try response.decodeString() == "new")
    }

    // B39, rule 15: Foundation for Linux reads no files either.
    @Test(arguments: RequestForm.allCases, ["/only/a/path", "file:///etc/passwd", "ftp://127.0.0.1/"])
    func aURLThatIsNotOfTheWebIsAnError(form: RequestForm, text: String) async throws {
        let url = try #require(URL(string: text))
        let error = try await failure { try await form.future(dispatcher, url).fetchResult() }
        #expect((error as? TransportError)?.code == .unsupportedScheme)
    }

    // K8, B45, rule 5: a process whose main thread waits never got a callback.
    @MainActor @Test func nothingWaitsForTheMainThread() async throws {
        let future = RequestForm.data.future(dispatcher, server.url("/")).then { $0.data }
        let done = DispatchSemaphore(value: 0)
        let value = Locked<String?>(nil)
        Task.detached {
            let text = try? await future.fetchResult()
            value.withLock { $0 = text }
            done.signal()
        }
        func block() -> DispatchTimeoutResult { done.wait(timeout: .now() + 600) }
        #expect(block() == .success)
        #expect(value.withLock { $0 } == "hello")
    }
}
