import Foundation
import PiuPiuFutures
import PiuPiuTesting

// The samples of the document of PiuPiu 1.10, in plain classes and in their order, in the files of this folder. A comment
// `// Block …` has the number of a code block in the document. Comments are left out, and handlers that the document
// leaves empty note that they ran. What is not there as printed is in Blocks.md.

/// What the samples find around them: a class without a word of concurrency, which the main thread uses.
class DocumentSamples {
    struct Post: Codable, Equatable {
        var id: Int
        var userId: Int
        var title: String
        var body: String
    }

    struct User: Codable, Equatable {
        var id: Int
        var name: String
    }

    typealias EnrichedPost = (post: Post, markdown: String)

    /// As that of XCTest.
    struct Expectation {
        let samples: DocumentSamples

        func fulfill() {
            samples.note("fulfill")
        }
    }

    var notes: [String] = []
    var post: Post?
    private var waiting: (note: String, then: () -> Void)?

    required init() {}

    lazy var dispatcher = MockURLRequestDispatcher { [unowned self] request in
        self.note("\(request.httpMethod ?? "") \(request.url?.path ?? "")")
        let post = Post(id: 1, userId: 7, title: "Hello", body: "*Hi*")
        if request.httpMethod == "POST" {
            return try Response.makeMockResponse(with: request, data: request.httpBody, statusCode: .ok)
        } else if request.pathMatches(pattern: [.constant("posts"), .wildcard(type: .integer)]) {
            return try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
        } else if request.pathMatches(pattern: [.constant("posts")]) {
            return try Response.makeMockJSONResponse(with: request, encodable: [post], statusCode: .ok)
        } else if request.pathMatches(pattern: [.constant("users"), .wildcard(type: .integer)]) {
            let user = User(id: 7, name: "Ada")
            return try Response.makeMockJSONResponse(with: request, encodable: user, statusCode: .ok)
        } else if request.pathMatches(pattern: [.constant("users")]) {
            return try Response.makeMockJSONResponse(
                with: request,
                encodable: [User(id: 7, name: "Ada")],
                statusCode: .ok
            )
        } else {
            return try Response.makeMockResponse(with: request, statusCode: .notFound)
        }
    }

    var expectation: Expectation { Expectation(samples: self) }

    func get(_ path: String) -> URLRequest {
        URLRequest(url: URL(string: "https://jsonplaceholder.typicode.com\(path)") ?? baseURL, method: .get)
    }

    func note(_ note: Any) {
        let note = "\(note)"
        notes.append(note)
        guard let waiting, waiting.note == note else { return }
        self.waiting = nil
        waiting.then()
    }

    func enrich(post: Post) -> ResponseFuture<EnrichedPost> {
        ResponseFuture(result: (post, "enriched \(post.body)"))
    }

    func show(_ posts: [Post]) {
        note("show \(posts.map { $0.title })")
    }

    /// Runs a sample on the main thread, until it has noted something.
    ///
    /// - Returns: The notes without those of the server.
    static func run<Samples: DocumentSamples>(
        until note: String,
        _ type: Samples.Type,
        _ sample: @escaping (Samples) throws -> Void
    ) async -> [String] {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                let samples = Samples()
                samples.waiting = (note, { continuation.resume(returning: samples.handled) })
                do { try sample(samples) } catch { continuation.resume(returning: ["\(error)"]) }
            }
        }
    }

    private var handled: [String] { notes.filter { !$0.hasPrefix("GET ") && !$0.hasPrefix("POST ") } }
}
