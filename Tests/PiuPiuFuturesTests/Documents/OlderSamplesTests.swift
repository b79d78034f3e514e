// swift-format-ignore-file: NeverForceUnwrap, NoEmptyTrailingClosureParentheses

import PiuPiuFutures
import PiuPiuTesting
import Testing

/// What the document of 1.10 has other than that of 1.11.1; for 0-6 and 0-7 see 3-7 and the rest.
@Suite(.timeLimit(.generous))
final class OlderSamplesTests: DocumentedTests {
    // 0-1
    @Test func notSent() async throws {
        let request = get("/posts/1")
        var unsent: [Any] = []

        unsent += [
            dispatcher.dataFuture(from: request).success { response in
                self.journal("success")
            },
            dispatcher.dataFuture(from: request).error { error in
                self.journal("error")
            },
            dispatcher.dataFuture(from: request).completion {
                self.journal("completion")
            },
        ]

        // 0-2
        unsent += [
            dispatcher.dataFuture(from: request).then { response -> Post in
                return try response.decode(Post.self)
            }.success { post in
                self.journal("success")
            }
        ]

        // 0-3
        unsent += [
            dispatcher.dataFuture(from: request).then { response -> Post in
                return try response.decode(Post.self)
            }.replace(EnrichedPost.self) { [weak self] post in
                return self?.enrich(post: post)
            }.success { enrichedPost in
                self.journal("success")
            }
        ]

        _ = try await dispatcher.data(for: get("/users"))
        #expect(unsent.count == 5)
        unsent = []
        // What had been sent by being released would come before this one.
        _ = try await dispatcher.data(for: get("/users"))
        #expect(journal.entries.isEmpty)
        #expect(server.requests.map(\.target) == ["/users", "/users"])
    }

    // 0-2 and 0-3, sent
    @Test func thenAndReplace() async throws {
        let request = get("/posts/1")

        dispatcher.dataFuture(from: request).then { response -> Post in
            return try response.decode(Post.self)
        }.success { post in
            self.journal(post.title)
        }.send()

        await journal.wait(for: "Hello")

        dispatcher.dataFuture(from: request).then { response -> Post in
            return try response.decode(Post.self)
        }.replace(EnrichedPost.self) { [weak self] post in
            return self?.enrich(post: post)
        }.success { enrichedPost in
            self.journal(enrichedPost.post.body)
        }.send()

        await journal.wait(for: "*Hi*")
    }

    // 0-4
    @Test func seriesJoin() async {
        dispatcher.dataFuture() {
            let url = URL(string: "https://jsonplaceholder.typicode.com/posts/1")!
            return URLRequest(url: url, method: .get)
        }.then { response in
            return try response.decode(Post.self)
        }.seriesJoin(User.self) { [weak self] post in
            guard let self = self else {
                return nil
            }

            let url = URL(string: "https://jsonplaceholder.typicode.com/users/\(post.userId)")!
            let request = URLRequest(url: url, method: .get)

            return self.dispatcher.dataFuture(from: request).then { response -> User in
                return try response.decode(User.self)
            }
        }.success { post, user in
            self.journal(post.title, user.name)
            self.expectation.fulfill()
        }.send()

        #expect(await journal.wait(for: "fulfill") == ["Hello Ada", "fulfill"])
    }

    // 0-5
    @Test func parallelJoin() async {
        dispatcher.dataFuture() {
            let url = URL(string: "https://jsonplaceholder.typicode.com/posts")!
            return URLRequest(url: url, method: .get)
        }.then { response in
            return try response.decode([Post].self)
        }.parallelJoin([User].self) {
            let url = URL(string: "https://jsonplaceholder.typicode.com/users")!
            let request = URLRequest(url: url, method: .get)

            return self.dispatcher.dataFuture(from: request).then { response -> [User] in
                return try response.decode([User].self)
            }
        }.success { posts, users in
            self.journal(posts.count, users.count)
            self.expectation.fulfill()
        }.send()

        #expect(await journal.wait(for: "fulfill") == ["1 1", "fulfill"])
    }
}
