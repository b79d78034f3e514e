import PiuPiuAsync

// The responses of PiuPiu 1, for the callback of a mock dispatcher. They use HTTP/1.1 and the request's URL.
extension Response where Body == Data? {
    /// Creates a response with a value as JSON.
    ///
    /// - Parameters:
    ///   - request: The request to answer.
    ///   - encodable: The value.
    ///   - statusCode: The status code.
    ///   - headers: The header fields; `Content-Type` defaults to `application/json`.
    ///   - encoder: The encoder.
    /// - Returns: The response.
    /// - Throws: The encoder's error; `TransportError` with the code `invalidURL` if the request has no URL.
    public static func makeMockJSONResponse<T: Encodable>(
        with request: URLRequest,
        encodable: T,
        statusCode: StatusCode,
        headers: [String: String] = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) throws -> Response<Data?> {
        try mockJSON(encoder.encode(encodable), request, statusCode, headers)
    }

    /// Creates a response with a JSON object.
    ///
    /// - Parameters:
    ///   - request: The request to answer.
    ///   - jsonObject: The object; `nil` is written as `null`.
    ///   - options: The options of `JSONSerialization`.
    ///   - statusCode: The status code.
    ///   - headers: The header fields; `Content-Type` defaults to `application/json`.
    /// - Returns: The response.
    /// - Throws: `EncodingError` if JSON cannot represent the object; `TransportError` with the code `invalidURL` if
    ///   the request has no URL.
    public static func makeMockResponse(
        with request: URLRequest,
        jsonObject: [String: Any?],
        options: JSONSerialization.WritingOptions = [],
        statusCode: StatusCode,
        headers: [String: String] = [:]
    ) throws -> Response<Data?> {
        try mockJSON(JSONObject.data(of: jsonObject, options: options), request, statusCode, headers)
    }

    /// Creates a response with JSON text, without validating it.
    ///
    /// - Parameters:
    ///   - request: The request to answer.
    ///   - jsonString: The text.
    ///   - encoding: The encoding; RFC 8259 §8.1 requires UTF-8.
    ///   - statusCode: The status code.
    ///   - headers: The header fields; `Content-Type` defaults to `application/json`.
    /// - Returns: The response.
    /// - Throws: `EncodingError` if the encoding cannot represent the text; `TransportError` with the code `invalidURL`
    ///   if the request has no URL.
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

    /// Creates a response with any body, or with none.
    ///
    /// - Parameters:
    ///   - request: The request to answer.
    ///   - data: The body; `nil` for none.
    ///   - statusCode: The status code.
    ///   - headers: The header fields.
    /// - Returns: The response.
    /// - Throws: `TransportError` with the code `invalidURL` if the request has no URL.
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
    /// Creates a list from a dictionary, sorted by name so that the same fields always give the same list.
    fileprivate init(sorting fields: [String: String]) {
        self.init(fields.sorted { $0.key < $1.key }.map { HTTPHeaderField(name: $0.key, value: $0.value) })
    }
}
