import PiuPiuFutures
import Testing

struct BasicRequestTests {
    private struct Post: Codable, Equatable {
        var id: Int
        var date = Date(timeIntervalSince1970: 0)
    }

    /// The URL of a request, with a base and a path.
    private func url(_ base: String, _ path: String, _ query: [URLQueryItem] = []) throws -> String {
        let base = try #require(URL(string: base))
        return try BasicRequest(method: .get, path: path, queryItems: query).url(withBaseURL: base).absoluteString
    }

    // K16
    @Test(arguments: [
        ("https://example.com", "/posts", "https://example.com/posts"),
        ("https://example.com", "posts", "https://example.com/posts"),
        ("https://example.com/", "/posts", "https://example.com/posts"),
        ("https://example.com/v1", "/posts", "https://example.com/v1/posts"),
        ("https://example.com/v1/", "posts/1", "https://example.com/v1/posts/1"),
        ("https://example.com/v1", "/posts/", "https://example.com/v1/posts/"),
        ("https://example.com/v1", "", "https://example.com/v1"),
        ("https://example.com/v1", "/", "https://example.com/v1/"),
        ("https://example.com/a%2Fb", "/c d", "https://example.com/a%2Fb/c%20d"),
        ("https://example.com", "/50%", "https://example.com/50%25"),
        ("https://example.com", "/what?#", "https://example.com/what%3F%23"),
        ("https://example.com/v1#top", "/posts", "https://example.com/v1/posts"),
        ("https://user:word@example.com:8443/v1", "/posts", "https://user:word@example.com:8443/v1/posts"),
    ])
    func thePathIsAppendedToThatOfTheBase(base: String, path: String, expected: String) throws {
        #expect(try url(base, path) == expected)
    }

    @Test func everyMethodAndBodyIsTaken() throws {
        let base = try #require(URL(string: "https://example.com"))
        let body = Data("<propfind/>".utf8)
        let request = BasicRequest(method: HTTPMethod("PROPFIND"), path: "/dav", httpBody: body)
        let urlRequest = try request.urlRequest(withBaseURL: base)
        #expect(urlRequest.httpMethod == "PROPFIND")
        #expect(urlRequest.httpBody == body)
        #expect(BasicRequest(method: .get, path: "/").httpBody == nil)
    }

    @Test func aBaseThatIsRelativeIsResolved() throws {
        let base = try #require(URL(string: "v1/", relativeTo: URL(string: "https://example.com")))
        let request = BasicRequest(method: .get, path: "/posts")
        #expect(try request.url(withBaseURL: base).absoluteString == "https://example.com/v1/posts")
    }

    @Test func theQueryOfTheBaseIsKept() throws {
        let item = [URLQueryItem(name: "page", value: "2")]
        #expect(try url("https://example.com?key=a%2Bb", "/posts") == "https://example.com/posts?key=a%2Bb")
        #expect(try url("https://example.com?key=1", "/posts", item) == "https://example.com/posts?key=1&page=2")
        #expect(try url("https://example.com", "/posts", item) == "https://example.com/posts?page=2")
        #expect(try url("https://example.com?", "/posts", item) == "https://example.com/posts?page=2")
    }

    // K16
    @Test func anEmptyQueryLeavesNoQuestionMark() throws {
        #expect(try url("https://example.com", "/posts", []) == "https://example.com/posts")
    }

    @Test func aQueryIsEncoded() throws {
        let items = [URLQueryItem(name: "a b", value: "1+1=2&3"), URLQueryItem(name: "flag", value: nil)]
        #expect(try url("https://example.com", "/", items) == "https://example.com/?a%20b=1%2B1%3D2%263&flag")
    }

    // K16
    @Test func headersAreSetInAnyCase() throws {
        let base = try #require(URL(string: "https://example.com"))
        var request = BasicRequest(method: .put, path: "/posts/1", headers: ["content-TYPE": "application/x"])
        (request.headers["A"], request.headers["a"]) = ("1", "2")
        try request.setJSONBody(Post(id: 1))
        let urlRequest = try request.urlRequest(withBaseURL: base)
        #expect(urlRequest.httpMethod == "PUT")
        #expect(urlRequest.value(forHTTPHeaderField: "Content-Type") == "application/x")
        #expect(urlRequest.value(forHTTPHeaderField: "A") == "2")
        #expect(urlRequest.httpBody == request.httpBody)
    }

    @Test func bodies() throws {
        func body(_ make: (inout BasicRequest) throws -> Void) rethrows -> (text: String, type: String?) {
            var request = BasicRequest(method: .post, path: "/")
            try make(&request)
            return (String(decoding: request.httpBody ?? Data(), as: UTF8.self), request.headers["Content-Type"])
        }
        let json = "application/json"
        #expect(body { $0.setHTTPBody(string: "ä") } == ("ä", nil))
        #expect(body { $0.setJSONBody(string: "[]") } == ("[]", json))
        #expect(body { $0.setJSONBody(string: "ä", encoding: .ascii) } == ("", nil))
        #expect(try body { try $0.setHTTPBody(jsonObject: ["a": nil]) } == (#"{"a":null}"#, nil))
        #expect(try body { try $0.setJSONBody(jsonObject: ["a": 1]) } == (#"{"a":1}"#, json))
        #expect(try body { try $0.setHTTPBody(jsonArray: [["a": 1]]) } == (#"[{"a":1}]"#, nil))
        #expect(try body { try $0.setJSONBody(jsonArray: [["a": "b"]]) } == (#"[{"a":"b"}]"#, json))
        #expect(try body { try $0.setJSONBody([1, 2]) } == ("[1,2]", json))
        #expect(try body { try $0.setJSONBody(encodable: [1]) } == ("[1]", json))
        let dated = try body { try $0.setJSONBody(Post(id: 1), dateEncodingStrategy: .rfc3339) }
        #expect(dated.text.contains("1970-01-01T00:00:00Z") && dated.type == json)
        let same = try body { try $0.setJSONBody(encodable: Post(id: 1), dateEncodingStrategy: .rfc3339) }
        #expect(same.text.contains("1970-01-01T00:00:00Z"))
    }

    @Test func aBodyThatCannotBeEncodedChangesNothing() {
        var request = BasicRequest(method: .post, path: "/")
        #expect(throws: EncodingError.self) { try request.setJSONBody(jsonObject: ["a": Double.nan]) }
        #expect(throws: EncodingError.self) { try request.setJSONBody(Double.nan) }
        #expect(request == BasicRequest(method: .post, path: "/"))
    }
}
