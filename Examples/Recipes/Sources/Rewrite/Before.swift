import PiuPiuFutures

/// A screen that shows a user and the user's first post, as it was written for PiuPiu 1: with futures and handlers.
@MainActor
final class ProfileBefore {
    private(set) var title = ""
    private(set) var problem: String?
    private(set) var isLoading = false

    private let dispatcher: URLRequestDispatcher
    private let server: URL

    init(server: URL, dispatcher: URLRequestDispatcher) {
        self.server = server
        self.dispatcher = dispatcher
    }

    func load(id: Int, finished: @escaping @MainActor @Sendable () -> Void) {
        isLoading = true
        let (dispatcher, server) = (dispatcher, server)
        dispatcher.dataFuture(from: URLRequest(url: server.appending(path: "users/\(id)"), method: .get))
            .then { response in try response.validated().decode(User.self) }
            .seriesJoin([Post].self) { user in
                let url = server.appending(path: "posts").appending(queryItems: [
                    URLQueryItem(name: "user", value: "\(user.id)")
                ])
                return dispatcher.dataFuture(from: URLRequest(url: url, method: .get))
                    .then { response in try response.validated().decode([Post].self) }
            }
            .success { user, posts in
                self.title = "\(user.name): \(posts.first?.title ?? "no posts")"
            }
            .error { error in
                self.problem = StatusCode.notFound ~= error ? "There is no such user." : "\(error)"
            }
            .completion {
                self.isLoading = false
                finished()
            }
            .send()
    }
}
