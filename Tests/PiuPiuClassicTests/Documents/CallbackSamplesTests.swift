import PiuPiuClassic
import Testing

// The document sends none of these; each is a function, so that the compiler doesn't warn of unused results.
@Suite(.timeLimit(.generous))
final class CallbackSamplesTests: PostsController {
    private var seen: [String] = []

    func response() -> ResponseFuture<Response<Data?>> {
        // Block 9
        dispatcher.future(from: request).response({ response in
            // Triggered when a response is recieved and all callbacks succeed.
            self.journal("response", response.statusCode.rawValue)
        })
    }

    func error() -> ResponseFuture<Response<Data?>> {
        // Block 10
        dispatcher.future(from: request).error({ error in
            // Any errors thrown in any other callback will be triggered here.
            // Think of this as the `catch` on a `do` block.
            self.journal("error")
        })
    }

    func completion() -> ResponseFuture<Response<Data?>> {
        // Block 11
        dispatcher.future(from: request).completion({
            // The completion callback guaranteed to be called once
            // for every time the `send` or `start` method is triggered on the callback.
            self.journal("completion")
        })
    }

    func then() -> ResponseFuture<Post> {
        // Block 12
        dispatcher.future(from: request).then({ response -> Post in
            // The `then` callback transforms a successful response to another object
            // You can return any object here and this will be reflected on the `success` callback.
            return try response.decode(Post.self)
        }).response({ post in
            // Handles any success responses.
            // In this case the object returned in the `then` method.
            self.journal(post.title)
        })
    }

    func replace() -> ResponseFuture<EnrichedPost> {
        // Block 13
        dispatcher.future(from: request).then({ response -> Post in
            return try response.decode(Post.self)
        }).replace({ post -> ResponseFuture<EnrichedPost> in
            // Perform some operation operation that itself requires a future
            // such as something heavy like markdown parsing.
            return self.enrich(post: post)
        }).response({ enrichedPost in
            // The final response callback has the enriched post.
            self.journal(enrichedPost.markdown.text)
        })
    }

    func join() -> ResponseFuture<(Post, User)> {
        // Block 14
        dispatcher.future(from: request).then({ response -> Post in
            return try response.decode(Post.self)
        }).join({ post -> ResponseFuture<User> in
            // Joins a future with another one returning both results
            return self.fetchUser(forId: post.userId)
        }).response({ post, user in
            // The final response callback includes both results.
            self.journal(post.title, user.name)
        })
    }

    @Test func nothingHappensBeforeTheFuturesAreSent() async throws {
        let unsent: [Any] = [response(), error(), completion(), then(), replace(), join()]
        #expect(unsent.count == 6)
        #expect(server.requests.isEmpty)
        response().send()
        #expect(await journal.wait(for: "response 200") == ["response 200"])
        // What an unsent future had sent would have come before this.
        #expect(server.requests.count == 1)
    }

    @Test func theyRunWhenTheyAreSent() async {
        completion().start()
        await journal.wait(for: "completion")
        then().send()
        await journal.wait(for: "Hello")
        replace().send()
        await journal.wait(for: "*Hello*")
        join().send()
        await journal.wait(for: "Hello Ada")
        // Nothing fails, so that only the completion could tell that it has ended.
        error().completion({ self.journal("ended") }).send()
        #expect(await journal.wait(for: "ended") == ["ended"])
    }

    func decode(_ response: Response<Data?>) -> ResponseFuture<[Post]> {
        // Block 15
        return ResponseFuture<[Post]>(action: { future in
            // This is an example of how a future is executed and
            // fulfilled.
            DispatchQueue.global(qos: .userInitiated).async {
                // lets make an expensive operation on a background thread.
                // The below is just an example of how you can parse on a seperate thread.

                do {
                    // Do an expensive operation here ....
                    let posts = try response.decode([Post].self)

                    DispatchQueue.main.async {
                        // We should syncronyze the result back to the main thread.
                        future.succeed(with: posts)
                    }
                } catch {
                    // We can handle any errors as well.
                    DispatchQueue.main.async {
                        // We should syncronize the error to the main thread.
                        future.fail(with: error)
                    }
                }
            }
        })
    }

    @Test func aFutureOfOnesOwn() async throws {
        let posts = try await dispatcher.future(from: get("/posts")).replace({ self.decode($0) }).fetchResult()
        #expect(posts == [.hello])
        await #expect(throws: SerializationError.self) {
            try await self.dispatcher.future(from: self.request).replace({ self.decode($0) }).fetchResult()
        }
    }
}
