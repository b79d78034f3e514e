/// An error for a body that could not be decoded.
///
/// It has no texts for users; conform it to `LocalizedError` to add your own.
public enum SerializationError: Error {
    /// The body could not be decoded; the cause is the decoder's error, if there is one.
    case failedToDecodeResponseData(cause: (any Error)?)
    /// The response has no body, and the caller needs one.
    case unexpectedEmptyResponse

    /// A stable name of the case, for logs and for looking up your own texts.
    public var errorKey: String {
        switch self {
        case .failedToDecodeResponseData: "InvalidObject"
        case .unexpectedEmptyResponse: "EmptyResponse"
        }
    }
}
