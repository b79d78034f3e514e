// swift-format-ignore-file: NeverForceUnwrap, UseEarlyExits

// Block 3: the import, under this module's name
import PiuPiuClassic
import Testing

class ViewController {}

// Block 4
extension ViewController: ServerProvider {
    var baseURL: URL? {
        return URL(string: "https://example.com")!
    }
}

@Suite(.timeLimit(.generous))
final class UsageSamplesTests: PostsController {
    @Test func aViewControllerProvidesTheServer() throws {
        let url = try ViewController().url(from: BasicRequest(method: .get, path: "/posts"))
        #expect(url.absoluteString == "https://example.com/posts")
    }

    func makeARequest(_ path: String) {
        // Block 5
        let dispatcher = RequestDispatcher(serverProvider: self)
        let request = BasicRequest(method: .get, path: path)

        dispatcher.future(from: request).response({ response in
            // Handles all responses including negative responses such as 4xx and 5xx

            // The error object is available if we get an
            // undesirable status code such as a 4xx or 5xx
            if let error = response.error {
                // Throwing an error in any callback will trigger the `error` callback.
                // This allows us to pool all failures in one place.
                throw error
            }

            let post = try response.decode(Post.self)
            // Do something with our deserialized object
            // ...
            self.show(post)
        }).error({ error in
            // Handles any errors during the request process,
            // including anything thrown in any of the callback (except this one).
            self.journal("error", (error as? ResponseError)?.errorKey ?? "\(error)")
        }).completion({
            // The completion callback is guaranteed to be called once
            // for every time the `start()` or `send()` method is triggered on the future.
            //
            self.journal("completion")
        }).start()
    }

    @Test func makingARequest() async {
        makeARequest("/posts/1")
        #expect(await journal.wait(for: "completion") == ["show Hello true", "completion"])
        makeARequest("/missing")
        #expect(await journal.wait(for: "completion") == ["error NotFound", "completion"])
    }

    // Block 6
    private func getPosts() -> ResponseFuture<[Post]> {
        let dispatcher = RequestDispatcher(serverProvider: self)
        let request = BasicRequest(method: .get, path: "/posts")

        // We create a future and tell it to transform the response using the
        // `then` callback.
        return dispatcher.future(from: request).then({ response -> [Post] in
            // This callback transforms our response to another type
            // We can still handle errors the same way as we did before.

            if let error = response.error {
                // The error is available when a non-2xx response comes in
                // Such as a 4xx or 5xx
                // You may also parse a custom error object here.
                throw error
            }

            // Return the decoded object. If an error is thrown while decoding,
            // It will be caught in the `error` callback.
            return try response.decode([Post].self)
        })
    }

    // In the version of the document, this chain never ends: its dispatcher is gone before it is sent.
    @Test func aChainOutlivesTheLocalDispatcher() async {
        let responseExpectation = journal
        // Block 7
        getPosts().response({ posts in
            // Handle the success which will give your posts.
            responseExpectation.fulfill()
        }).error({ error in
            // Triggers whenever an error is thrown.
            // This includes deserialization errors, unwraping failures, and anything else that is thrown
            // in a any other throwable callback.
        }).completion({
            // Always triggered at the very end to inform you this future has been satisfied.
            self.journal("completion")
        }).send()
        #expect(await journal.wait(for: "completion") == ["fulfill", "completion"])
    }

    @Test func aWholeChain() async {
        // Block 8
        dispatcher.future(from: request).then({ response -> Post in
            // Handles any responses and transforms them to another type
            // This includes negative responses such as 4xx and 5xx

            // The error object is available if we get an
            // undesirable status code such as a 4xx or 5xx
            if let error = response.error {
                // Throwing an error in any callback will trigger the `error` callback.
                // This allows us to pool all the errors in one place.
                throw error
            }

            return try response.decode(Post.self)
        }).replace({ post -> ResponseFuture<EnrichedPost> in
            // Perform some operation that itself uses a future
            // such as something heavy like markdown parsing.
            // Any callback can be transformed to a future.
            return self.enrich(post: post)
        }).join({ enrichedPost -> ResponseFuture<User> in
            // Joins a future with another one returning both results
            return self.fetchUser(forId: enrichedPost.post.userId)
        }).response({ enrichedPost, user in
            // The final response callback includes all the transformations and
            // Joins we had previously performed.
            self.journal(enrichedPost.markdown.text, user.name)
        }).error({ error in
            // Handles any errors throw in any callbacks
            self.journal(error)
        }).completion({
            // At the end of all the callbacks, this is triggered once. Error or no error.
            self.journal("completion")
        }).send()
        #expect(await journal.wait(for: "completion") == ["*Hello* Ada", "completion"])
    }
}
