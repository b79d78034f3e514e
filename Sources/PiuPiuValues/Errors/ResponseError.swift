/// An error for a response that differs from the request's expectation.
///
/// Its cases are those of earlier versions, which contain neither the request nor the response.
public enum ResponseError: Error, Sendable, Hashable {
    /// The exchange ended without a response, or a mock has no response to return.
    case noResponse
    /// The response is not an HTTP response.
    case notHTTPResponse
    /// The response has no body, but the caller needs one.
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
}

extension ResponseError: ExplainedError {
    /// One sentence that describes the error, in English.
    public var description: String {
        switch self {
        case .noResponse: "There is no response."
        case .notHTTPResponse: "The response is not an HTTP response."
        case .unexpectedEmptyResponse: "The response has no body."
        case .failedToDecodeDataToString(let encoding): "The body is not text in the encoding \(encoding)."
        }
    }

    package var explanation: ErrorExplanation {
        switch self {
        case .noResponse:
            .init(
                1,
                "A mock has no response to return, or a transport of your own returned none.",
                "Give the mock a response for this request."
            )
        case .notHTTPResponse:
            .init(
                2,
                "The URL is that of a file, or a mock returned a plain URLResponse.",
                "Use Response instead of HTTPResponse for it, or return an HTTPURLResponse."
            )
        case .unexpectedEmptyResponse:
            .init(
                3,
                "The server answered without a body, for instance with 204, and a value was to be decoded.",
                "Decode with decodeIfPresent, or use the function that expects no value."
            )
        case .failedToDecodeDataToString:
            .init(
                4,
                "The body is text in another encoding, or no text at all.",
                "Use the encoding that the Content-Type names, or read the bytes."
            )
        }
    }
}
