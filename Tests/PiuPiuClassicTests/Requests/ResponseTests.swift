// swift-format-ignore-file: NeverForceUnwrap

import PiuPiuClassic
import Testing

struct ResponseTests {
    private let url = URL(string: "https://user:secret@example.com/posts?token=secret")!

    private func response(_ body: String?, status: Int = 200) throws -> Response<Data?> {
        var request = URLRequest(url: url)
        request.setValue("secret", forHTTPHeaderField: "Authorization")
        let head = try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: ["Set-Cookie": "secret"])
        )
        return Response(
            data: body.map { Data($0.utf8) },
            httpResponse: head,
            urlRequest: request,
            statusCode: StatusCode(rawValue: status),
            error: StatusCode(rawValue: status).makeError()
        )
    }

    @Test func aResponseIsMadeFromItsParts() throws {
        let response = try response("{}", status: 409)
        #expect(response.httpResponse.statusCode == 409)
        #expect(response.urlRequest.url == url)
        #expect(response.error?.errorKey == "Conflict")
        let other = SuccessResponse<Int>(data: 7, response: response)
        #expect(other.data == 7)
        #expect(other.statusCode == .conflict)
        #expect(other.httpResponse.statusCode == 409)
        let third = SuccessResponse(
            data: 8,
            httpResponse: other.httpResponse,
            urlRequest: other.urlRequest,
            statusCode: .ok
        )
        #expect(third.statusCode == .ok)
        #expect(third.error == nil)
    }

    @Test func datesAreRFC3339UnlessTheCallerWantsAnotherFormat() throws {
        let epoch = Date(timeIntervalSince1970: 0)
        #expect(try response(#"["1970-01-01T00:00:00Z"]"#).decode([Date].self) == [epoch])
        #expect(try response("[0]").decode([Date].self, dateDecodingStrategy: .secondsSince1970) == [epoch])
    }

    @Test func whatCannotBeDecodedIsASerializationError() throws {
        func key(_ body: () throws -> Any) -> String? {
            do {
                _ = try body()
                return nil
            } catch SerializationError.failedToDecodeResponseData(let cause) {
                return cause.map { "\(type(of: $0))" } ?? "no cause"
            } catch {
                return (error as? SerializationError)?.errorKey
            }
        }
        let empty = try response(nil)
        #expect(key { try empty.unwrapData() } == "EmptyResponse")
        #expect(key { try empty.decode([Int].self) } == "EmptyResponse")
        let wrong = try response("{")
        #expect(key { try wrong.decode([Int].self) } == "DecodingError")
        #expect(key { try wrong.decodeJSONObject() } != nil)
        let binary = SuccessResponse<Data?>(data: Data([0xFF]), response: wrong)
        #expect(key { try binary.decodeString() } == "no cause")
    }

    @Test func eachStatusCodeHasItsError() {
        let keys = [
            400: "BadRequest", 401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 409: "Conflict",
            418: "OtherClientError", 422: "UnprocessableEntity", 500: "InternalServerError", 501: "OtherServerError",
            503: "ServiceUnavailable", 99: "Unknown", 600: "Unknown",
        ]
        for (code, key) in keys {
            let error = StatusCode(rawValue: code).makeError(cause: Failure())
            #expect(error?.errorKey == key)
        }
        for code in [100, 200, 204, 302, 304] {
            #expect(StatusCode(rawValue: code).makeError() == nil)
            #expect(StatusCode(rawValue: code).makeError(cause: Failure())?.errorKey == "Unknown")
        }
    }

    @Test func descriptionsShowNoSecrets() throws {
        var request = BasicRequest(
            method: .get,
            path: "/posts",
            queryItems: [URLQueryItem(name: "token", value: "secret")],
            headers: ["Authorization": "secret"]
        )
        request.setJSONBody(string: "secret")
        let response = try response("secret")
        let mock = MockDispatcher(baseUrl: url, mockStatusCode: .ok, mockHeaders: ["Set-Cookie": "secret"])
        mock.setMockData(jsonString: "secret")
        let future = mock.future(from: request)
        let dispatcher = RequestDispatcher(serverProvider: mock)
        for value in [request, response, mock, future, dispatcher] as [Any] {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.contains("secret"), "\(type(of: value)): \(text)")
        }
    }
}
