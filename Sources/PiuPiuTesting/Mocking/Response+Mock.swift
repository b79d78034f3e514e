import PiuPiuAsync

// The responses of PiuPiu 1, for the callback of a mock dispatcher. They are HTTP/1.1, from the URL of the request.
extension Response where Body == Data? {
    /// Makes a response with a value as JSON.
    ///
    /// - Parameters:
    ///   - request: The request that is answered.
    ///   - encodable: The value.
    ///   - statusCode: The status code.
    ///   - headers: The header fields; `Content-Type` is `application/json` where they have none.
    ///   - encoder: The encoder.
    /// - Returns: The response.
    /// - Throws: The encoder's error; `TransportError` with the code `invalidURL` where the request has no URL.
    public static func makeMockJSONResponse<T: Encodable>(
        with request: URLRequest,
        encodable: T,
        statusCode: StatusCode,
        headers: [String: String] = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) throws -> Response<Data?> {
        try mockJSON(encoder.encode(encodable), request, statusCode, headers)
    }

    /// Makes a response with a JSON object.
    ///
    /// - Parameters:
    ///   - request: The request that is answered.
    ///   - jsonObject: The object; `nil` is written as `null`.
    ///   - options: The options of `JSONSerialization`.
    ///   - statusCode: The status code.
    ///   - headers: The header fields; `Content-Type` is `application/json` where they have none.
    /// - Returns: The response.
    /// - Throws: `EncodingError` for what JSON cannot express; `TransportError` with the code `invalidURL` where the
    ///   request has no URL.
    public static func makeMockResponse(
        with request: URLRequest,
        jsonObject: [String: Any?],
        options: JSONSerialization.WritingOptions = [],
        statusCode: StatusCode,
        headers: [String: String] = [:]
    ) throws -> Response<Data?> {
        try mockJSON(JSONObject.data(of: jsonObject, options: options), request, statusCode, headers)
    }

    /// Makes a response with a JSON text, which is not checked.
    ///
    /// - Parameters:
    ///   - request: The request that is answered.
    ///   - jsonString: The text.
    ///   - encoding: The encoding; RFC 8259 §8.1 asks for UTF-8.
    ///   - statusCode: The status code.
    ///   - headers: The header fields; `Content-Type` is `application/json` where they have none.
    /// - Returns: The response.
    /// - Throws: `EncodingError` where the text has characters that the encoding has not; `TransportError` with the
    ///   code `invalidURL` where the request has no URL.
    public static func makeMockResponse(
        with request: URLRequest,
        jsonString: String,
        encoding: String.Encoding = .utf8,
        statusCode: StatusCode,
        headers: [String: String] = [:]
    ) throws -> Response<Data?> {
        guard let data = encoding.data(of: jsonString) else {
            let problem = "The text cannot be written in the encoding \(encoding)."
            throw EncodingError.invalidValue(String.self, .init(codingPath: [], debugDescription: problem))
        }
        return try mockJSON(data, request, statusCode, headers)
    }

    /// Makes a response with any body, or with none.
    ///
    /// - Parameters:
    ///   - request: The request that is answered.
    ///   - data: The body; `nil` for none.
    ///   - statusCode: The status code.
    ///   - headers: The header fields.
    /// - Returns: The response.
    /// - Throws: `TransportError` with the code `invalidURL` where the request has no URL.
    public static func makeMockResponse(
        with request: URLRequest,
        data: Data? = nil,
        statusCode: StatusCode,
        headers: [String: String] = [:]
    ) throws -> Response<Data?> {
        try mock(data, request, statusCode, HTTPHeaderFields(sorting: headers))
    }

    private static func mockJSON(
        _ data: Data,
        _ request: URLRequest,
        _ statusCode: StatusCode,
        _ headers: [String: String]
    ) throws -> Response<Data?> {
        try mock(data, request, statusCode, HTTPHeaderFields(sorting: headers).withJSONContentType)
    }

    private static func mock(
        _ data: Data?,
        _ request: URLRequest,
        _ statusCode: StatusCode,
        _ headers: HTTPHeaderFields
    ) throws -> Response<Data?> {
        guard let url = request.url else { throw TransportError(.invalidURL, reason: "The request has no URL") }
        return Response(
            data: data,
            urlRequest: request,
            head: ResponseHead(url: url, statusCode: statusCode, headers: headers)
        )
    }
}

extension HTTPHeaderFields {
    /// Creates a list from a dictionary, which has no order: sorted, the same fields always give the same list.
    fileprivate init(sorting fields: [String: String]) {
        self.init(fields.sorted { $0.key < $1.key }.map { HTTPHeaderField(name: $0.key, value: $0.value) })
    }
}
