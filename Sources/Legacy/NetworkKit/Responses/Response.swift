import PiuPiuFutures

/// A response with any status code.
///
/// This includes 4xx and 5xx responses, whose ``error`` is not `nil`.
public struct Response<T>: ResponseShell {
    /// The response as a value of PiuPiuAsync.
    public let piuPiuResponse: PiuPiuAsync.HTTPResponse<T>
    /// The error of the status code; `nil` for 1xx, 2xx and 3xx.
    public let error: ResponseError?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - httpResponse: The head, which has the status code.
    ///   - urlRequest: The request that was answered.
    ///   - statusCode: The status code, which must be that of the head.
    ///   - error: The error of the status code.
    public init(
        data: T,
        httpResponse: HTTPURLResponse,
        urlRequest: URLRequest,
        statusCode: StatusCode,
        error: ResponseError?
    ) {
        self.init(PiuPiuAsync.HTTPResponse(data: data, urlRequest: urlRequest, httpResponse: httpResponse), error)
    }

    init(_ http: PiuPiuAsync.HTTPResponse<T>, _ error: ResponseError?) { (piuPiuResponse, self.error) = (http, error) }

    /// The response as the outcome of a promise.
    var outcome: PromiseOutcome<SuccessResponse<T>, ErrorResponse<T>> {
        guard let error else { return .success(SuccessResponse(data: data, response: self)) }
        return .failure(ErrorResponse(data: data, response: self, error: error))
    }
}

/// A response whose status code is not an error: the success of a ``ResponsePromise``.
public struct SuccessResponse<T>: ResponseShell {
    /// The response as a value of PiuPiuAsync.
    public let piuPiuResponse: PiuPiuAsync.HTTPResponse<T>

    /// Creates a response from its parts.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - httpResponse: The head, which has the status code.
    ///   - urlRequest: The request that was answered.
    ///   - statusCode: The status code, which must be that of the head.
    public init(data: T, httpResponse: HTTPURLResponse, urlRequest: URLRequest, statusCode: StatusCode) {
        piuPiuResponse = .init(data: data, urlRequest: urlRequest, httpResponse: httpResponse)
    }

    /// Creates a response with another body.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - response: The response whose head and request are used.
    public init(data: T, response: some ResponseInterface) {
        piuPiuResponse = response.piuPiuResponse.map { _ in data }
    }
}

/// A response whose status code is an error: the failure of a ``ResponsePromise``.
public struct ErrorResponse<T>: ResponseShell {
    /// The response as a value of PiuPiuAsync.
    public let piuPiuResponse: PiuPiuAsync.HTTPResponse<T>
    /// The error of the status code.
    public let error: ResponseError

    /// Creates a response with another body.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - response: The response whose head and request are used.
    ///   - error: The error.
    public init(data: T, response: some ResponseInterface, error: ResponseError) {
        (piuPiuResponse, self.error) = (response.piuPiuResponse.map { _ in data }, error)
    }

    /// Creates a response with another body and the same error.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - response: The response whose head, request and error are used.
    public init<U>(data: T, response: ErrorResponse<U>) {
        self.init(data: data, response: response, error: response.error)
    }

    /// Creates a response from its parts.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - httpResponse: The head, which has the status code.
    ///   - urlRequest: The request that was answered.
    ///   - statusCode: The status code, which must be that of the head.
    ///   - error: The error of the status code.
    public init(
        data: T,
        httpResponse: HTTPURLResponse,
        urlRequest: URLRequest,
        statusCode: StatusCode,
        error: ResponseError
    ) {
        piuPiuResponse = .init(data: data, urlRequest: urlRequest, httpResponse: httpResponse)
        self.error = error
    }
}

extension Response: Sendable where T: Sendable {}
extension SuccessResponse: Sendable where T: Sendable {}
extension ErrorResponse: Sendable where T: Sendable {}
