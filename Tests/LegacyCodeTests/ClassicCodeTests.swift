import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

// This target is in the Swift 5 language mode, without upcoming features: it compiles code as users of PiuPiu 1.11.1
// have it, with nothing changed but the import.

/// Names and forms of PiuPiu 1.11.1 beside those in its documents.
@Suite(.timeLimit(.minutes(10))) struct ClassicCodeTests {
    private final class Adapter: URLRequestAdapter, URLResponseAdapter {
        func adapt(urlRequest: URLRequest) async throws -> URLRequest { urlRequest }
        func adapt(urlResponse: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse { urlResponse }
    }

    /// An object that owns the dispatcher whose adapter it is.
    ///
    /// Without `@unchecked Sendable`, which PiuPiu 1 did not need, the compiler warns of the lazy property.
    private final class Client: URLRequestAdapter, @unchecked Sendable {
        lazy var dispatcher = URLRequestDispatcher(requestAdapter: self)
        weak var other: (URLRequestAdapter & AnyObject)?

        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            var request = urlRequest
            request.addValue("yes", forHTTPHeaderField: "X-Adapted")
            return request
        }
    }

    private let server: LoopbackServer
    private let adapter = Adapter()

    init() throws {
        server = try LoopbackServer()
        server.route("/", .response(body: "hello"))
    }

    @Test func everyInitializerOfADispatcherIsThere() async throws {
        let session = URLSessionConfiguration.default
        session.timeoutIntervalForRequest = 7
        let dispatchers = [
            URLRequestDispatcher(requestAdapter: adapter),
            URLRequestDispatcher(responseAdapter: adapter),
            URLRequestDispatcher(requestAdapter: adapter, responseAdapter: adapter),
            URLRequestDispatcher(requestAdapter: nil, responseAdapter: nil),
            URLRequestDispatcher(configuration: .default),
            URLRequestDispatcher(configuration: .default, requestAdapter: adapter),
            URLRequestDispatcher(configuration: .default, responseAdapter: adapter),
            URLRequestDispatcher(configuration: .default, requestAdapter: adapter, responseAdapter: adapter),
        ]
        for dispatcher in dispatchers {
            #expect(dispatcher.configuration.connections.perHost == session.httpMaximumConnectionsPerHost)
            let response = try await dispatcher.dataFuture(from: URLRequest(url: server.url("/"))).fetchResult()
            #expect(response.data == Data("hello".utf8))
        }
        let other = URLRequestDispatcher(configuration: session, requestAdapter: adapter)
        #expect(other.configuration.timeouts.idle == .seconds(7))
        // Neither of these is ambiguous.
        _ = URLRequestDispatcher()
        _ = URLRequestDispatcher(configuration: URLRequestDispatcher.Configuration())
    }

    @Test func anOwnerCanBeTheAdapterOfItsDispatcher() async throws {
        weak var released: Client?
        do {
            let client = Client()
            client.other = client
            released = client
            _ = try await client.dispatcher.dataFuture(from: URLRequest(url: server.url("/"))).fetchResult()
        }
        #expect(server.requests.map { $0.header("X-Adapted") } == ["yes"])
        #expect(released == nil)
    }

    @Test @MainActor func tasksAreKeptInASet() async throws {
        let dispatcher = URLRequestDispatcher()
        var tasks: Set<TransferTask> = []
        let isComplete = Gate()
        dispatcher.dataFuture(from: URLRequest(url: server.url("/")))
            .updated { task in tasks.insert(task) }
            .completion { isComplete.open() }
            .send()
        try await isComplete.wait()
        #expect(tasks.count == 1)
        #expect(tasks.completed.count == 1 && tasks.averagePercentRecieved == 1)
    }

    @available(*, deprecated)
    private func text(_ response: SafeResponse<Int>) -> String {
        switch response {
        case .response(let value): return "\(value)"
        case .error(let error): return "\(error)"
        }
    }

    @Test @available(*, deprecated) func aSafeResponseHasItsTwoCases() {
        #expect([text(.response(1)), text(.error(ResponseError.noResponse))] == ["1", "There is no response."])
    }

    @Test func theMockTakesAnUploadWithItsBody() async throws {
        let mock = MockURLRequestDispatcher { request in
            try Response.makeMockResponse(with: request, data: request.httpBody, statusCode: .ok)
        }
        var request = URLRequest(url: server.url("/"), method: .post)
        request.setHTTPBody(string: "body")
        #expect(try await mock.uploadFuture(from: request).fetchResult().data == Data("body".utf8))
        request.httpBody = nil
        #expect(try await mock.uploadFuture(from: request).fetchResult().data == nil)
    }

    @Test func foundationsTasksHavePercentages() {
        let session = URLSession(configuration: .default)
        let task: URLSessionTask = session.dataTask(with: server.url("/"))
        #expect(task.percentSent == nil && task.percentRecieved == nil && task.percentTransferred == nil)
        #expect([task].averagePercentTransferred == nil && [task].averagePercentRecieved == nil)
        #expect(Set([task]).suspended.count == 1)
        session.invalidateAndCancel()
    }

    @Test func aSwitchOverResponseErrorNeedsNoDefault() {
        func text(_ error: ResponseError) -> String {
            switch error {
            case .noResponse: return "none"
            case .notHTTPResponse: return "not HTTP"
            case .unexpectedEmptyResponse: return "empty"
            case .failedToDecodeDataToString(let encoding): return "\(encoding)"
            }
        }
        #expect(text(.noResponse) == "none")
    }

    @Test func aSwitchOverHTTPErrorNeedsNoDefault() {
        func text(_ error: HTTPError) -> String {
            switch error {
            case .clientError(.other(429)): return "too many"
            case .clientError(let code): return "client \(code.rawValue)"
            case .serverError: return "server"
            case .invalidStatusCode: return "invalid"
            }
        }
        #expect(text(.clientError(.tooManyRequests)) == "too many")
        #expect(text(.clientError(.notFound)) == "client 404")
    }

    @Test func aPatternWithANumberMatches() throws {
        let codes: [StatusCode] = [StatusCode(rawValue: 429), .other(429), .tooManyRequests]
        for code in codes {
            if case .other(429) = code {} else { Issue.record("429 is not 429") }
            guard case .other(429) = code else { throw TestFailure() }
            switch code {
            case .ok: Issue.record("429 is not 200")
            case .other(429): break
            default: Issue.record("429 is not 429")
            }
            let optional: StatusCode? = code
            switch optional {
            case .other(429): break
            default: Issue.record("429 is not 429")
            }
            do {
                if let error = code.httpError { throw error }
            } catch HTTPError.clientError(.other(429)) {
            } catch {
                Issue.record(error)
            }
        }
        #expect(codes.filter { $0 == .other(429) }.count == 3)
    }

    private struct TestFailure: Error {}

    @Test func handlersCanBeKeptInVariables() async throws {
        let isComplete = Gate()
        let success: ResponseFuture<Int>.SuccessHandler = { value in
            if value != 1 { throw TestFailure() }
        }
        let failure: ResponseFuture<Int>.ErrorHandler = { Issue.record($0) }
        let completion: ResponseFuture<Int>.CompletionHandler = { isComplete.open() }
        ResponseFuture<Int>(result: 1).success(success).error(failure).completion(completion).send()
        try await isComplete.wait()
        // In PiuPiu 1 without `await`.
        try await success(1)
        await completion()
    }
}
