/// A response that reports the failure of its request.
///
/// PiuPiu does not throw it: a response with status 404 is a response. Use ``Response/httpError`` to get it, and throw it if
/// you like. `validated()` throws an ``UnacceptableResponseError``, which contains more details.
public enum HTTPError: Error, Sendable, Hashable {
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
}

extension HTTPError: ExplainedError {
    /// The number and Foundation's text, such as `404 not found`.
    public var description: String {
        "\(statusCode.rawValue) \(statusCode.localizedDescription)"
    }

    /// Foundation's text for the status code.
    public var errorDescription: String? { statusCode.localizedDescription }

    /// One sentence with the number of the code.
    public var failureReason: String? {
        switch self {
        case .clientError(let code): "The server refused the request with status code \(code.rawValue)."
        case .serverError(let code): "The server failed to answer the request, with status code \(code.rawValue)."
        case .invalidStatusCode(let code): "The response has the number \(code.rawValue), which is not a status code."
        }
    }

    /// The number of the status code.
    public var errorCode: Int { statusCode.rawValue }

    package var explanation: ErrorExplanation {
        switch self {
        case .clientError:
            .init(
                400,
                "The URL, the credentials or the body are not what the server expects.",
                "Read the body of the response, and compare the request with the documentation of the API."
            )
        case .serverError:
            .init(
                500,
                "The server, or one behind it, failed or is overloaded.",
                "Try again later; requests whose method is idempotent can be tried again at once.",
                setting: "RetryPolicy"
            )
        case .invalidStatusCode:
            .init(
                0,
                "The server sent a number that is no status code, or a mock was made with one.",
                "Look at the response with curl -v."
            )
        }
    }
}
