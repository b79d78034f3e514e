import PiuPiuAsync
import PiuPiuTesting

struct User: Decodable, Sendable {
    var id: Int
    var name: String
}

struct Post: Decodable, Sendable {
    var title: String
}

/// Loads a screen twice, with a chain of futures and with async functions, and compares what they show.
///
/// The server is on 127.0.0.1. The exit status is 0 if both show the same, for a user and for one that does not exist.
@main
@MainActor
struct Main {
    static func main() async throws {
        let server = try LoopbackServer()
        server.route("/users/7", .json(#"{"id":7,"name":"Ada"}"#))
        server.route("/users/8", .json(#"{"error":"unknown"}"#, status: 404))
        server.route("/posts", .json(#"[{"title":"On engines"},{"title":"On notes"}]"#))
        let api = URLRequestDispatcher(baseURL: server.baseURL)

        var isRight = true
        for (id, title, problem) in [(7, "Ada: On engines", nil), (8, "", "There is no such user.")] {
            let before = ProfileBefore(server: server.baseURL, dispatcher: api)
            await withCheckedContinuation { continuation in
                before.load(id: id) { continuation.resume() }
            }
            let after = ProfileAfter(api: api)
            await after.load(id: id)
            print("before:", before.title, before.problem ?? "")
            print("after: ", after.title, after.problem ?? "")
            isRight = isRight && before.title == title && after.title == title
            isRight = isRight && before.problem == problem && after.problem == problem
            isRight = isRight && !before.isLoading && !after.isLoading
        }
        await api.shutdown()
        if !isRight { exit(1) }
    }
}
