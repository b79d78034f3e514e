// swift-format-ignore-file: NeverForceUnwrap

import PiuPiuClassic
import Testing

@Suite(.timeLimit(.generous))
struct MockSamplesTests {
    @Test func theMock() async throws {
        let codable = [Post.hello]
        // Block 34
        let url = URL(string: "https://jsonplaceholder.typicode.com")!
        let dispatcher = MockURLRequestDispatcher(baseUrl: url, mockStatusCode: .ok)
        let request = BasicRequest(method: .get, path: "/posts")
        try dispatcher.setMockData(codable)

        /// The url specified is not actually called.
        dispatcher.future(from: request).send()

        let response = try await dispatcher.future(from: request).fetchResult()
        #expect(try response.decode([Post].self) == codable)
        #expect(response.urlRequest.url?.absoluteString == "https://jsonplaceholder.typicode.com/posts")
    }
}
