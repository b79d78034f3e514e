/// A request that could not be made, because nobody knows which server it goes to.
public enum RequestError: LocalizedError, Sendable, Hashable {
    /// The ``ServerProvider`` has no URL.
    case missingURL
    /// The ``ServerProvider`` was released; a ``RequestSerializer`` does not keep it alive.
    case missingServerProvider

    /// A stable name of the case, for logs and for looking up texts of your own.
    public var errorKey: String {
        switch self {
        case .missingURL: "MissingURL"
        case .missingServerProvider: "MissingServerProvider"
        }
    }

    /// One sentence about what is wrong, in English.
    public var errorDescription: String? {
        switch self {
        case .missingURL: "The server provider has no URL."
        case .missingServerProvider: "There is no server provider any more."
        }
    }
}
