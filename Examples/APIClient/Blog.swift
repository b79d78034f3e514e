import PiuPiuAsync

/// A client of a blog's API: with tokens, pages, retries and limits.
struct Blog {
    struct Post: Codable, Sendable {
        var id: Int
        var title: String
        var cover: String?
    }

    struct Draft: Codable, Sendable {
        var title: String
    }

    private let api: URLRequestDispatcher

    init(server: URL, clientID: String, secret: String, observers: [any ExchangeObserver] = []) throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = observers
        // A token is requested when it is needed, renewed before it expires, and sent to this server only.
        let login = try OAuth2ClientCredentials(
            tokenURL: server.appending(path: "token"),
            clientID: clientID,
            clientSecret: secret,
            dispatcher: URLRequestDispatcher(configuration: configuration)
        )
        configuration.baseURL = server.appending(path: "v1")
        configuration.timeouts.total = .seconds(30)
        api = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [
                Coalescing(), RetryPolicy(), CircuitBreaker(), RateLimit(100),
                try login.authenticationPolicy(origins: [server]),
            ]
        )
    }

    /// The posts about a topic; each page is requested when the loop gets there.
    func posts(about topic: String) throws -> PageItems<[Post], [Post]> {
        api.pages(for: try api.request(.get, "/posts", query: ["topic": topic]), of: [Post].self).items
    }

    /// Publishes a post; the server recognises a repetition by its key, so that the request may be retried.
    func publish(_ draft: Draft) async throws -> Post {
        try await api.post("/posts", headers: ["Idempotency-Key": UUID().uuidString], json: draft)
    }

    /// Saves the covers of posts, four at a time.
    func covers(of posts: [Post], in folder: URL) throws -> Downloads {
        let files = try posts.compactMap { post in
            try post.cover.map { (try api.request(.get, $0), folder.appending(path: "\(post.id).png")) }
        }
        return api.downloads(of: files, maximumInFlight: 4)
    }
}
