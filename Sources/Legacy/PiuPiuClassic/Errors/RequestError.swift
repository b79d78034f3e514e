/// An error for a request that could not be made.
///
/// It has no texts for users; conform it to `LocalizedError` to add your own.
public enum RequestError: Error {
    /// The URL of the request is not valid, or there is none; the cause says which.
    case invalidURL(cause: any Error)
    /// The ``ServerProvider`` was released; a ``RequestDispatcher`` does not keep it alive.
    case missingServerProvider
    /// The ``ServerProvider`` has no URL.
    case missingURL

    /// A stable name of the case, for logs and for looking up your own texts.
    public var errorKey: String {
        switch self {
        case .invalidURL: "InvalidURL"
        case .missingServerProvider: "MissingServerProvider"
        case .missingURL: "MissingURL"
        }
    }
}
