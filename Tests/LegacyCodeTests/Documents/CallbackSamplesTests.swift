// swift-format-ignore-file: NeverForceUnwrap, NoEmptyTrailingClosureParentheses

import Foundation
import PiuPiuFutures
import PiuPiuTesting
import Testing

private struct UIImage {
    var width = 16.0

    func resize(ratio: Double) throws -> UIImage {
        UIImage(width: width * ratio)
    }
}

/// "Callbacks" of the document of 1.10.
private class CallbackSamples: DocumentSamples {
    func notSent() {
        let request = get("/posts/1")
        var unsent: [Any] = []

        unsent += [
            // Block 11
            dispatcher.dataFuture(from: request).success { response in
                self.note("success")
            },
            // Block 12
            dispatcher.dataFuture(from: request).error { error in
                self.note("error")
            },
            // Block 13
            dispatcher.dataFuture(from: request).completion {
                self.note("completion")
            },
            // Block 14
            dispatcher.dataFuture(from: request).then { response -> Post in
                return try response.decode(Post.self)
            }.success { post in
                self.note("success")
            },
            // Block 15
            dispatcher.dataFuture(from: request).then { response -> Post in
                return try response.decode(Post.self)
            }.replace(EnrichedPost.self) { [weak self] post in
                return self?.enrich(post: post)
            }.success { enrichedPost in
                self.note("success")
            },
        ]

        note("made \(unsent.count)")
    }

    func sent() {
        let request = get("/posts/1")

        dispatcher.dataFuture(from: request).then { response -> Post in
            return try response.decode(Post.self)
        }.replace(EnrichedPost.self) { [weak self] post in
            return self?.enrich(post: post)
        }.success { enrichedPost in
            self.note(enrichedPost.markdown)
        }.send()
    }

    // Block 16
    func seriesJoin() {
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
            self.note("\(post.title) \(user.name)")
            self.expectation.fulfill()
        }.send()
    }

    // Block 17
    func parallelJoin() {
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
            self.note("\(posts.count) \(users.count)")
            self.expectation.fulfill()
        }.send()
    }

    // Block 18
    func resized(_ image: UIImage) -> ResponseFuture<UIImage> {
        return ResponseFuture<UIImage>() { future in
            DispatchQueue.global(qos: .background).async {
                do {
                    let resizedImage = try image.resize(ratio: 16 / 9)

                    future.succeed(with: resizedImage)
                } catch {
                    future.fail(with: error)
                }
            }
        }
    }

    // Block 30
    func strongCallbacks() {
        let request = get("/posts")

        dispatcher.dataFuture(from: request).then({ response -> [Post] in
            return try response.decode([Post].self)
        }).success({ posts in
            self.show(posts)
        }).send()
    }

    class TextField {
        var text: String?
    }

    var textField: TextField? = TextField()

    // Block 31
    func doNotDoThis() {
        let request = get("/posts")

        dispatcher.dataFuture(from: request).success({ response in
            let textField = self.textField!

            textField.text = "Success"
            self.note(textField.text ?? "")
        }).send()
    }
}

/// "Mock Dispatcher" of the document of 1.10.
private class MockSamples: DocumentSamples {
    // Block 32
    private let mock = MockURLRequestDispatcher(
        delay: 0.5,
        callback: { request in
            if let id = request.integerValue(atIndex: 1, matching: [.constant("posts"), .wildcard(type: .integer)]) {
                let post = Post(id: id, userId: 123, title: "Some post", body: "Lorem ipsum ...")
                return try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
            } else if request.pathMatches(pattern: [.constant("posts")]) {
                let post = Post(id: 123, userId: 123, title: "Some post", body: "Lorem ipsum ...")
                return try Response.makeMockJSONResponse(with: request, encodable: [post], statusCode: .ok)
            } else {
                return try Response.makeMockResponse(with: request, statusCode: .notFound)
            }
        }
    )

    func askIt() {
        mock.dataFuture(from: get("/posts/5")).success { response in
            self.note("\(try response.decode(Post.self).id)")
        }.send()
    }
}

@Suite(.timeLimit(.minutes(10))) struct CallbackSamplesTests {
    @Test func whatIsNotSentDoesNothing() async {
        let notes = await DocumentSamples.run(until: "made 5", CallbackSamples.self) { $0.notSent() }
        #expect(notes == ["made 5"])
    }

    @Test func callbacks() async throws {
        let replaced = await DocumentSamples.run(until: "enriched *Hi*", CallbackSamples.self) { $0.sent() }
        #expect(replaced == ["enriched *Hi*"])
        let inSeries = await DocumentSamples.run(until: "fulfill", CallbackSamples.self) { $0.seriesJoin() }
        #expect(inSeries == ["Hello Ada", "fulfill"])
        let parallel = await DocumentSamples.run(until: "fulfill", CallbackSamples.self) { $0.parallelJoin() }
        #expect(parallel == ["1 1", "fulfill"])
        #expect(try await CallbackSamples().resized(UIImage(width: 9)).fetchResult().width == 16)
    }

    @Test func references() async {
        let shown = await DocumentSamples.run(until: #"show ["Hello"]"#, CallbackSamples.self) { $0.strongCallbacks() }
        #expect(shown == [#"show ["Hello"]"#])
        let unwrapped = await DocumentSamples.run(until: "Success", CallbackSamples.self) { $0.doNotDoThis() }
        #expect(unwrapped == ["Success"])
    }

    @Test func theMock() async {
        #expect(await DocumentSamples.run(until: "5", MockSamples.self) { $0.askIt() } == ["5"])
    }
}
