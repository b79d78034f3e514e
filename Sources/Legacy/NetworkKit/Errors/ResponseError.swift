import PiuPiuFutures

/// An error that a status code represents, or that reports a missing response.
public enum ResponseError: BaseNetworkError {
    /// There is no response, or its status code is not valid; the cause is a `TransportError` if there is no response.
    case unknown(cause: (any Error)?)
    /// Any other 4xx.
    case otherClientError(cause: (any Error)?)
    /// Any other 5xx.
    case otherServerError(cause: (any Error)?)
    /// 400: the request was invalid.
    case badRequest(cause: (any Error)?)
    /// 401: the request needs credentials.
    case unauthorized(cause: (any Error)?)
    /// 403: the request is not allowed.
    case forbidden(cause: (any Error)?)
    /// 404: there is no such resource.
    case notFound(cause: (any Error)?)
    /// 422: the content of the request cannot be processed.
    case unprocessableEntity(cause: (any Error)?)
    /// 409: the request conflicts with the state of the resource.
    case conflict(cause: (any Error)?)
    /// 500: the server failed.
    case internalServerError(cause: (any Error)?)
    /// 503: the server is temporarily unavailable.
    case serviceUnavailable(cause: (any Error)?)

    /// A text for the user of the app.
    public var errorDescription: String? {
        switch self {
        case .unauthorized: "You are not logged in."
        case .forbidden: "You are not allowed to do this."
        case .unprocessableEntity: "The request was not valid."
        case .notFound: "The resource was not found. Please contact support if this happens again."
        case .serviceUnavailable: "The service is not available. Please try again later."
        case .badRequest, .otherClientError: "The request was not valid. Please contact support if this happens again."
        case .conflict, .internalServerError, .otherServerError, .unknown:
            "The server reported an error. Please contact support if this happens again."
        }
    }
}

extension PiuPiuAsync.StatusCode {
    /// Returns the error that this code represents.
    ///
    /// - Parameter cause: The cause of the error.
    /// - Returns: The error; `nil` for 1xx, 2xx and 3xx without a cause.
    public func makeError(cause: (any Error)?) -> ResponseError? {
        switch type {
        case .clientError: (Self.named[rawValue] ?? ResponseError.otherClientError)(cause)
        case .serverError: (Self.named[rawValue] ?? ResponseError.otherServerError)(cause)
        case .invalid: .unknown(cause: cause)
        case .informational, .success, .redirect: cause.map { .unknown(cause: $0) }
        }
    }

    private static let named: [Int: @Sendable ((any Error)?) -> ResponseError] = [
        400: ResponseError.badRequest, 401: ResponseError.unauthorized, 403: ResponseError.forbidden,
        404: ResponseError.notFound, 409: ResponseError.conflict, 422: ResponseError.unprocessableEntity,
        500: ResponseError.internalServerError, 503: ResponseError.serviceUnavailable,
    ]
}
