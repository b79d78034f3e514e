import PiuPiuAsync
import PiuPiuTesting

/// The server of the example: a blog that is not always well.
struct Service {
    private let server: LoopbackServer

    var url: URL { server.baseURL }

    /// Starts the server.
    ///
    /// - Parameter latency: The time before each response, and between the quarters of a cover.
    /// - Throws: An error if no port is free.
    init(latency: Duration = .zero) throws {
        server = try LoopbackServer()
        let (server, url) = (server, server.baseURL)

        // Every token is a new one, and the first expires early.
        server.route("POST", "/token") { request in
            guard request.header("Authorization") == "Basic cmVhZGVyOnMzY3JldA==" else {
                return [.json(#"{"error":"invalid_client"}"#, status: 401)]
            }
            let number = server.requests(for: "/token").count
            return [
                .sleep(latency), .json(#"{"access_token":"token-\#(number)","token_type":"Bearer","expires_in":3600}"#),
            ]
        }
        server.route("GET", "/v1/posts") { request in
            let count = server.requests(for: "/v1/posts").filter { $0.method == "GET" }.count
            let hasExpired = count > 1 && request.header("Authorization") == "Bearer token-1"
            if hasExpired || request.header("Authorization") == nil {
                return [.sleep(latency), .response(status: 401)]
            }
            if count == 4 { return [.sleep(latency), .response(status: 503, headers: ["Retry-After": "0"])] }
            let page = request.target.hasSuffix("page=2") ? 2 : request.target.hasSuffix("page=3") ? 3 : 1
            let next = "<\(url.absoluteString)/v1/posts?topic=birds%20%26%20bees&page=\(page + 1)>; rel=\"next\""
            let posts = (page * 2 - 1...page * 2).map { id in
                let cover = id.isMultiple(of: 2) ? #","cover":"/covers/\#(id)""# : ""
                return #"{"id":\#(id),"title":"Post \#(id)"\#(cover)}"#
            }
            let body = "[\(posts.joined(separator: ","))]"
            let type = "application/json"
            let headers: HeaderList = page < 3 ? ["Content-Type": type, "Link": next] : ["Content-Type": type]
            return [.sleep(latency), .response(headers: headers, body: body)]
        }
        server.route("POST", "/v1/posts", .sleep(latency), .json(#"{"id":7,"title":"Nests"}"#, status: 201))
        for id in [2, 4, 6] {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(10_000 * id)\r\n\r\n"
            let quarter = String(repeating: "*", count: 2500 * id)
            let every = latency > .zero ? latency : nil
            server.route("/v1/covers/\(id)", .sleep(latency), .send(head), .repeat(quarter, count: 4, every: every))
        }
    }

    /// What the server was asked for.
    var summary: String {
        let paths = ["/token", "/v1/posts", "/v1/covers/2", "/v1/covers/4", "/v1/covers/6"]
        return paths.map { "\($0) \(server.requests(for: $0).count)×" }.joined(separator: ", ")
    }

    /// Whether the client asked as little as it had to.
    var isContent: Bool {
        // Three pages, one of them twice because of the token, one because of the overload; and the new post.
        server.requests(for: "/token").count == 2 && server.requests(for: "/v1/posts").count == 6
    }
}
