// swift-format-ignore-file: NeverForceUnwrap

import NetworkKit
import PiuPiuTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkDispatcherTests {
    private let journal = Journal()
    private let controller: PostsController

    init() throws {
        controller = try PostsController()
    }

    @MainActor
    @Test(arguments: [
        ("/posts/1", 200, nil), ("/empty", 200, nil), ("/missing", 404, "NotFound"),
        ("/teapot", 418, "OtherClientError"), ("/broken", 500, "InternalServerError"),
    ])
    func everyStatusIsAResponse(path: String, status: Int, errorKey: String?) async throws {
        controller.server.route("/teapot", .response(status: 418))
        controller.server.route("/broken", .response(status: 500))
        let request = controller.get(path)

        let response = try await controller.dispatcher.future(from: request).fetchResult()
        #expect(response.statusCode.rawValue == status)
        #expect(response.httpResponse.statusCode == status)
        #expect(response.error?.errorKey == errorKey)
        #expect(response.urlRequest.url == controller.server.url(path))

        switch try await controller.dispatcher.promise(from: request).fetchResult() {
        case .success(let response):
            #expect(errorKey == nil)
            #expect(response.statusCode.rawValue == status)
            #expect(response.data?.isEmpty != true)
            #expect(response.urlRequest.url == controller.server.url(path))
            #expect(response.httpResponse.statusCode == status)
        case .failure(let response):
            #expect(response.error.errorKey == errorKey)
            #expect(response.statusCode.rawValue == status)
            #expect(response.urlRequest.url == controller.server.url(path))
            #expect(response.httpResponse.statusCode == status)
        }
    }

    @MainActor
    @Test func aRequestArrivesAsItWasMade() async throws {
        var request = BasicRequest(
            method: .post,
            path: "/posts",
            queryItems: [URLQueryItem(name: "a", value: "b c")],
            headers: ["X-Name": "value"]
        )
        request.setJSONBody(string: "{}")
        _ = try await controller.dispatcher.future(from: request).fetchResult()
        let arrived = try #require(controller.server.requests.first)
        #expect(arrived.method == "POST")
        #expect(arrived.target == "/posts?a=b%20c")
        #expect(arrived.body == Data("{}".utf8))
        #expect(arrived.headers.contains { $0.name == "X-Name" && $0.value == "value" })
        #expect(arrived.headers.contains { $0.name == "Content-Type" && $0.value == "application/json" })
    }

    @MainActor
    @Test func aMissingResponseIsAnUnknownError() async throws {
        controller.server.route("/closed", .close)
        let promise = controller.dispatcher.make(controller.get("/closed"))
        do {
            _ = try await promise.fetchResult()
            Issue.record("There is a response.")
        } catch ResponseError.unknown(let cause) {
            #expect(isTransportError(cause))
        }
        #expect(promise.status == .error)
    }

    @MainActor
    @Test func theProviderIsHeldWeakly() async throws {
        let dispatcher: NetworkDispatcher
        do {
            let provider = ViewController()
            dispatcher = NetworkDispatcher(serverProvider: provider)
            #expect(dispatcher.serverProvider === provider)
        }
        #expect(dispatcher.serverProvider == nil)
        let future = dispatcher.future(from: BasicRequest(method: .get, path: "/"))
        do {
            _ = try await future.fetchResult()
            Issue.record("There is a response.")
        } catch RequestError.missingServerProvider {}
    }

    @MainActor
    @Test func theProviderIsAskedForEachRequest() async throws {
        let first = try PostsController()
        let second = try PostsController()
        let picker = Picker(first.baseURL)
        let dispatcher = NetworkDispatcher(serverProvider: picker, dispatcher: plainDispatcher())
        let request = BasicRequest(method: .get, path: "/posts/1")
        let unsent = dispatcher.future(from: request)
        _ = try await dispatcher.future(from: request).fetchResult()
        picker.baseURL = second.baseURL
        _ = try await unsent.fetchResult()
        #expect(first.server.requests.count == 1)
        #expect(second.server.requests.count == 1)
    }

    @MainActor
    @Test func aDispatcherMayBeALocalVariable() async throws {
        weak var released: NetworkDispatcher?
        do {
            let dispatcher = NetworkDispatcher(serverProvider: controller, dispatcher: plainDispatcher())
            released = dispatcher
            dispatcher.make(from: { controller.get("/posts/1") })
                .then { try $0.decode(Post.self).title }
                .thenFailure { $0.error }
                .record(journal)
                .send()
        }
        #expect(await journal.wait() == ["success Hello", "completion"])
        await MainActor.drain()
        #expect(released == nil)
    }

    @MainActor
    @Test func everyNameForAPromise() async throws {
        let request = controller.get("/missing")
        let dispatcher = controller.dispatcher
        for promise in [
            dispatcher.promise(from: request), dispatcher.promise(from: { request }), dispatcher.make(request),
            dispatcher.make(from: { request }),
        ] {
            guard case .failure(let response) = try await promise.fetchResult() else {
                Issue.record("The promise did not fail.")
                continue
            }
            #expect(try response.decode(ServerErrorDetails.self) == ServerErrorDetails(reason: "gone"))
        }
        #expect(controller.server.requests.count == 4)
    }

    @MainActor
    @Test func aRequestClosureThatThrowsIsAnError() async throws {
        controller.dispatcher.future(from: { throw Failure(number: 1) }).record(journal).send()
        controller.dispatcher.promise(from: { throw Failure(number: 2) }).record(journal).send()
        await journal.wait(for: "completion", 2)
        #expect(journal.entries.contains("error Failure(number: 1)"))
        #expect(journal.entries.contains("error Failure(number: 2)"))
        #expect(controller.server.requests.isEmpty)
    }

    @MainActor
    @Test func aRequestClosureRunsOnceInsideSend() async throws {
        let future = controller.dispatcher.future(from: {
            journal("closure")
            return controller.get("/posts/1")
        })
        await MainActor.drain()
        #expect(journal.entries.isEmpty)
        future.completion { journal("completion") }.send().send()
        #expect(journal.entries == ["closure"])
        #expect(journal.offMain.isEmpty)
        await journal.wait()
        #expect(journal.entries == ["closure", "completion"])
    }

    @MainActor
    @Test func subclassesSeeTheRequests() async throws {
        let dispatcher = Counting(serverProvider: controller, dispatcher: plainDispatcher())
        let request = controller.get("/posts/1")
        _ = try await dispatcher.make(request).fetchResult()
        _ = try await dispatcher.future(from: { request }).fetchResult()
        #expect(dispatcher.count == 2)
    }

    @Test func dispatchersOfUsersHaveTheRest() async throws {
        final class Failing: Dispatcher {
            func future(from request: Request) -> ResponseFuture<Response<Data?>> {
                ResponseFuture<Response<Data?>> { $0.fail(with: Failure(number: request.path.count)) }
            }
        }
        Failing().promise(from: { BasicRequest(method: .get, path: "/abc") }).record(journal).send()
        #expect(await journal.wait() == ["error Failure(number: 4)", "completion"])
    }
}

private class Picker: ServerProvider {
    var baseURL: URL

    init(_ baseURL: URL) {
        self.baseURL = baseURL
    }
}

private class Counting: NetworkDispatcher {
    var count = 0

    override func future(from request: Request) -> ResponseFuture<Response<Data?>> {
        count += 1
        return super.future(from: request)
    }
}
