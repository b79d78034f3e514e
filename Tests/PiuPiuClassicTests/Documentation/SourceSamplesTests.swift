import PiuPiuClassic
import Testing

// The samples in the module's comments and on its documentation page, line by line.
@Suite(.timeLimit(.generous))
final class SourceSamplesTests: PostsController {
    var isLoading = true

    func show(_ error: Error) {
        journal("show", error)
    }

    @Test func thePage() async {
        let dispatcher = RequestDispatcher(serverProvider: self)
        let request = BasicRequest(method: .get, path: "/posts/1")

        dispatcher.future(from: request).then({ response -> Post in
            if let error = response.error { throw error }
            return try response.decode(Post.self)
        }).response({ post in
            self.show(post)
        }).error({ error in
            self.show(error)
        }).completion({
            self.isLoading = false
        }).send()

        #expect(await journal.wait(for: "show Hello true") == ["show Hello true"])
    }

    private struct Details: Codable {
        var message: String
    }

    private func show(_ details: Details) {
        journal("show", details.message)
    }

    @Test func aPromise() async {
        dispatcher.promise(from: request).then({ response -> Post in
            try response.decode(Post.self)
        }).thenFailure({ response -> Details in
            try response.decode(Details.self)
        }).success({ post in
            self.show(post)
        }).failure({ details in
            self.show(details)
        }).error({ error in
            self.show(error)
        }).completion({
            self.isLoading = false
        }).send()

        #expect(await journal.wait(for: "show Hello true") == ["show Hello true"])
    }

    @Test func aDispatcher() async {
        let dispatcher = RequestDispatcher(serverProvider: self)
        let request = BasicRequest(method: .get, path: "/posts")

        dispatcher.future(from: request).response({ response in
            self.show(try response.decode([Post].self))
        }).send()

        #expect(await journal.wait(for: #"show ["Hello"] true"#) == [#"show ["Hello"] true"#])
    }

    @Test func theMock() async throws {
        let posts = [Post.hello]
        let url = try #require(URL(string: "https://example.com"))
        let dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .ok)
        try dispatcher.setMockData(posts)

        // The URL is not actually called.
        dispatcher.future(from: BasicRequest(method: .get, path: "/posts")).response({ response in
            self.show(try response.decode([Post].self))
        }).send()

        #expect(await journal.wait(for: #"show ["Hello"] true"#) == [#"show ["Hello"] true"#])
    }

    @Test func aForm() throws {
        let photo = Data("photo".utf8)
        var request = MultiPartRequest(method: .post, path: "/photos")
        request.setHTTPBody(file: photo, fileName: "photo.jpg", mimeType: "image/jpeg", parameters: ["album": "7"])
        let body = String(decoding: try #require(request.httpBody), as: UTF8.self)
        #expect(body.contains("photo.jpg") && body.contains("album"))
    }

    private func successes(_ request: BasicRequest) -> ResponseFuture<SuccessResponse<[Post]>> {
        dispatcher.future(from: request).then({ response in
            SuccessResponse<[Post]>(data: try response.decode([Post].self), response: response)
        })
    }

    @Test func aResponseWithAnotherBody() async throws {
        #expect(try await successes(get("/posts")).fetchResult().data == [Post.hello])
    }
}
