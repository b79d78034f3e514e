import PiuPiuFutures

/// An error that the status code of a response represents.
///
/// It has no texts for users; conform it to `LocalizedError` to add your own.
public enum ResponseError: Error {
    /// The status code is 400.
    case badRequest(cause: (any Error)?)
    /// The status code is 401.
    case unauthorized(cause: (any Error)?)
    /// The status code is 403.
    case forbidden(cause: (any Error)?)
    /// The status code is 404.
    case notFound(cause: (any Error)?)
    /// The status code is 409.
    case conflict(cause: (any Error)?)
    /// The status code is 422.
    case unprocessableEntity(cause: (any Error)?)
    /// The status code is 500.
    case internalServerError(cause: (any Error)?)
    /// The status code is 503.
    case serviceUnavailable(cause: (any Error)?)
    /// Any other 4xx status code.
    case otherClientError(cause: (any Error)?)
    /// Any other 5xx status code.
    case otherServerError(cause: (any Error)?)
    /// There is no HTTP response, or its status code is not valid.
    case unknown(cause: (any Error)?)

    /// A stable name of the case, for logs and for looking up your own texts.
    public var errorKey: String {
        switch self {
        case .badRequest: "BadRequest"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "NotFound"
        case .conflict: "Conflict"
        case .unprocessableEntity: "UnprocessableEntity"
        case .internalServerError: "InternalServerError"
        case .serviceUnavailable: "ServiceUnavailable"
        case .otherClientError: "OtherClientError"
        case .otherServerError: "OtherServerError"
        case .unknown: "Unknown"
        }
    }
}

extension StatusCode {
    /// Returns the error that the code represents.
    ///
    /// - Parameter cause: The cause of the error.
    /// - Returns: The error; `nil` for 1xx, 2xx and 3xx without a cause.
    public func makeError(cause: (any Error)? = nil) -> ResponseError? {
        switch self {
        case .badRequest: .badRequest(cause: cause)
        case .unauthorized: .unauthorized(cause: cause)
        case .forbidden: .forbidden(cause: cause)
        case .notFound: .notFound(cause: cause)
        case .conflict: .conflict(cause: cause)
        case .unprocessableEntity: .unprocessableEntity(cause: cause)
        case .internalServerError: .internalServerError(cause: cause)
        case .serviceUnavailable: .serviceUnavailable(cause: cause)
        case let code where code.type == .clientError: .otherClientError(cause: cause)
        case let code where code.type == .serverError: .otherServerError(cause: cause)
        case let code where code.type == .invalid: .unknown(cause: cause)
        default: cause.map { .unknown(cause: $0) }
        }
    }
}
