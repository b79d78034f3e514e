import PiuPiuFutures
import PiuPiuTesting
import Testing

// The samples of the documents of PiuPiu 1.10 and 1.11.1, in their order, in the files of this folder. Comments are left
// out, and handlers that the documents leave empty record that they ran. The numbers say where a sample stands: 3-1
// to 3-29 in the document of 1.11.1, from its beginning, and 0-1 to 0-7 in that of 1.10, if it differs.
//
// What is not there as printed:
//
// | Sample | Why | Instead |
// |---|---|---|
// | 3-1, 3-19, 3-28 | types of UIKit | types of the same names, with what the sample uses |
// | 3-4 | decodes one post although the server has an array | the server has both; the array ends in `error` |
// | 3-4, 0-4, 0-5 | an expectation that is defined nowhere | an object with `fulfill()` |
// | 3-11, 3-12 | `NSAttributedString` is not `Sendable`, and so cannot cross threads | `AttributedString` |
// | 3-14, 3-17 | `Error` as a type, but this package's tests require `any Error` | `any Error` |
// | 3-19 | `image.resize` is defined nowhere | a function that can fail |
// | 3-23 to 3-25 | `Decoder`, `Encoder`, `CodingKey` as types, but this package's tests require `any` | `any Decoder` |
// | 3-24, 3-25 | parameters without names, `value` undefined | the names of the library |
// | 0-1 | not sent, so that the compiler warns of an unused result | the result is kept, and nothing happens |
// | 0-7 | the rest of 1.10 is that of 1.11.1, but for `fetchResult()`, which came later | see there |

/// What the samples find around them: the class they are part of, and the server of their URLs.
@MainActor
class DocumentedTests {
    /// Leads what goes to the server of the documents to a server of our own, as the documents propose.
    private struct Placeholder: URLRequestAdapter {
        let server: LoopbackServer

        func adapt(urlRequest: URLRequest) async throws -> URLRequest {
            guard let url = urlRequest.url, url.host() == "jsonplaceholder.typicode.com" else { return urlRequest }
            var request = urlRequest
            request.url = server.url(url.path())
            return request
        }
    }

    let server: LoopbackServer
    let dispatcher: URLRequestDispatcher
    let journal = Journal()
    let expectation: Expectation
    var post: Post?

    required init() throws {
        server = try LoopbackServer()
        server.route("GET", "/posts", .json(#"[{"id":1,"userId":7,"title":"Hello","body":"*Hi*"}]"#))
        server.route("GET", "/posts/1", .json(#"{"id":1,"userId":7,"title":"Hello","body":"*Hi*"}"#))
        server.route("POST", "/posts/1", .echo)
        server.route("GET", "/users", .json(#"[{"id":7,"name":"Ada"}]"#))
        for path in ["/users/1", "/users/7"] { server.route("GET", path, .json(#"{"id":7,"name":"Ada"}"#)) }
        server.route("GET", "/missing", .json("{}", status: 404))
        server.route("GET", "/empty", .response())
        dispatcher = .forTests(requestAdapters: [Placeholder(server: server)])
        expectation = Expectation(journal: journal)
    }

    /// A request to the server.
    func get(_ path: String) -> URLRequest {
        URLRequest(url: server.url(path), method: .get)
    }

    func show(_ posts: [Post]) {
        journal("show", posts.map(\.title))
    }

    func show(post: Post, user: User) {
        journal("show", post.title, user.name)
    }

    func show(_ error: any Error) {
        journal("show", error)
    }
}

struct Post: Codable, Sendable, Equatable {
    var id: Int
    var userId: Int
    var title: String
    var body: String

    static let hello = Post(id: 1, userId: 7, title: "Hello", body: "*Hi*")
}

struct User: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

/// As that of XCTest.
@MainActor
struct Expectation {
    let journal: Journal

    func fulfill() {
        journal("fulfill")
    }
}
