/// An error for a body that is not as expected.
public enum SerializationError: BaseNetworkError {
    /// The body could not be decoded; the cause is the decoder's error.
    case failedToDecodeResponseData(cause: (any Error)?)
    /// The response has no body.
    case unexpectedEmptyResponse

    /// A stable name of the case: `InvalidObject` or `EmptyResponse`, as in NetworkKit.
    public var errorKey: String {
        switch self {
        case .failedToDecodeResponseData: "InvalidObject"
        case .unexpectedEmptyResponse: "EmptyResponse"
        }
    }

    /// A text for the user of the app.
    public var errorDescription: String? { "The response was not as expected. Please install the latest version." }
}
