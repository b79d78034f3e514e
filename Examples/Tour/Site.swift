import PiuPiuAsync
import PiuPiuTesting

/// The two servers of the tour.
///
/// They differ in their port, so that they are two origins.
struct Site {
    /// The server that most requests go to.
    let api: LoopbackServer
    /// Another origin, which has no business with the secrets of the first.
    let other: LoopbackServer

    /// Starts both servers.
    init() throws {
        api = try LoopbackServer()
        other = try LoopbackServer()
        api.route("GET", "/posts/1", .json(#"{"id":1,"title":"Hello"}"#))
        api.route("POST", "/posts", .echo)
        // Neither of these two is answered before both have arrived.
        api.route("GET", "/posts", .hold("both"), .json(#"[{"id":1,"title":"Hello"},{"id":2,"title":"Bye"}]"#))
        api.route("GET", "/users", .hold("both"), .json(#"[{"id":7,"name":"Ada"}]"#))
        api.route("GET", "/missing", .json(#"{"message":"no such post"}"#, status: 404))
        api.route("GET", "/old", .redirect(to: "/posts/1", status: 301))
        api.route("GET", "/mine", .json(#"{"id":3,"title":"Only for Ada"}"#))
        api.route("GET", "/moved", .redirect(to: other.url("/elsewhere").absoluteString, status: 307))
        other.route("GET", "/elsewhere", .json(#"{"id":4,"title":"Moved"}"#))
        api.route("GET", "/silent", .stall)
        api.route("GET", "/picture", .response(headers: ["Cache-Control": "max-age=60"], body: "a picture"))
        let busy: Step = .response(status: 503, headers: ["Retry-After": "0"])
        api.sequence("GET", "/busy", [[busy], [.response(body: "now")]])
        api.route("POST", "/busy/post", .response(status: 503))
        api.route("GET", "/login", .response(body: "new"))
        let session: HeaderList = ["Set-Cookie": "session=17; Path=/; HttpOnly", "Location": "/account"]
        api.route("POST", "/session", .response(status: 303, headers: session))
        api.route("GET", "/account") { request in
            request.header("Cookie") == "session=17" ? [.response(body: "Ada")] : [.response(status: 401)]
        }
        api.route("GET", "/private") { request in
            [.response(status: request.header("Authorization") == "Bearer new" ? 200 : 401)]
        }
    }

    /// Stops both servers.
    func stop() {
        api.stop()
        other.stop()
    }
}

/// What the server has.
struct Post: Codable, Equatable {
    var id: Int
    var title: String
}

/// A person who writes posts.
struct User: Codable, Equatable {
    var id: Int
    var name: String
}

/// Something was not as it must be.
struct Disappointment: Error, CustomStringConvertible {
    let description: String
}

/// Throws if something is not as it must be.
func require(_ condition: Bool, _ expectation: String) throws {
    if !condition { throw Disappointment(description: "expected that \(expectation)") }
}

/// Runs an operation that must fail, and returns its error.
func failure<Value>(of operation: () async throws -> Value) async throws -> any Error {
    let value: Value
    do {
        value = try await operation()
    } catch {
        return error
    }
    throw Disappointment(description: "expected an error, not \(value)")
}
