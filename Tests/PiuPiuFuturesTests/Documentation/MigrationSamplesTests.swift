import PiuPiuFutures
import PiuPiuTesting
import Testing

/// What the samples of MIGRATION.md and FromFuturesToAsync.md find around them.
@MainActor
class MigrationTests: DocumentedTests {
    var isLoading = true
    var fraction: Float = 0
    let folder = FileManager.default.temporaryDirectory.appending(path: "PiuPiu-\(UUID().uuidString)")

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func show(_ post: Post) {
        journal("show", post.title)
    }

    func show(post: Post, users: [User]) {
        journal("show", post.title, users.count)
    }

    func postRequest(_ id: Int) -> URLRequest {
        get("/posts/\(id)")
    }
}

/// The code "before", which is that of PiuPiu 1.
@Suite(.timeLimit(.generous))
final class MigrationBeforeTests: MigrationTests {
    @Test(arguments: ["/posts/1", "/missing"])
    func aRequest(path: String) async {
        let request = get(path)

        dispatcher.dataFuture(from: request)
            .success { response in
                let http = try response.makeHTTPResponse()
                if let error = http.httpError { throw error }
                self.show(try response.decode(Post.self))
            }
            .error { error in self.show(error) }
            .completion { self.isLoading = false }
            .send()

        await journal.wait(for: path == "/missing" ? "show \(HTTPError.clientError(.notFound))" : "show Hello")
        while isLoading { await Task.yield() }
    }

    func fetchPost(_ id: Int) -> ResponseFuture<Post> {
        dispatcher.dataFuture(from: postRequest(id))
            .then { response -> Post in try response.decode(Post.self) }
    }

    func fetchUser(_ id: Int) -> ResponseFuture<User> {
        dispatcher.dataFuture(from: get("/users/\(id)")).decoded(User.self).then { $0.data }
    }

    func fetchUsers() -> ResponseFuture<[User]> {
        dispatcher.dataFuture(from: get("/users")).decoded([User].self).then { $0.data }
    }

    @Test func oneAfterTheOther() async {
        fetchPost(1)
            .seriesJoin(User.self) { [weak self] post in self?.fetchUser(post.userId) }
            .success { post, user in self.show(post: post, user: user) }
            .error { error in self.show(error) }
            .send()

        await journal.wait(for: "show Hello Ada")
    }

    @Test func atTheSameTime() async {
        fetchPost(1)
            .parallelJoin([User].self) { self.fetchUsers() }
            .success { post, users in self.show(post: post, users: users) }
            .error { error in self.show(error) }
            .send()

        await journal.wait(for: "show Hello 1")
    }

    @Test func withoutFailing() async {
        server.route("GET", "/users", .json("{}", status: 500))

        fetchPost(1)
            .safeParallelJoin([User].self) { self.fetchUsers() }
            .success { post, users in self.show(post: post, users: (try? users.get()) ?? []) }
            .error { error in self.show(error) }
            .send()

        await journal.wait(for: "show Hello 0")
    }

    @Test func many() async {
        let ids = [1, 1]

        ResponseFuture<[Post]>(childFutures: ids.map { id in fetchPost(id) })
            .success { posts in self.show(posts) }
            .error { error in self.show(error) }
            .send()

        await journal.wait(for: #"show ["Hello", "Hello"]"#)
    }

    func resized(_ image: UIImage) -> ResponseFuture<UIImage> {
        ResponseFuture<UIImage> { future in
            DispatchQueue.global(qos: .background).async {
                do {
                    future.succeed(with: try image.resize(ratio: 16 / 9))
                } catch {
                    future.fail(with: error)
                }
            }
        }
    }

    @Test func aFutureOfOnesOwn() async throws {
        #expect(try await resized(UIImage()).fetchResult().ratio == 1)
    }

    @Test func progress() async {
        let request = get("/posts")
        let fileURL = folder.appending(path: "posts.json")

        dispatcher.downloadFuture(from: request, to: fileURL)
            .updated { task in self.fraction = task.percentTransferred ?? 0 }
            .success { response in self.journal("saved", response.data.lastPathComponent) }
            .send()

        await journal.wait(for: "saved posts.json")
        #expect(fraction == 1)
    }

    private var future: ResponseFuture<Post>?

    @Test func cancelling() async {
        server.route("GET", "/posts/1", .hold("here"), .stall)

        future = fetchPost(1)
            .success { post in self.show(post) }
            .completion { self.isLoading = false }
        future?.send()
        // and later
        future?.cancel()

        while isLoading { await Task.yield() }
        server.release("here")
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    @Test func aResult() async {
        fetchPost(1)
            .result { result in
                self.isLoading = false
                self.journal((try? result.get())?.title ?? "failure")
            }
            .send()

        await journal.wait(for: "Hello")
    }

    private final class Provider: ServerProvider {
        let baseURL: URL?

        init(_ baseURL: URL?) {
            self.baseURL = baseURL
        }
    }

    @Test func aBasicRequest() async throws {
        let provider = Provider(server.baseURL)
        let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: provider)
        let posts = serializer.dataFuture(from: BasicRequest(method: .get, path: "/posts")).decoded([Post].self)
        #expect(try await posts.fetchResult().data == [.hello])
    }
}

/// The code "after", with async functions.
@Suite(.timeLimit(.generous))
final class MigrationAfterTests: MigrationTests {
    @Test(arguments: ["/posts/1", "/missing"])
    func aRequest(path: String) async {
        let request = get(path)

        do {
            let response = try await dispatcher.data(for: request).validated()
            show(try response.decode(Post.self))
        } catch {
            show(error)
        }
        isLoading = false

        let refusal = "A response with status code 404 is not acceptable (GET \(request.url?.absoluteString ?? "")"
        let shown = journal.entries.first ?? ""
        #expect(path == "/missing" ? shown.hasPrefix("show \(refusal)") : shown == "show Hello", "\(shown)")
    }

    func fetchPost(_ id: Int) async throws -> Post {
        try await dispatcher.data(for: postRequest(id)).decode(Post.self)
    }

    func fetchUser(_ id: Int) async throws -> User {
        try await dispatcher.data(for: get("/users/\(id)")).decode(User.self)
    }

    func fetchUsers() async throws -> [User] {
        try await dispatcher.data(for: get("/users")).decode([User].self)
    }

    // For callers that still work with futures.
    func postFuture(_ id: Int) -> ResponseFuture<Post> {
        ResponseFuture { try await self.fetchPost(id) }
    }

    @Test func bothWays() async throws {
        let post = try await postFuture(1).fetchResult()
        #expect(post == .hello)
    }

    @Test func oneAfterTheOther() async throws {
        let post = try await fetchPost(1)
        let user = try await fetchUser(post.userId)
        show(post: post, user: user)

        await journal.wait(for: "show Hello Ada")
    }

    @Test func atTheSameTime() async throws {
        async let post = fetchPost(1)
        async let users = fetchUsers()
        show(post: try await post, users: try await users)

        await journal.wait(for: "show Hello 1")
    }

    @Test func withoutFailing() async throws {
        server.route("GET", "/users", .json("{}", status: 500))

        async let users = try? fetchUsers()
        let post = try await fetchPost(1)
        show(post: post, users: await users ?? [])

        await journal.wait(for: "show Hello 0")
    }

    @Test func many() async throws {
        let ids = [1, 1]

        let posts = try await withThrowingTaskGroup(of: (Int, Post).self) { group in
            for (index, id) in ids.enumerated() {
                group.addTask { (index, try await self.fetchPost(id)) }
            }
            var posts = [Post?](repeating: nil, count: ids.count)
            for try await (index, post) in group { posts[index] = post }
            return posts.compactMap { $0 }
        }
        show(posts)

        await journal.wait(for: #"show ["Hello", "Hello"]"#)
    }

    @concurrent
    nonisolated func resized(_ image: UIImage) async throws -> UIImage {
        try image.resize(ratio: 16 / 9)
    }

    @Test func workOfOnesOwn() async throws {
        #expect(try await resized(UIImage()).ratio == 1)
    }

    @Test func progress() async throws {
        let request = get("/posts")
        let fileURL = folder.appending(path: "posts.json")

        for try await event in dispatcher.download(for: request, to: fileURL) {
            switch event {
            case .progress(let progress): fraction = Float(progress.fractionCompleted ?? 0)
            case .finished(let response): journal("saved", response.data.lastPathComponent)
            }
        }

        await journal.wait(for: "saved posts.json")
        #expect(fraction == 1)
    }

    private var task: Task<Void, any Error>?

    @Test func cancelling() async {
        server.route("GET", "/posts/1", .hold("here"), .stall)

        task = Task {
            defer { isLoading = false }
            show(try await fetchPost(1))
        }
        // and later
        task?.cancel()

        while isLoading { await Task.yield() }
        server.release("here")
        #expect(await server.waitForOpenConnections(atMost: 0))
    }

    @Test func aResult() async {
        let result = await Task { try await fetchPost(1) }.result
        isLoading = false
        journal((try? result.get())?.title ?? "failure")

        await journal.wait(for: "Hello")
    }

    @Test func aBasicRequest() async throws {
        let baseURL = server.baseURL

        let request = URLRequest(url: baseURL.appending(path: "posts"), method: .get)
        let posts = try await dispatcher.data(for: request).decode([Post].self)

        #expect(posts == [.hello])
    }
}
