// swift-format-ignore-file: NeverForceUnwrap, NoEmptyTrailingClosureParentheses

import PiuPiuFutures
import PiuPiuTesting
import Testing

// 3-11
typealias EnrichedPost = (post: Post, markdown: AttributedString?)

enum Parser {
    struct Failure: Error {}

    static func parse(markdown: String) throws -> AttributedString {
        guard !markdown.isEmpty else { throw Failure() }
        return AttributedString(markdown)
    }
}

struct UIImage: Sendable, Equatable {
    struct Failure: Error {}

    var ratio = 1

    func resize(ratio: Int) throws -> UIImage {
        guard self.ratio > 0 else { throw Failure() }
        return UIImage(ratio: ratio)
    }
}

extension DocumentedTests {
    // 3-12
    func enrich(post: Post) -> ResponseFuture<EnrichedPost> {
        return ResponseFuture<EnrichedPost>() { future in
            DispatchQueue.global(qos: .background).async {
                do {
                    let enrichedPost = try Parser.parse(markdown: post.body)
                    future.succeed(with: (post, enrichedPost))
                } catch {
                    future.fail(with: error)
                }
            }
        }
    }
}

/// "Callbacks and functions" of the document of 1.11.1.
@Suite(.timeLimit(.generous))
final class CallbackSamplesTests: DocumentedTests {
    // 3-9
    @Test func success() async {
        let request = get("/posts/1")

        dispatcher.dataFuture(from: request)
            .success { response in
                self.journal("success")
            }
            .send()

        await journal.wait(for: "success")
    }

    @Test func error() async {
        let request = URLRequest(url: URL(string: "ftp://127.0.0.1/")!)

        dispatcher.dataFuture(from: request)
            .error { error in
                self.journal("error")
            }
            .send()

        await journal.wait(for: "error")
    }

    @Test func completion() async {
        let request = get("/posts/1")

        dispatcher.dataFuture(from: request)
            .completion {
                self.journal("completion")
            }
            .send()

        await journal.wait(for: "completion")
        #expect(server.requests.count == 1)
    }

    // 3-10
    @Test func then() async throws {
        let request = get("/posts")

        dispatcher.dataFuture(from: request)
            .then([Post].self, on: .main) { response in
                return try response.decode([Post].self)
            }
            .send()

        #expect(await server.waitForRequests(1))
        let posts = try await dispatcher.dataFuture(from: request)
            .then([Post].self, on: .main) { response in
                dispatchPrecondition(condition: .onQueue(.main))
                return try response.decode([Post].self)
            }
            .fetchResult()
        #expect(posts == [.hello])
    }

    // 3-11
    @Test func replace() async {
        let request = get("/posts/1")

        dispatcher.dataFuture(from: request)
            .replace(EnrichedPost.self) { [weak self] response in
                let post = try response.decode(Post.self)

                return self?.enrich(post: post)
            }
            .success { enrichedPost in
                self.journal(enrichedPost.post.title, enrichedPost.markdown.map { String($0.characters) } ?? "-")
            }
            .send()

        await journal.wait(for: "Hello *Hi*")
        await #expect(throws: Parser.Failure.self) {
            try await self.enrich(post: Post(id: 1, userId: 1, title: "", body: "")).fetchResult()
        }
    }

    // 3-13
    @Test func decoded() async {
        let request = get("/posts")

        dispatcher.dataFuture(from: request)
            .makeHTTPResponse()
            .decoded([Post].self)
            .success { (posts: HTTPResponse<[Post]>) in
                self.journal(posts.statusCode.rawValue, posts.data.count)
            }
            .send()

        await journal.wait(for: "200 1")
    }

    // 3-14
    @Test(arguments: ["/posts", "/missing"])
    func safeResult(path: String) async {
        let request = get(path)

        dispatcher.dataFuture(from: request)
            .decoded([Post].self)
            .safeResult()
            .success { (posts: Result<Response<[Post]>, any Error>) in
                self.journal((try? posts.get()) == nil ? "failure" : "success")
            }
            .send()

        await journal.wait(for: path == "/posts" ? "success" : "failure")
    }

    // 3-15
    @Test func parallelJoin() async {
        let request = get("/posts")

        dispatcher.dataFuture(from: request)
            .makeHTTPResponse()
            .decoded([Post].self)
            .parallelJoin(HTTPResponse<[User]>.self) {
                let url = URL(string: "https://jsonplaceholder.typicode.com/users")!
                let request = URLRequest(url: url, method: .get)

                return self.dispatcher.dataFuture(from: request)
                    .makeHTTPResponse()
                    .decoded([User].self)
            }
            .success { (posts: HTTPResponse<[Post]>, users: HTTPResponse<[User]>) in
                self.journal(posts.data.count, users.data.count)
            }
            .send()

        await journal.wait(for: "1 1")
        #expect(Set(server.requests.map(\.target)) == ["/posts", "/users"])
    }

    // 3-16
    @Test func seriesJoin() async {
        let request = get("/posts/1")

        dispatcher.dataFuture(from: request)
            .decoded(Post.self)
            .seriesJoin(Response<User>.self) { [weak self] result in
                guard let self = self else {
                    return nil
                }
                let url = URL(string: "https://jsonplaceholder.typicode.com/users/\(result.data.userId)")!
                let request = URLRequest(url: url, method: .get)

                return self.dispatcher.dataFuture(from: request)
                    .decoded(User.self)
            }
            .success { (post: Response<Post>, user: Response<User>) in
                self.journal(post.data.title, user.data.name)
            }
            .send()

        await journal.wait(for: "Hello Ada")
        #expect(server.requests.map(\.target) == ["/posts/1", "/users/7"])
    }

    @Test func seriesJoinWithoutAnOwner() async throws {
        var owner: DocumentedTests? = try DocumentedTests()

        dispatcher.dataFuture(from: get("/posts/1"))
            .seriesJoin(Response<Data?>.self) { [weak owner] _ in
                guard let owner = owner else {
                    return nil
                }
                return owner.dispatcher.dataFuture(from: owner.get("/users/1"))
            }
            .cancellation { self.journal("cancellation") }
            .completion { self.journal("completion") }
            .send()
        owner = nil

        #expect(await journal.wait(for: "completion") == ["cancellation", "completion"])
    }

    // 3-17
    @Test(arguments: [200, 404])
    func safeParallelJoin(status: Int) async {
        let request = get("/posts")
        server.route("GET", "/users", .json(status == 200 ? #"[{"id":7,"name":"Ada"}]"# : "{}", status: status))

        dispatcher.dataFuture(from: request)
            .decoded([Post].self)
            .safeParallelJoin(Response<[User]>.self) {
                let url = URL(string: "https://jsonplaceholder.typicode.com/users")!
                let request = URLRequest(url: url, method: .get)

                return self.dispatcher.dataFuture(from: request)
                    .decoded([User].self)
            }
            .success { (posts: Response<[Post]>, users: Result<Response<[User]>, any Error>) in
                self.journal(posts.data.count, (try? users.get().data.count) ?? 0)
            }
            .send()

        await journal.wait(for: status == 200 ? "1 1" : "1 0")
    }

    // 3-18
    @Test func result() async {
        let request = get("/posts/1")

        dispatcher.dataFuture(from: request)
            .result { result in
                self.journal((try? result.get()) == nil ? "failure" : "success")
            }
            .send()

        await journal.wait(for: "success")
    }

    // 3-19
    private func resized(_ image: UIImage) -> ResponseFuture<UIImage> {
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

    @Test func aFutureOfOnesOwn() async throws {
        #expect(try await resized(UIImage()).fetchResult() == UIImage(ratio: 1))
        await #expect(throws: UIImage.Failure.self) { try await self.resized(UIImage(ratio: 0)).fetchResult() }
    }
}
