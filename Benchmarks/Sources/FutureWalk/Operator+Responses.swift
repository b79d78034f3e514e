import PiuPiuFutures
import PiuPiuTesting

extension Operator {
    /// What is made of responses.
    static var ofResponses: [Operator] {
        [
            Operator(.makeHTTPResponse, apply: { future, _ in response(to: future).makeHTTPResponse() }) { response in
                try response.decode(Int.self)
            },
            Operator(.decoded, apply: { future, _ in response(to: future).decoded(Int.self) }, value: { $0.data }),
            Operator(
                .decoded,
                [],
                " of an HTTP response",
                apply: { future, _ in response(to: future).makeHTTPResponse().decoded(Int.self) },
                value: { $0.data }
            ),
            Operator(.decodedString, apply: { future, _ in response(to: future).decodedString() }) { response in
                Int(response.data) ?? 0
            },
            Operator(
                .safeDecoded,
                apply: { future, _ in response(to: future).makeHTTPResponse().safeDecoded(Int.self) },
                value: { try $0.data.get() }
            ),
        ]
    }

    /// A future of a response whose body is the number.
    private static func response(to future: ResponseFuture<Int>) -> ResponseFuture<Response<Data?>> {
        future.then { try .answer("\($0)", to: .get) }
    }
}

extension Response where Body == Data? {
    /// A response with a body.
    static func answer(_ body: String, to request: URLRequest) throws -> Response {
        try makeMockResponse(with: request, jsonString: body, statusCode: .ok)
    }
}
