/// A response that is not what the caller asked of it.
public enum ResponseError: LocalizedError, Sendable, Hashable {
    /// The exchange ended without a response, or a mock has none to give.
    case noResponse
    /// The response is not an HTTP response.
    case notHTTPResponse
    /// The response has no body, and the caller needs one.
    case unexpectedEmptyResponse
    /// The body is not text in that encoding.
    case failedToDecodeDataToString(encoding: String.Encoding)
    /// The `Content-Type` is none that ``Validation`` accepts; `nil` where the response has none.
    case unacceptableContentType(String?)

    /// A stable name of the case, for logs and for looking up texts of your own.
    public var errorKey: String {
        switch self {
        case .noResponse: "NoResponse"
        case .notHTTPResponse: "NotHTTPResponse"
        case .unexpectedEmptyResponse: "UnexpectedEmptyResponse"
        case .failedToDecodeDataToString: "FailedToDecodeDataToString"
        case .unacceptableContentType: "UnacceptableContentType"
        }
    }

    /// One sentence about what is wrong, in English.
    public var errorDescription: String? {
        switch self {
        case .noResponse: "There is no response."
        case .notHTTPResponse: "The response is not an HTTP response."
        case .unexpectedEmptyResponse: "The response has no body."
        case .failedToDecodeDataToString(let encoding): "The body is not text in the encoding \(encoding)."
        case .unacceptableContentType(nil): "The response does not say what type its content has."
        // The value comes from the server: no more of it than a log line can take.
        case .unacceptableContentType(let type?): "Content of the type \(type.prefix(100)) is not acceptable."
        }
    }
}
