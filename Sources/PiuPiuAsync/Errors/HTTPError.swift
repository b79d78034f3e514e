/// A response that reports the failure of its request.
///
/// PiuPiu does not throw it: a response with status 404 is a response. Use ``Response/httpError`` to get it, and throw
/// it if you like. `validated()` throws an ``UnacceptableResponseError``, which contains more.
public enum HTTPError: LocalizedError, Sendable, Hashable {
    /// A 4xx code: the request was wrong.
    case clientError(StatusCode)
    /// A 5xx code: the server failed.
    case serverError(StatusCode)
    /// A number that is not a status code.
    case invalidStatusCode(StatusCode)

    /// The code of the response.
    public var statusCode: StatusCode {
        switch self {
        case .clientError(let code), .serverError(let code), .invalidStatusCode(let code): code
        }
    }

    /// Foundation's text for the status code.
    public var errorDescription: String? {
        statusCode.localizedDescription
    }

    /// One sentence with the number of the code.
    public var failureReason: String? {
        switch self {
        case .clientError(let code): "The server refused the request with status code \(code.rawValue)."
        case .serverError(let code): "The server failed to answer the request, with status code \(code.rawValue)."
        case .invalidStatusCode(let code): "The response has status code \(code.rawValue), which is none."
        }
    }
}

extension HTTPError: CustomStringConvertible {
    /// The number and Foundation's text, such as `404 not found`.
    public var description: String {
        "\(statusCode.rawValue) \(statusCode.localizedDescription)"
    }
}
