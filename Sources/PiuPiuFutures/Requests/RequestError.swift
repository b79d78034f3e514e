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

    /// One sentence that describes the error, in English.
    public var errorDescription: String? {
        switch self {
        case .missingURL: "The server provider has no URL."
        case .missingServerProvider: "There is no server provider any more."
        }
    }
}
