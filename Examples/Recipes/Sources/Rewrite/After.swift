import PiuPiuAsync

/// The same screen with async functions: what was a link of the chain is a line, and the compiler checks the order.
///
/// - `then`, `seriesJoin` and `decoded` became lines one below the other.
/// - `error` became `catch`, and `completion` became `defer`.
/// - Cancelling the task, as a view does when it disappears, cancels the request; the future had to be kept for that.
@MainActor
final class ProfileAfter {
    private(set) var title = ""
    private(set) var problem: String?
    private(set) var isLoading = false

    private let api: URLRequestDispatcher

    init(api: URLRequestDispatcher) {
        self.api = api
    }

    func load(id: Int) async {
        isLoading = true
        defer { isLoading = false }
        do {
            let user: User = try await api.get("/users/\(id)")
            let posts: [Post] = try await api.get("/posts", query: ["user": user.id])
            title = "\(user.name): \(posts.first?.title ?? "no posts")"
        } catch StatusCode.notFound {
            problem = "There is no such user."
        } catch {
            problem = "\(error)"
        }
    }
}
