/// An error for a response that is not what the caller requested.
public enum ResponseError: LocalizedError, Sendable, Hashable {
    /// The exchange ended without a response, or a mock has no response to return.
    case noResponse
    /// The response is not an HTTP response.
    case notHTTPResponse
    /// The response has no body, and the caller needs one.
    case unexpectedEmptyResponse
    /// The body is not text in that encoding.
    case failedToDecodeDataToString(encoding: String.Encoding)

    /// A stable name of the case, for logs and for looking up your own texts.
    public var errorKey: String {
        switch self {
        case .noResponse: "NoResponse"
        case .notHTTPResponse: "NotHTTPResponse"
        case .unexpectedEmptyResponse: "UnexpectedEmptyResponse"
        case .failedToDecodeDataToString: "FailedToDecodeDataToString"
        }
    }

    /// One sentence that describes the error, in English.
    public var errorDescription: String? {
        switch self {
        case .noResponse: "There is no response."
        case .notHTTPResponse: "The response is not an HTTP response."
        case .unexpectedEmptyResponse: "The response has no body."
        case .failedToDecodeDataToString(let encoding): "The body is not text in the encoding \(encoding)."
        }
    }
}
