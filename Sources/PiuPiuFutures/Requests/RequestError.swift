/// An error for a request that could not be made because its server is not known.
public enum RequestError: LocalizedError, Sendable, Hashable {
    /// The ``ServerProvider`` has no URL.
    case missingURL
    /// The ``ServerProvider`` was released; a ``RequestSerializer`` does not keep it alive.
    case missingServerProvider

    /// A stable name of the case, for logs and for looking up your own texts.
    public var errorKey: String {
        switch self {
        case .missingURL: "MissingURL"
        case .missingServerProvider: "MissingServerProvider"
        }
    }

    /// A sentence in English that describes the error.
    public var errorDescription: String? {
        switch self {
        case .missingURL: "The server provider has no URL."
        case .missingServerProvider: "The server provider was released."
        }
    }

    /// The usual cause of the error, as a sentence.
    public var failureReason: String? {
        switch self {
        case .missingURL: "The server provider had no URL when the request was made."
        case .missingServerProvider: "The serializer does not keep the provider alive, and nothing else did."
        }
    }

    /// A suggestion, as a sentence.
    public var recoverySuggestion: String? {
        switch self {
        case .missingURL: "Return a URL from ServerProvider.baseURL before requests are made."
        case .missingServerProvider: "Keep the provider in a property while requests are made."
        }
    }
}
