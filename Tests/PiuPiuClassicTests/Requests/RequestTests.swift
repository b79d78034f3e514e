import PiuPiuClassic
import TestSupport
import Testing

struct RequestTests {
    private var request = BasicRequest(method: .post, path: "/posts")

    @Test mutating func eachFormOfABodyIsEncoded() throws {
        request.setHTTPBody(string: "text")
        #expect(request.httpBody == Data("text".utf8))
        #expect(request.headers.isEmpty)
        try request.setJSONBody(jsonArray: [["id": 7]])
        #expect(request.httpBody == Data(#"[{"id":7}]"#.utf8))
        #expect(request.headers == ["Content-Type": "application/json"])
        try request.setHTTPBody(jsonObject: ["id": nil])
        #expect(request.httpBody == Data(#"{"id":null}"#.utf8))
        try request.setJSONBody(encodable: [Date(timeIntervalSince1970: 0)], dateEncodingStrategy: .rfc3339)
        #expect(request.httpBody == Data(#"["1970-01-01T00:00:00Z"]"#.utf8))
        try request.setJSONBody([7])
        #expect(request.httpBody == Data("[7]".utf8))
    }

    @Test mutating func aContentTypeOfTheUserStays() {
        request.headers = ["content-type": "application/vnd.api+json"]
        request.ensureJSONContentType()
        #expect(request.headers.count == 1)
    }

    @Test func aFormHasItsFieldsAndItsFile() throws {
        var request = MultiPartRequest(method: .post, path: "/photos")
        request.setHTTPBody(
            file: Data([0, 1, 2]),
            fileName: "a.jpg",
            mimeType: "image/jpeg",
            parameters: ["b": "2", "a": "1"]
        )
        let type = try #require(request.headers["Content-Type"])
        #expect(type.hasPrefix("multipart/form-data; boundary="))
        let text = String(decoding: try #require(request.httpBody), as: UTF8.self)
        let positions = [#"name="a""#, #"name="b""#, #"name="file"; filename="a.jpg""#, "image/jpeg"].map {
            text.range(of: $0)?.lowerBound
        }
        #expect(positions.allSatisfy { $0 != nil })
        #expect(positions.compactMap { $0 }.sorted() == positions.compactMap { $0 })
        request.setHTTPBody(parameters: ["c": "3"])
        #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self).contains("image/jpeg") } == false)
        request.setHTTPBody(file: Data(), fileName: "a", mimeType: "no media type")
        #expect(request.httpBody == nil)
    }

    private struct Own: Request {
        var method: HTTPMethod { .put }
        var path: String { "/own" }
        var queryItems: [URLQueryItem] { [] }
        var headers: [String: String] { ["X-Own": "1"] }
        var httpBody: Data? { Data("own".utf8) }
    }

    @Test func aRequestOfAUserIsSentToo() async throws {
        let dispatcher = MockDispatcher(baseUrl: URL(fileURLWithPath: "/"), mockStatusCode: .ok)
        dispatcher.baseURL = URL(string: "https://example.com")
        let sent = try await dispatcher.future(from: Own()).fetchResult().urlRequest
        #expect(sent.httpMethod == "PUT")
        #expect(sent.url?.path == "/own")
        #expect(sent.value(forHTTPHeaderField: "X-Own") == "1")
        #expect(sent.httpBody == Data("own".utf8))
    }
}
