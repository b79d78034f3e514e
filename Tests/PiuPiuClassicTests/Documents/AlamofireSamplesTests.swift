import PiuPiuClassic
import Testing

// The document, "Features": "Can easily work with frameworks such as `Alamofire`". Dispatchers of a user's, as the
// example app of PiuPiu 1.3 has one.

class AlamofireDispatcher: Dispatcher {
    weak var serverProvider: ServerProvider?
    var sessionManager: SessionManager

    init(serverProvider: ServerProvider) {
        self.serverProvider = serverProvider
        self.sessionManager = SessionManager()
    }

    func future(from request: Request) -> ResponseFuture<Response<Data?>> {
        return ResponseFuture<Response<Data?>>() { [weak self] future in
            guard let self = self else { return future.cancel() }
            guard let serverProvider = self.serverProvider else { throw RequestError.missingServerProvider }
            let urlRequest = try serverProvider.urlRequest(from: request)
            future.fulfill(with: AlamofireDataDispatcher(self.sessionManager).dataFuture(from: urlRequest))
        }
    }
}

class AlamofireDataDispatcher: DataDispatcher {
    var sessionManager: SessionManager

    init(_ sessionManager: SessionManager) {
        self.sessionManager = sessionManager
    }

    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        return ResponseFuture<Response<Data?>>() { future in
            self.sessionManager.request(urlRequest).response(completionHandler: { dataResponse in
                // Ensure we don't have an error
                if let error = dataResponse.error {
                    DispatchQueue.main.async {
                        future.fail(with: error)
                    }

                    return
                }

                // Ensure there is an http response
                guard let httpResponse = dataResponse.response else {
                    let error = ResponseError.unknown(cause: nil)
                    future.fail(with: error)
                    return
                }

                // Create the response
                let statusCode = StatusCode(rawValue: httpResponse.statusCode)
                let responseError = statusCode.makeError(cause: dataResponse.error)
                let response = Response(
                    data: dataResponse.data,
                    httpResponse: httpResponse,
                    urlRequest: urlRequest,
                    statusCode: statusCode,
                    error: responseError
                )

                DispatchQueue.main.async {
                    future.update(progress: 1)
                    future.succeed(with: response)
                }
            })
        }
    }
}

@Suite(.timeLimit(.generous))
final class AlamofireSamplesTests: PostsController {
    @Test func aDispatcherOfAUser() async throws {
        let dispatcher = AlamofireDispatcher(serverProvider: self)
        let response = try await dispatcher.future(from: request).fetchResult()
        #expect(try response.decodeString() == "{}")
        let missing = try await dispatcher.future(from: { self.get("/missing") }).fetchResult()
        #expect(missing.error?.errorKey == "NotFound")
        await #expect(throws: URLError.self) { try await dispatcher.future(from: self.get("/offline")).fetchResult() }
    }

    @Test func aDataDispatcherOfAUser() async throws {
        let dispatcher = RequestDispatcher(
            serverProvider: self,
            dataDispatcher: AlamofireDataDispatcher(SessionManager())
        )
        dispatcher.future(from: request)
            .progress({ self.journal("progress", $0) })
            .response({ self.journal($0.statusCode.rawValue) })
            .completion({ self.journal("completion") })
            .send()
        #expect(await journal.wait(for: "completion") == ["progress 1.0", "200", "completion"])
        dispatcher.future(from: { throw RequestError.missingURL })
            .error({ self.journal(($0 as? RequestError)?.errorKey ?? "") })
            .completion({ self.journal("completion") })
            .send()
        #expect(await journal.wait(for: "completion") == ["MissingURL", "completion"])
    }
}
