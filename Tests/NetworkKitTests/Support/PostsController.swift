// swift-format-ignore-file: NeverForceUnwrap

import NetworkKit
import PiuPiuTesting

/// Stands for a user's class that was written for Swift 5: no annotations, variables of the main thread, and the server
/// of its requests.
class PostsController: ServerProvider {
    let server: LoopbackServer
    let journal = Journal()
    lazy var dispatcher: Dispatcher = NetworkDispatcher(serverProvider: self, dispatcher: plainDispatcher())
    var request = BasicRequest(method: .get, path: "/posts/1")
    var post: Post?
    var textField: UITextField! = UITextField()
    var postResponseFuture: ResponseFuture<SuccessResponse<[Post]>>?
    var strongResponseFuture: ResponseFuture<Response<Data?>>?
    weak var weakResponseFuture: ResponseFuture<Response<Data?>>?

    init() throws {
        server = try LoopbackServer()
        server.route("GET", "/posts", .json(Post.json))
        server.route("GET", "/posts/1", .json(Post.json))
        server.route("GET", "/posts/all", .json("[\(Post.json)]"))
        server.route("POST", "/posts", .echo)
        server.route("POST", "/post", .echo)
        server.route("GET", "/missing", .json(#"{"reason":"gone"}"#, status: 404))
        server.route("GET", "/empty", .response())
    }

    var baseURL: URL { server.url("") }

    func get(_ path: String) -> BasicRequest {
        BasicRequest(method: .get, path: path)
    }

    func show(_ posts: [Post]) {
        journal("show", posts.map { $0.title })
    }

    func show(_ data: Data?) {
        journal("show", data?.count ?? 0, "bytes")
    }
}
