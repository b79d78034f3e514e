import PiuPiuAsync
import PiuPiuTesting

/// What the samples find around them.
enum Surroundings {
    /// Whether a dispatcher as it comes, which asks the environment for proxies, reaches 127.0.0.1 without one.
    static let reachLoopbackDirectly: Bool = {
        let environment = ProcessInfo.processInfo.environment
        let hasProxy = ["http_proxy", "all_proxy", "ALL_PROXY"].contains { !(environment[$0] ?? "").isEmpty }
        let exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").split(separator: ",")
        return !hasProxy
            || exceptions.contains { ["*", "127.0.0.1"].contains($0.trimmingCharacters(in: .whitespaces)) }
    }()

    /// A server with a few posts and users.
    static func server() throws -> LoopbackServer {
        let server = try LoopbackServer()
        server.route("GET", "/posts", .json(#"[{"id":1,"title":"Hello"},{"id":2,"title":"Bye"}]"#))
        server.route("GET", "/posts/1", .json(#"{"id":1,"title":"Hello"}"#))
        server.route("GET", "/posts/2", .json(#"{"id":2,"title":"Bye"}"#))
        server.route("GET", "/users", .json(#"[{"name":"Ada"}]"#))
        server.route("GET", "/missing", .json(#"{"message":"no such post"}"#, status: 404))
        server.route("GET", "/broken", .json("{}", status: 500))
        server.route("GET", "/text", .response(headers: ["Content-Type": "text/plain"], body: "text"))
        server.route("GET", "/silent", .stall)
        return server
    }
}

/// A user as the samples decode it.
struct User: Codable, Sendable {
    var name: String
}
