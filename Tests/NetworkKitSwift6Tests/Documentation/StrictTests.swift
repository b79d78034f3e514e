import NetworkKit
import Testing

// What code for NetworkKit looks like in the Swift 6 language mode. Its blocks stand in MovingFromNetworkKit.md.

struct Post: Codable, Sendable {
    var title = ""
}

struct ServerErrorDetails: Codable, Sendable {
    var reason = ""
}

/// As UIKit's, which belongs to the main actor.
@MainActor
class UIViewController {}

class ViewController: UIViewController {
    var post: Post?
    var details: ServerErrorDetails?
    var isLoading = true
    var requests = 0
    var wasCompleted: CheckedContinuation<Void, Never>?

    func load(_ request: BasicRequest, from dispatcher: any Dispatcher) {
        var callbacks = 0
        dispatcher.make(request)
            .then { response -> Post in try response.decode(Post.self) }
            .thenFailure { response -> ServerErrorDetails in try response.decode(ServerErrorDetails.self) }
            .success { post in
                callbacks += 1
                self.post = post
            }
            .failure { details in
                callbacks += 1
                self.details = details
            }
            .error { _ in callbacks += 1 }
            .completion { [weak self] in
                self?.isLoading = callbacks != 1
                self?.wasCompleted?.resume()
            }
            .send()
    }
}

extension ViewController: ServerProvider {
    nonisolated var baseURL: URL {
        return URL(string: "https://example.com") ?? URL(fileURLWithPath: "/")
    }
}

final class TokenRequest: Request {
    let method = HTTPMethod.get
    let path = "/token"
    let queryItems: [URLQueryItem] = []
    let headers: [String: String] = [:]
    let httpBody: Data? = nil
}

class CountingDispatcher: NetworkDispatcher {
    var count = 0

    nonisolated override func future(from request: any Request) -> ResponseFuture<Response<Data?>> {
        Task { @MainActor in self.count += 1 }
        return super.future(from: request)
    }
}

extension ViewController {
    /// Futures and promises whose closures use variables of the main actor.
    func titles(from dispatcher: any Dispatcher) -> [ResponseFuture<String>] {
        [
            dispatcher.future(from: { self.next() }).then { try $0.decode(Post.self).title },
            dispatcher.promise(from: { self.next() }).then { try $0.decode(Post.self).title }.future { $0.error },
            dispatcher.make(from: { self.next() }).then { try $0.decode(Post.self).title }.future { $0.error },
            dispatcher.makeRequest(from: { self.next() }).then { try $0.decode(Post.self).title }.future { $0.error },
            ResponseFuture<String> { future in
                self.requests += 1
                future.succeed(with: "Hello")
            },
            Promise<String, Int> { promise in
                self.requests += 1
                promise.succeed(with: "Hello")
            }.future { "\($0)" },
        ]
    }

    private func next() -> BasicRequest {
        requests += 1
        return BasicRequest(method: .get, path: "/posts/1")
    }
}

@Suite(.timeLimit(.minutes(5)))
struct StrictTests {
    @MainActor
    @Test func closuresThatMakeRequestsRunOnTheActorOfTheirCode() async throws {
        let controller = ViewController()
        let mock = MockDispatcher(baseUrl: controller.baseURL, mockStatusCode: .ok)
        try mock.setMockData(Post(title: "Hello"))
        for future in controller.titles(from: mock) {
            // Not from the main thread.
            let title = try await Task.detached { try await future.fetchResult() }.value
            #expect(title == "Hello")
        }
        #expect(controller.requests == 6)
    }

    @MainActor
    @Test func callbacksChangeVariablesOfTheMainActor() async throws {
        let controller = ViewController()
        let mock = MockDispatcher(baseUrl: controller.baseURL, mockStatusCode: .ok)
        try mock.setMockData(Post(title: "Hello"))
        await withCheckedContinuation { continuation in
            controller.wasCompleted = continuation
            controller.load(BasicRequest(method: .get, path: "/posts/1"), from: mock)
        }
        #expect(controller.post?.title == "Hello")
        #expect(!controller.isLoading)
    }

    @MainActor
    @Test func subclassesBelongToTheMainActor() async {
        let dispatcher = CountingDispatcher(serverProvider: ViewController())
        // The provider is gone, and nothing is sent.
        await #expect(throws: RequestError.self) {
            try await dispatcher.future(from: TokenRequest()).fetchResult()
        }
        while dispatcher.count == 0 { await Task.yield() }
        #expect(dispatcher.count == 1)
    }
}
