import PiuPiuFutures

/// A response whose status code is an error: the failure of a ``ResponsePromise``.
///
/// It is sendable if its body is.
public struct ErrorResponse<T>: ResponseInterface {
    private let response: Response<T>
    /// The error that the status code represents.
    public let error: ResponseError

    /// The body.
    public var data: T { response.data }
    /// The head as Foundation's type.
    public var httpResponse: HTTPURLResponse { response.httpResponse }
    /// The request that was answered.
    public var urlRequest: URLRequest { response.urlRequest }
    /// The status code.
    public var statusCode: StatusCode { response.statusCode }

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
        error: ResponseError
    ) {
        self.init(
            Response(data: data, httpResponse: httpResponse, urlRequest: urlRequest, statusCode: statusCode),
            error
        )
    }

    /// Creates a response with another body.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - response: The response whose head and request are used.
    ///   - error: The error.
    public init<U: ResponseInterface>(data: T, response: U, error: ResponseError) {
        self.init(Response(data: data, response: response), error)
    }

    /// Creates a response with another body and the same error.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - response: The response whose head, request and error are used.
    public init<U>(data: T, response: ErrorResponse<U>) {
        self.init(Response(data: data, response: response), response.error)
    }

    init(_ response: Response<T>, _ error: ResponseError) {
        self.response = response
        self.error = error
    }
}

extension ErrorResponse: Sendable where T: Sendable {}

extension ErrorResponse: Redacted {
    /// The status code and the URL, without query, header fields or body.
    package var shown: KeyValuePairs<String, Any> { response.shown }
}

extension Response {
    /// The response as the outcome of a promise.
    var outcome: PromiseOutcome<SuccessResponse<T>, ErrorResponse<T>> {
        guard let error else { return .success(self) }
        return .failure(ErrorResponse(self, error))
    }
}
