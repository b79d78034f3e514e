import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

/// The samples of the PiuPiu documents that need no dispatcher, as they are written there.
struct DocumentedDecodingSamplesTests {
    private struct Post: Codable, Equatable {
        var id: Int
        var userId: Int
        var title: String
        var body: String
    }

    private let post = Post(id: 1, userId: 123, title: "Some post", body: "Lorem ipsum ...")

    private func makeResponse(_ statusCode: StatusCode = .ok) throws -> Response<Data?> {
        let data = try JSONEncoder().encode([post])
        let url = Fixture.url
        let urlResponse = try #require(
            HTTPURLResponse(url: url, statusCode: statusCode.rawValue, httpVersion: "HTTP/1.1", headerFields: nil)
        )
        let request = URLRequest(url: url, method: .get)
        return Response(data: data, urlRequest: request, urlResponse: urlResponse)
    }

    @Test func encodeJSONString() throws {
        var request = URLRequest(url: Fixture.url, method: .post)
        let jsonString = "{\"name\": \"Kevin Malone\"}"
        request.setJSONBody(string: jsonString, encoding: .utf8)
        #expect(request.httpBody == Data(jsonString.utf8))
    }

    @Test func encodeJSONObject() throws {
        var request = URLRequest(url: Fixture.url, method: .post)
        let jsonObject: [String: Any?] = [
            "id": "123",
            "name": "Kevin Malone",
        ]

        try request.setJSONBody(jsonObject: jsonObject)
        let body = try #require(request.httpBody)
        #expect(try JSONDecoder().decode([String: String].self, from: body) == ["id": "123", "name": "Kevin Malone"])
    }

    @Test func encodeEncodable() throws {
        let myCodable = post
        var request = URLRequest(url: Fixture.url, method: .post)
        try request.setJSONBody(encodable: myCodable)
        #expect(try JSONDecoder().decode(Post.self, from: #require(request.httpBody)) == post)
        try request.setJSONBody(post)
        #expect(try JSONDecoder().decode(Post.self, from: #require(request.httpBody)) == post)
    }

    @Test func unwrappingData() throws {
        let response = try makeResponse()
        let data = try response.unwrapData()
        #expect(!data.isEmpty)
    }

    @Test func decodeString() throws {
        let response = try makeResponse()
        let string = try response.decodeString(encoding: .utf8)
        #expect(string.hasPrefix("["))
    }

    @Test func decodeDecodable() throws {
        let response = try makeResponse()
        let posts = try response.decode([Post].self)
        #expect(posts == [post])
    }

    @Test func handlingAnHTTPResponse() throws {
        func posts(_ response: Response<Data?>) throws -> [Post] {
            let httpResponse = try response.makeHTTPResponse()
            if let error = httpResponse.httpError {
                throw error
            } else {
                return try response.decode([Post].self)
            }
        }
        #expect(try posts(makeResponse()) == [post])
        #expect(throws: HTTPError.clientError(.notFound)) { try posts(makeResponse(.notFound)) }
    }

    @Test func decodedResponses() throws {
        let httpResponse: HTTPResponse<Data?> = try makeResponse().makeHTTPResponse()
        let posts: HTTPResponse<[Post]> = try httpResponse.decoded([Post].self)
        #expect(posts.data.first?.userId == 123)
        let plain: Response<[Post]> = try makeResponse().decoded([Post].self)
        #expect(plain.data == [post])
        let safe: HTTPResponse<Result<[Post], any Error>> = httpResponse.map { _ in
            Result { try httpResponse.decode([Post].self) }
        }
        #expect(try safe.data.get() == [post])
    }

    @Test func validatingInAChain() async throws {
        func data() async throws -> Response<Data?> { try makeResponse() }
        let posts = try await data().validated().decode([Post].self)
        #expect(posts == [post])
        async let first = data().decode([Post].self)
        async let second = data().decode([Post].self)
        let (a, b) = try await (first, second)
        #expect(a == b)
    }
}
