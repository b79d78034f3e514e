import PiuPiuClassic
import PiuPiuTesting
import Testing

/// The promises of 1.3.0, in code as users of that version have it.
@Suite(.timeLimit(.generous))
final class PromiseTests: PostsController {
    private struct Details: Codable {
        var message: String
    }

    private func mock(_ status: StatusCode, _ body: some Encodable) throws -> MockDispatcher {
        let dispatcher = MockDispatcher(baseUrl: server.url("/"), mockStatusCode: status)
        try dispatcher.setMockData(body)
        return dispatcher
    }

    /// Sends a promise from the main thread, and returns what its handlers took down.
    private func events<T, E>(of promise: Promise<T, E>) async -> [String] {
        let journal = Journal()
        let recorded = promise.success({ journal("success", $0, MainThread.isCurrent) })
            .failure({ journal("failure", $0, MainThread.isCurrent) })
            .error({ journal("error", $0, MainThread.isCurrent) })
            .completion({ journal("completion") })
        await MainThread.run { recorded.start() }
        return await journal.wait(for: "completion")
    }

    @Test(arguments: [StatusCode.ok, .seeOther, .badRequest, .serviceUnavailable])
    func aStatusCodeDecidesBetweenSuccessAndFailure(_ status: StatusCode) async throws {
        let dispatcher = try mock(status, Post.hello)
        let forms: [ResponsePromise<Data?, Data?>] = [
            dispatcher.promise(from: request), dispatcher.promise(from: { self.request }),
        ]
        for promise in forms {
            let events = await events(
                of: promise.then({ "\($0.statusCode.rawValue)" })
                    .thenFailure({ "\($0.statusCode.rawValue) \($0.error.errorKey)" })
            )
            switch status {
            case .badRequest: #expect(events == ["failure 400 BadRequest true", "completion"])
            case .serviceUnavailable: #expect(events == ["failure 503 ServiceUnavailable true", "completion"])
            default: #expect(events == ["success \(status.rawValue) true", "completion"])
            }
        }
    }

    @Test func aBodyIsDecodedOnTheWay() async throws {
        let post = try mock(.ok, Post.hello).promise(from: request)
            .then({ response -> Post in try response.decode(Post.self) })
        #expect(await events(of: post).first == "success \(Post.hello) true")
        let details = try mock(.notFound, Details(message: "gone")).promise(from: request)
            .thenFailure({ response -> String in try response.decode(Details.self).message })
        #expect(await events(of: details).first == "failure gone true")
        let wrong = try mock(.ok, "text").promise(from: request).then({ try $0.decode(Post.self) })
        #expect(await events(of: wrong).first?.hasPrefix("error failedToDecode") == true)
    }

    @Test func whatCannotBeRequestedIsAnError() async {
        let promise = dispatcher.promise(from: { throw ResponseError.badRequest(cause: nil) })
        #expect(await events(of: promise) == ["error badRequest(cause: nil) true", "completion"])
        #expect(promise.status == .error)
    }

    private func promise(from response: Response<Data?>) -> Promise<Post, Error> {
        return Promise<Post, Error>(action: { promise in
            DispatchQueue.global(qos: .userInitiated).async {
                do {
                    let post = try response.decode(Post.self)
                    DispatchQueue.main.async {
                        promise.succeed(with: post)
                    }
                } catch {
                    DispatchQueue.main.async {
                        promise.catch(error)
                    }
                }
            }
        })
    }

    @Test func anActionEndsItsPromise() async throws {
        let response = try await mock(.ok, Post.hello).future(from: request).fetchResult()
        let posts = promise(from: response)
        #expect(posts.status == .created)
        #expect(await events(of: posts) == ["success \(Post.hello) true", "completion"])
        #expect(posts.status == .success)
        let failed = Promise<Int, String>(action: { $0.fail(with: "a") })
        #expect(await events(of: failed) == ["failure a true", "completion"])
        #expect(failed.status == .failure)
        let thrown = Promise<Int, String>(action: { _ in throw Failure() })
        #expect(await events(of: thrown) == ["error failure true", "completion"])
    }

    @Test func handlersThatAnActionSetsBelongToItsPromise() async {
        let promise = Promise<Int, String>(action: { promise in
            _ = promise.failure({ self.journal("action's failure", $0) })
            promise.fail(with: "a")
        })
        promise.success({ self.journal("success", $0) }).completion({ self.journal("completion") }).send()
        #expect(await journal.wait(for: "completion") == ["action's failure a", "completion"])
    }

    @Test func whatAHandlerThrowsReachesTheErrorHandler() async {
        Promise<Int, String>(action: { $0.succeed(with: 1) })
            .success({ _ in throw Failure() })
            .error({ self.journal("error", $0) })
            .completion({ self.journal("completion") })
            .send()
        #expect(await journal.wait(for: "completion") == ["error failure", "completion"])
    }

    @Test func thePromiseEndsOnce() async {
        let promise = Promise<Int, String>(action: { promise in
            promise.succeed(with: 1)
            promise.fail(with: "a")
            promise.catch(Failure())
            promise.cancel()
        })
        #expect(await events(of: promise) == ["success 1 true", "completion"])
        promise.send().start()
        #expect(promise.status == .success)
    }

    @Test func anotherPromiseEndsIt() async throws {
        let dispatcher = try mock(.forbidden, Post.hello)
        let promise = ResponsePromise<Data?, Data?>(action: { promise in
            dispatcher.promise(from: self.request).fulfill(promise)
        })
        #expect(
            await events(of: promise.thenFailure({ $0.statusCode.rawValue })) == ["failure 403 true", "completion"]
        )
    }

    @Test func aPromiseBecomesAFuture() async throws {
        let promise = { Promise<Int, String>(action: { $0.fail(with: "a") }) }
        #expect(try await promise().future({ $0.count }).fetchResult() == 1)
        await #expect(throws: Failure.self) { try await promise().future({ _ in Failure() }).fetchResult() }
        await #expect(throws: Failure.self) { try await promise().future({ _ in throw Failure() }).fetchResult() }
        #expect(try await promise().fetchResult() == .failure("a"))
    }

    @Test func cancellingEndsTheRequest() async {
        server.route("/held", .hold("gate"), .response())
        let promise = dispatcher.promise(from: get("/held")).then({ $0.statusCode })
            .error({ _ in self.journal("error") }).completion({ self.journal("completion") }).send()
        #expect(await server.waitUntilHeld("gate"))
        promise.cancel()
        #expect(await journal.wait(for: "completion") == ["completion"])
        #expect(await server.waitForOpenConnections(atMost: 0))
        #expect(promise.status == .error)
        server.release("gate")
    }

    private final class Screen {
        var promise: Promise<Int, String>?
        let journal: Journal

        init(_ journal: Journal) {
            self.journal = journal
        }

        func load() {
            promise = Promise<Int, String>(action: { $0.succeed(with: 1) })
                .success({ _ in self.journal("success") })
                .completion({ self.journal("completion") })
                .send()
        }

        deinit { journal("released") }
    }

    @Test func handlersAreReleasedAfterTheyRan() async {
        let journal = Journal()
        do {
            let screen = Screen(journal)
            screen.load()
        }
        #expect(await journal.wait(for: "released") == ["success", "completion", "released"])
    }

    @Test func theOlderNamesAreDeprecated() async throws {
        let dispatcher = try mock(.ok, Post.hello)
        for promise in (Older(dispatcher: dispatcher) as any OlderNames).promises(request) {
            #expect(await events(of: promise.then({ $0.statusCode.rawValue })) == ["success 200 true", "completion"])
        }
    }

    @Test func anErrorResponseIsMadeOfAnother() async throws {
        let response = try await mock(.conflict, Post.hello).future(from: request).fetchResult()
        let error = try #require(response.error)
        let first = ErrorResponse(data: 1, response: response, error: error)
        let second = ErrorResponse(data: "text", response: first)
        let third = ErrorResponse(
            data: second.data,
            httpResponse: second.httpResponse,
            urlRequest: second.urlRequest,
            statusCode: second.statusCode,
            error: second.error
        )
        #expect(third.data == "text" && third.statusCode == .conflict && third.error.errorKey == "Conflict")
        #expect(third.urlRequest.url == response.urlRequest.url)
    }
}

/// Lets a test call deprecated functions without a warning.
private protocol OlderNames {
    func promises(_ request: BasicRequest) -> [ResponsePromise<Data?, Data?>]
}

private struct Older: OlderNames {
    let dispatcher: MockDispatcher

    @available(*, deprecated)
    func promises(_ request: BasicRequest) -> [ResponsePromise<Data?, Data?>] {
        [dispatcher.make(request), dispatcher.make(from: { request }), dispatcher.makeRequest(from: { request })]
    }
}
