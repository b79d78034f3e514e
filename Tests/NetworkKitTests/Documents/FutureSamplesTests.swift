import NetworkKit
import Testing

/// How responses are decoded, and the callbacks of futures.
@Suite(.timeLimit(.minutes(5)))
struct FutureSamplesTests {
    @MainActor
    @Test func decoding() async throws {
        let controller = try FutureController()
        controller.unwrapData()
        controller.decodeString()
        controller.request.path = "/posts/all"
        controller.decodeDecodable()
        controller.decodeMapDecodableArray()
        controller.request.path = "/posts/1"
        controller.decodeMapDecodable()
        await controller.journal.wait(for: "decoded", 5)

        // The body of another type, and no body at all.
        controller.decodeDecodable()
        controller.decodeMapDecodableArray()
        controller.request.path = "/empty"
        controller.unwrapData()
        controller.decodeString()
        controller.decodeMapDecodable()
        let entries = await controller.journal.wait(for: "failed", 5)
        #expect(entries.filter { $0 == "decoded" }.count == 5)
        #expect(controller.journal.offMain.isEmpty)
    }

    @MainActor
    @Test(arguments: ["/posts/1", "/missing"])
    func fullExample(path: String) async throws {
        let controller = try FutureController()
        controller.request.path = path
        controller.fullExample()
        let entries = await controller.journal.wait()
        #expect(entries == [path == "/missing" ? "error" : "response Hello", "completion"])
        #expect(controller.journal.offMain.isEmpty)
    }

    @MainActor
    @Test func returnedFutures() async throws {
        let controller = try FutureController()
        controller.post(Post.hello).response({ response in
            controller.journal(response.statusCode.rawValue, response.urlRequest.httpMethod ?? "")
        }).send()
        await controller.journal.wait(for: "200 POST")

        controller.posts().response({ response in
            controller.journal(response.statusCode.rawValue, response.urlRequest.httpMethod ?? "")
        }).send()
        await controller.journal.wait(for: "200 GET")
    }

    @MainActor
    @Test func callbacks() async throws {
        let controller = try FutureController()
        var unsent: [ResponseFuture<Response<Data?>>] = []
        unsent.append(controller.responseCallback())
        unsent.append(controller.errorCallback())
        unsent.append(controller.completionCallback())
        let transformed = controller.thenCallback()

        // Nothing is sent before `send()`.
        await MainActor.drain()
        #expect(controller.journal.entries.isEmpty)
        #expect(controller.server.requests.isEmpty)

        for future in unsent { future.send() }
        transformed.send()
        let wanted: Set = ["response", "completion", "post Hello"]
        for entry in wanted { await controller.journal.wait(for: entry) }
        #expect(Set(controller.journal.entries) == wanted)
    }
}

private class FutureController: PostsController {
    func unwrapData() {
        // Block 13
        dispatcher.future(from: request).success({ response in
            let data = try response.unwrapData()

            // do something with data.
            print(data)
            self.journal("decoded")
        }).error({ error in
            // Triggered when decoding fails.
            self.journal("failed")
        }).send()
    }

    func decodeString() {
        // Block 14
        dispatcher.future(from: request).success({ response in
            let string = try response.decodeString(encoding: .utf8)

            // do something with string.
            print(string)
            self.journal("decoded")
        }).error({ error in
            // Triggered when decoding fails.
            self.journal("failed")
        }).send()
    }

    func decodeDecodable() {
        // Block 15
        dispatcher.future(from: request).success({ response in
            let posts = try response.decode([Post].self)

            // do something with string.
            print(posts)
            self.journal("decoded")
        }).error({ error in
            // Triggered when decoding fails.
            self.journal("failed")
        }).send()
    }

    func decodeMapDecodable() {
        typealias Post = MapPost
        // Block 16
        dispatcher.future(from: request).success({ response in
            let post = try response.decodeMapDecodable(Post.self)

            // do something with string.
            print(post)
            self.journal("decoded")
        }).error({ error in
            // Triggered when decoding fails.
            self.journal("failed")
        }).send()
    }

    func decodeMapDecodableArray() {
        typealias Post = MapPost
        // Block 17
        dispatcher.future(from: request).success({ response in
            let posts = try response.decodeMapDecodable([Post].self)

            // do something with string.
            print(posts)
            self.journal("decoded")
        }).error({ error in
            // Triggered when decoding fails.
            self.journal("failed")
        }).send()
    }

    func fullExample() {
        // Block 18
        dispatcher.future(from: request).then({ response -> Post in
            // Handles any responses and transforms them to another type
            // This includes positive resposes like 200s and
            // negative responses such as 400s and 500s

            if let error = response.error {
                // We throw the error so we can handle it in the `error` callback.
                // If we want we can do some more custom parsing of the error object.
                // and throw a more custom error object.
                throw error
            } else {
                // if we have no error, we just return the decoded object
                // If anything is thrown, it will be caught in the `error` callback.
                return try response.decode(Post.self)
            }
        }).response({ post in
            // Handles any success responses.
            // In this case the object returned in the `then` method.
            self.journal("response", post.title)
        }).error({ error in
            // Handles any errors during the request process,
            // including all request creation errors and anything
            // thrown in the `then` or `success` callbacks.
            self.journal("error")
        }).completion({
            // The completion callback guaranteed to be called once
            // for every time the `start` method is triggered on the callback.
            self.journal("completion")
        }).send()
    }

    func post(_ newPost: Post) -> ResponseFuture<Response<Data?>> {
        // Block 19
        return dispatcher.future(from: {
            var request = BasicRequest(method: .post, path: "/post")
            try request.setJSONBody(newPost)
            return request
        })
    }

    func posts() -> ResponseFuture<Response<Data?>> {
        // Block 20
        let request = BasicRequest(method: .get, path: "/posts")
        return dispatcher.future(from: request)
    }

    func responseCallback() -> ResponseFuture<Response<Data?>> {
        // Block 21
        dispatcher.future(from: request).response({ response in
            // When a response is recieved
            self.journal("response")
        })
    }

    func errorCallback() -> ResponseFuture<Response<Data?>> {
        // Block 22
        dispatcher.future(from: request).error({ error in
            // Any errors thrown in a `make`, `future`, `success`, `failure`, `then`, or `thenFailure`
            // callback will trigger this callback.
            self.journal("error")
        })
    }

    func completionCallback() -> ResponseFuture<Response<Data?>> {
        // Block 23
        dispatcher.future(from: request).completion({
            // The completion callback guaranteed to be called once
            // for every time the `send` or `start` method is triggered on the callback.
            self.journal("completion")
        })
    }

    func thenCallback() -> ResponseFuture<Post> {
        // Block 24
        dispatcher.future(from: request).then({ response -> Post in
            // The `then` callback transforms a successful response
            // You can return any object here and this will be reflected on the success callback.
            return try response.decode(Post.self)
        }).response({ post in
            // Handles any success responses.
            // In this case the object returned in the `then` method.
            self.journal("post", post.title)
        })
    }
}
