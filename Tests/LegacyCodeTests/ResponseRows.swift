import Foundation
import PiuPiuFutures
import Testing

// Row: ResponseInterface, .Body, .data, .urlResponse, .urlRequest
struct CachedResponse: ResponseInterface {
    typealias Body = Data?
    var data: Data?
    var urlResponse: URLResponse
    var urlRequest: URLRequest
}

extension ResponseInterface where Body == Data? {
    func title() throws -> String {
        return try decode(Post.self).title
    }
}

class ResponseReader {
    // Row: .unwrapData(), .decodeString(encoding:), .decodeJSONObject(options:)
    func raw(_ response: Response<Data?>) throws -> (Data, [String], Any, Any) {
        return (
            try response.unwrapData(),
            [try response.decodeString(encoding: .utf8), try response.decodeString()],
            try response.decodeJSONObject(options: .mutableContainers),
            try response.decodeJSONObject()
        )
    }

    // Row: .decode(_:using:), .decode(_:dateDecodingStrategy:), .decodeIfPresent(_:using:)
    func posts(_ response: HTTPResponse<Data?>, _ decoder: JSONDecoder) throws -> [Post?] {
        return [
            try response.decode(Post.self),
            try response.decode(Post.self, using: decoder),
            try response.decode(Post.self, dateDecodingStrategy: .rfc3339),
            try response.decodeIfPresent(Post.self),
            try response.decodeIfPresent(Post.self, using: decoder),
        ]
    }

    // Row: .makeRequestMarkdown(), .makeResponseMarkdown(), .debug()
    func log(_ response: Response<Data?>) -> String {
        response.debug()
        return response.makeRequestMarkdown() + response.makeResponseMarkdown()
    }

    // Row: Response(data:urlRequest:urlResponse:), Response(response:data:)
    func copies(_ response: Response<Data?>) -> (Response<Data?>, Response<String>) {
        return (
            Response(data: response.data, urlRequest: response.urlRequest, urlResponse: response.urlResponse),
            Response(response: response, data: "other")
        )
    }

    // Row: data, urlResponse, urlRequest of Response
    func parts(_ response: Response<Post>) -> (Post, URLResponse, URLRequest) {
        return (response.data, response.urlResponse, response.urlRequest)
    }

    // Row: Response.makeHTTPResponse()
    func http(_ response: Response<Data?>) throws -> HTTPResponse<Data?> {
        return try response.makeHTTPResponse()
    }

    // Row: Response.decoded(_:using:), .decodedIfPresent(_:using:)
    func decoded(_ response: Response<Data?>) throws -> (Response<Post>, Response<Post?>) {
        return (
            try response.decoded(Post.self, using: JSONDecoder()),
            try response.decodedIfPresent(Post.self, using: JSONDecoder())
        )
    }

    // Row: Response.decodedResponse(_:using:), .decodedResponseIfPresent(_:using:)
    @available(*, deprecated)
    func decodedAsBefore(_ response: Response<Data?>) throws -> (Response<Post>, Response<Post?>) {
        return (
            try response.decodedResponse(Post.self, using: JSONDecoder()),
            try response.decodedResponseIfPresent(Post.self, using: JSONDecoder())
        )
    }

    // Row: HTTPResponse(data:urlRequest:httpResponse:), HTTPResponse(response:data:)
    func copies(_ response: HTTPResponse<Data?>) throws -> (HTTPResponse<Data?>, HTTPResponse<String>) {
        return (
            HTTPResponse(data: response.data, urlRequest: response.urlRequest, httpResponse: response.httpResponse),
            try HTTPResponse(response: response, data: "other")
        )
    }

    // Row: data, urlRequest, httpResponse, urlResponse, statusCode, httpError of HTTPResponse
    func parts(
        _ response: HTTPResponse<Post>
    ) throws -> (Post, URLRequest, HTTPURLResponse, URLResponse, StatusCode) {
        var response = response
        response.urlRequest = request("/other")
        if let error = response.httpError { throw error }
        return (
            response.data, response.urlRequest, response.httpResponse, response.urlResponse, response.statusCode
        )
    }

    // Row: HTTPResponse.decoded(_:using:), .decodedIfPresent(_:using:)
    func decoded(_ response: HTTPResponse<Data?>) throws -> (HTTPResponse<Post>, HTTPResponse<Post?>) {
        return (
            try response.decoded(Post.self, using: JSONDecoder()),
            try response.decodedIfPresent(Post.self, using: JSONDecoder())
        )
    }

    // Row: HTTPResponse.decodedResponse(_:using:), .decodedResponseIfPresent(_:using:)
    @available(*, deprecated)
    func decodedAsBefore(_ response: HTTPResponse<Data?>) throws -> (HTTPResponse<Post>, HTTPResponse<Post?>) {
        return (
            try response.decodedResponse(Post.self, using: JSONDecoder()),
            try response.decodedResponseIfPresent(Post.self, using: JSONDecoder())
        )
    }
}

struct ResponseRowsTests {
    @Test func responsesAreRead() throws {
        let reader = ResponseReader()
        let answer = try response(#"{"id": 1, "title": "Hello"}"#)
        let http = try reader.http(answer)
        #expect(try reader.raw(answer).0.count == 27)
        #expect(try reader.posts(http, JSONDecoder()).allSatisfy { $0?.title == "Hello" })
        #expect(try reader.decoded(answer).0.data.title == "Hello")
        #expect(try reader.parts(try reader.decoded(http).0).4 == .ok)
        #expect(try reader.copies(http).1.data == "other")
        let cached = CachedResponse(data: http.data, urlResponse: http.urlResponse, urlRequest: http.urlRequest)
        #expect(try cached.title() == "Hello")
    }
}
