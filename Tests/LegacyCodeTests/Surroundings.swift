import Foundation
import PiuPiuFutures
import PiuPiuTesting
import Testing

// Every file of this target holds code as users of PiuPiu 1.11.1 have it: in the Swift 5 language mode, in classes that
// know nothing of concurrency. A comment `// Row: …` begins the code of each row of MIGRATION.md; RowCodeTests.swift
// compares them.

struct Post: Codable, Equatable {
    var id: Int
    var title: String
}

struct User: Codable, Equatable {
    var id: Int
    var name: String
}

/// A server of a test: posts have the title "Hello", users are called Ada.
let server = MockURLRequestDispatcher(callback: { request in
    if request.pathMatches(pattern: [.constant("posts"), .wildcard(type: .integer)]) {
        return try Response.makeMockJSONResponse(
            with: request,
            encodable: Post(id: 1, title: "Hello"),
            statusCode: .ok
        )
    } else if request.pathMatches(pattern: [.constant("users"), .wildcard(type: .integer)]) {
        return try Response.makeMockJSONResponse(
            with: request,
            encodable: User(id: 1, name: "Ada"),
            statusCode: .ok
        )
    } else {
        return try Response.makeMockResponse(with: request, statusCode: .notFound)
    }
})

let baseURL = URL(string: "https://example.com") ?? URL(fileURLWithPath: "/")

func request(_ path: String = "/posts/1", _ method: HTTPMethod = .get) -> URLRequest {
    URLRequest(url: baseURL.appendingPathComponent(path), method: method)
}

/// A response as a server sent it.
func response(_ text: String?, _ statusCode: StatusCode = .ok) throws -> Response<Data?> {
    try Response.makeMockResponse(with: request(), data: text?.data(using: .utf8), statusCode: statusCode)
}

/// Waits for the end of a future that has no `completion` yet.
func end<Value>(_ future: ResponseFuture<Value>) async {
    await withCheckedContinuation { ended in
        future.completion { ended.resume() }.send()
    }
}
