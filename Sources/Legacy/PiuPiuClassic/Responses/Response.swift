import PiuPiuFutures

/// A response with any status code.
///
/// A dispatcher returns a `Response<Data?>`. A 4xx or 5xx status code sets ``error``, and does not end a future. A
/// response with another body is made from it:
///
/// ```swift
/// dispatcher.future(from: request).then({ response in
///     SuccessResponse<[Post]>(data: try response.decode([Post].self), response: response)
/// })
/// ```
///
/// A response is sendable if its body is.
public struct Response<T>: ResponseInterface {
    /// Foundation's response is built when it is first accessed.
    private let message: PiuPiuAsync.HTTPResponse<T>
    /// The status code.
    public let statusCode: StatusCode
    /// The error that the status code represents; `nil` for 1xx, 2xx and 3xx.
    public let error: ResponseError?

    /// The body.
    public var data: T { message.data }
    /// The head as Foundation's type.
    public var httpResponse: HTTPURLResponse { message.httpResponse }
    /// The request that was answered.
    public var urlRequest: URLRequest { message.urlRequest }

    /// Creates a response from its parts.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - httpResponse: Foundation's response.
    ///   - urlRequest: The request that was answered.
    ///   - statusCode: The status code.
    ///   - error: The error that the status code represents.
    public init(
        data: T,
        httpResponse: HTTPURLResponse,
        urlRequest: URLRequest,
        statusCode: StatusCode,
        error: ResponseError? = nil
    ) {
        message = PiuPiuAsync.HTTPResponse(data: data, urlRequest: urlRequest, httpResponse: httpResponse)
        self.statusCode = statusCode
        self.error = error
    }

    /// Creates a response with the head of another one.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - response: The response whose head and request are used.
    public init<U: ResponseInterface>(data: T, response: U) {
        message = .init(data: data, urlRequest: response.urlRequest, httpResponse: response.httpResponse)
        statusCode = response.statusCode
        error = response.statusCode.makeError()
    }

    /// Creates a response from one of `PiuPiuAsync`.
    ///
    /// - Parameter response: The response.
    /// - Throws: ``ResponseError/unknown(cause:)`` if the response is not HTTP.
    public init(_ response: PiuPiuAsync.Response<T>) throws {
        guard let message = try? response.makeHTTPResponse() else { throw ResponseError.unknown(cause: nil) }
        self.message = message
        statusCode = message.statusCode
        error = statusCode.makeError()
    }
}

extension Response: Sendable where T: Sendable {}

extension Response: Redacted {
    /// The status code and the URL, without query, header fields or body.
    package var shown: KeyValuePairs<String, Any> {
        ["statusCode": statusCode.rawValue, "url": Redaction.standard.location(of: urlRequest.url)]
    }
}

/// A response with another body, for example a decoded one.
public typealias SuccessResponse = Response
