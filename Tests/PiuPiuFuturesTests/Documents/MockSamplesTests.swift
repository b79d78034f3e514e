import PiuPiuFutures
import PiuPiuTesting
import TestSupport
import Testing

/// "Mock Dispatcher" of the documents of 1.10 and 1.11.1.
@MainActor
@Suite(.timeLimit(.generous))
struct MockSamplesTests {
    // 3-29, with its line breaks
    // swift-format-ignore
    private let dispatcher = MockURLRequestDispatcher(delay: 0.5, callback: { request in
        if let id = request.integerValue(atIndex: 1, matching: [.constant("posts"), .wildcard(type: .integer)]) {
            let post = Post(id: id, userId: 123, title: "Some post", body: "Lorem ipsum ...")
            return try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
        } else if request.pathMatches(pattern: [.constant("posts")]) {
            let post = Post(id: 123, userId: 123, title: "Some post", body: "Lorem ipsum ...")
            return try Response.makeMockJSONResponse(with: request, encodable: [post], statusCode: .ok)
        } else {
            return try Response.makeMockResponse(with: request, statusCode: .notFound)
        }
    })

    private func request(_ path: String) throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "https://jsonplaceholder.typicode.com\(path)")), method: .get)
    }

    @Test func aPost() async throws {
        let start = ContinuousClock.now
        let post = try await dispatcher.dataFuture(from: request("/posts/7")).decoded(Post.self).fetchResult()
        #expect(post.data == Post(id: 7, userId: 123, title: "Some post", body: "Lorem ipsum ..."))
        #expect(ContinuousClock.now - start >= .milliseconds(500))
    }

    @Test func allPosts() async throws {
        let posts = try await dispatcher.dataFuture(from: request("/posts")).decoded([Post].self).fetchResult()
        #expect(posts.data.map(\.id) == [123])
    }

    @Test func anythingElse() async throws {
        let response = try await dispatcher.dataFuture(from: request("/users")).makeHTTPResponse().fetchResult()
        #expect(response.httpError == .clientError(.notFound))
    }
}
