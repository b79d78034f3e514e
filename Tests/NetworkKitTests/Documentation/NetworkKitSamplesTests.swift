import NetworkKit
import PiuPiuTesting
import Testing

// The samples in the comments and in the documentation of NetworkKit, line by line.

private class SampleController: PostsController {
    var isLoading = true

    func show(_ post: Post) {
        journal("show", post.title)
    }

    func show(_ error: Error) {
        journal("show error")
    }

    func show(_ details: ServerErrorDetails) {
        journal("show", details.reason)
    }

    func show(_ response: Response<Data?>) {
        journal("show", response.statusCode.rawValue)
    }

    func sendFuture() {
        dispatcher.future(from: request)
            .then { response -> Post in try response.decode(Post.self) }
            .response { post in self.show(post) }
            .error { error in self.show(error) }
            .completion { self.isLoading = false }
            .send()
    }

    func sendPromise() {
        typealias Details = ServerErrorDetails
        dispatcher.promise(from: request)
            .then { response -> Post in try response.decode(Post.self) }
            .thenFailure { response -> Details in try response.decode(Details.self) }
            .success { post in self.show(post) }
            .failure { details in self.show(details) }
            .error { error in self.show(error) }
            .completion { self.isLoading = false }
            .send()
    }

    func sendToServer() {
        let dispatcher = NetworkDispatcher(serverProvider: self)
        let request = BasicRequest(method: .get, path: "/posts")
        dispatcher.future(from: request).response { response in self.show(response) }.send()
    }

    func sendBody(_ post: Post) throws -> BasicRequest {
        var request = BasicRequest(method: .post, path: "/posts")
        try request.setJSONBody(post)
        return request
    }

    func mock(_ posts: [Post]) throws {
        let url = ViewController().baseURL
        let dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .ok)
        try dispatcher.setMockData(posts)
        dispatcher.future(from: request).response { response in print(response.statusCode) }.send()
    }
}

@Suite(.timeLimit(.minutes(5)))
struct NetworkKitSamplesTests {
    @MainActor
    @Test(arguments: [("/posts/1", "show Hello"), ("/missing", "show gone"), ("/posts/all", "show error")])
    func comments(path: String, entry: String) async throws {
        let controller = try SampleController()
        controller.request.path = path
        controller.sendPromise()
        await controller.journal.wait(for: entry)
        controller.sendFuture()
        await controller.journal.wait(for: path == "/posts/1" ? "show Hello" : "show error")
        controller.sendToServer()
        await controller.journal.wait(for: "show 200")
        #expect(try controller.sendBody(.hello).httpBody != nil)
        try controller.mock([.hello])
        await MainActor.drain()
        #expect(!controller.isLoading)
    }
}
