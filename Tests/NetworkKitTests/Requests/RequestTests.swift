// swift-format-ignore-file: NeverForceUnwrap

import NetworkKit
import Testing

struct RequestTests {
    private class Provider: ServerProvider {
        var baseURL: URL

        init(_ text: String) {
            baseURL = URL(string: text)!
        }
    }

    @Test(arguments: [
        ("https://example.com", "https://example.com/posts"),
        ("https://example.com/api/v1/", "https://example.com/posts"),
        ("https://example.com/api?key=1", "https://example.com/posts"),
    ])
    func pathAndQueryReplaceThoseOfTheServer(base: String, result: String) throws {
        let url = try Provider(base).url(from: BasicRequest(method: .get, path: "/posts"))
        #expect(url.absoluteString == result)
    }

    @Test func theQueryIsEncoded() throws {
        let items = [URLQueryItem(name: "a b", value: "c&d"), URLQueryItem(name: "e", value: nil)]
        let request = BasicRequest(method: .get, path: "/ä", queryItems: items)
        let url = try Provider("https://example.com").url(from: request)
        #expect(url.absoluteString == "https://example.com/%C3%A4?a%20b=c%26d&e")
    }

    @Test func aPathWithoutASlashIsAnError() {
        let request = BasicRequest(method: .get, path: "posts")
        #expect(throws: URLError.self) { try Provider("https://example.com").url(from: request) }
        #expect(throws: RequestError.self) { try Provider("https://example.com").urlRequest(from: request) }
    }

    @Test func aRequestOfAUserIsSentAsItIs() throws {
        class Custom: Request {
            var method: HTTPMethod { .patch }
            var path = "/a"
            var queryItems: [URLQueryItem] { [] }
            var headers: [String: String] { ["A": "b"] }
            var httpBody: Data? { Data("x".utf8) }
        }
        let request = try Provider("https://example.com").urlRequest(from: Custom())
        #expect(request.httpMethod == "PATCH")
        #expect(request.value(forHTTPHeaderField: "a") == "b")
        #expect(request.httpBody == Data("x".utf8))
    }

    @Test func spellingsOfANameAreOneField() throws {
        let headers = ["x-a": "1", "X-A": "2", "B": "3"]
        let request = BasicRequest(method: .get, path: "/", headers: headers)
        let urlRequest = try Provider("https://example.com").urlRequest(from: request)
        #expect(urlRequest.allHTTPHeaderFields?.count == 2 && urlRequest.value(forHTTPHeaderField: "x-a") == "1")
    }

    @Test func everyFormOfBody() throws {
        var request = BasicRequest(method: .post, path: "/")
        request.setHTTPBody(string: "a", encoding: .utf8)
        #expect(request.headers.isEmpty)
        try request.setHTTPBody(jsonObject: ["a": 1])
        #expect(request.httpBody == Data(#"{"a":1}"#.utf8))
        #expect(request.headers.isEmpty)
        try request.setJSONBody(Post.hello)
        #expect(request.headers == ["Content-Type": "application/json"])
        try request.setJSONBody(encodable: [Date(timeIntervalSince1970: 0)], dateEncodingStrategy: .rfc3339)
        #expect(request.httpBody == Data(#"["1970-01-01T00:00:00Z"]"#.utf8))
        try request.setJSONBody(MapPost(id: 2))
        #expect(request.httpBody == Data(#"{"id":2}"#.utf8))
        try request.setJSONBody(MapPost(id: 4), options: .prettyPrinted)
        #expect(request.httpBody?.contains(UInt8(ascii: "4")) == true)
        try request.setJSONBody(mapEncodable: MapPost(id: 3), options: .prettyPrinted)
        #expect(throws: Failure(number: 6)) { try request.setJSONBody(MapPost(id: -1)) }
        #expect(request.httpBody?.contains(UInt8(ascii: "3")) == true)
    }

    @Test func descriptionsHideSecrets() {
        let headers = ["Authorization": "Bearer geheim"]
        let basic = BasicRequest(method: .get, path: "/", headers: headers)
        var dumped = "\(basic)"
        dump(basic, to: &dumped)
        #expect(!dumped.contains("geheim"))
    }
}
