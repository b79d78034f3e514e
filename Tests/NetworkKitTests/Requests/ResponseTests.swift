// swift-format-ignore-file: NeverForceUnwrap

import NetworkKit
import Testing

struct ResponseTests {
    private let url = URL(string: "https://example.com/posts")!

    private func response(_ text: String?, _ status: Int = 200) -> Response<Data?> {
        let head = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)!
        let code = StatusCode(rawValue: status)
        return Response(
            data: text.map { Data($0.utf8) },
            httpResponse: head,
            urlRequest: URLRequest(url: url),
            statusCode: code,
            error: code.makeError(cause: nil)
        )
    }

    @Test func aResponseIsMadeOfAnother() throws {
        let response = response("text", 409)
        let first = ErrorResponse(data: 1, response: response, error: try #require(response.error))
        let second = ErrorResponse(data: "text", response: first)
        let third = ErrorResponse(
            data: second.data,
            httpResponse: second.httpResponse,
            urlRequest: second.urlRequest,
            statusCode: second.statusCode,
            error: second.error
        )
        #expect(third.data == "text" && third.statusCode == .conflict && third.error.errorKey == "Conflict")
        let success = SuccessResponse(
            data: third.data,
            httpResponse: third.httpResponse,
            urlRequest: third.urlRequest,
            statusCode: third.statusCode
        )
        #expect(success.data == "text" && success.urlRequest.url == url && success.statusCode == .conflict)
    }

    @Test func aBodyIsDecoded() throws {
        #expect(try response(Post.json).decode(Post.self) == .hello)
        #expect(try response("text").decodeString() == "text")
        #expect(try response("text").unwrapData() == Data("text".utf8))
        #expect(try response(#"{"id":1}"#).decodeMapDecodable(MapPost.self) == MapPost(id: 1))
        let elements = #"[{"id":1},{"no":2},{"id":3}]"#
        #expect(try response(elements).decodeMapDecodable([MapPost].self) == [MapPost(id: 1), MapPost(id: 3)])
    }

    @Test func datesAreInTheFormatOfRFC3339UnlessToldOtherwise() throws {
        let date = Date(timeIntervalSince1970: 0)
        #expect(try response(#"["1970-01-01T00:00:00Z"]"#).decode([Date].self) == [date])
        #expect(try response("[0]").decode([Date].self, dateDecodingStrategy: .secondsSince1970) == [date])
    }

    @Test func anEmptyBodyIsAnError() {
        let empty = response(nil)
        let failures: [() throws -> Void] = [
            { _ = try empty.unwrapData() }, { _ = try empty.decodeString() }, { _ = try empty.decode(Post.self) },
            { _ = try empty.decodeMapDecodable(MapPost.self) }, { _ = try empty.decodeMapDecodable([MapPost].self) },
        ]
        for failure in failures {
            #expect { try failure() } throws: { ($0 as? SerializationError)?.errorKey == "EmptyResponse" }
        }
    }

    @Test func theErrorOfADecoderIsTheCause() {
        #expect {
            try response("x").decode(Post.self)
        } throws: { error in
            guard case SerializationError.failedToDecodeResponseData(let cause) = error else { return false }
            return cause is DecodingError
        }
        #expect {
            try response(#"{"no":1}"#).decodeMapDecodable(MapPost.self)
        } throws: { error in
            guard case SerializationError.failedToDecodeResponseData(let cause) = error else { return false }
            return cause as? Failure == Failure(number: 5)
        }
        #expect {
            try response("\u{E9}").decodeString(encoding: .ascii)
        } throws: { ($0 as? SerializationError)?.errorKey == "InvalidObject" }
    }

    @Test func otherBodiesKeepTheHead() throws {
        let original = response("x", 404)
        let success = SuccessResponse(data: [1], response: original)
        #expect(success.data == [1])
        #expect(success.statusCode == .notFound)
        #expect(success.urlRequest.url == url)
        #expect(success.httpResponse.statusCode == 404)

        let error = ErrorResponse(data: 2, response: success, error: .notFound(cause: nil))
        #expect(error.data == 2)
        #expect(error.statusCode == .notFound)
        #expect(error.urlRequest.url == url)
        #expect(error.httpResponse.statusCode == 404)
        #expect(error.error.errorKey == "NotFound")
    }

    @Test func descriptionsHideTheBody() {
        let original = response("geheim")
        var dumped = "\(original)"
        dump(original, to: &dumped)
        dump(SuccessResponse(data: original.data, response: original), to: &dumped)
        #expect(!dumped.contains("geheim"))
    }

    @Test func printingDoesNotFail() {
        response("text").debug()
    }
}
