/// An error for a request that could not be made.
public enum RequestError: BaseNetworkError {
    /// The path and the server do not make a valid URL.
    case invalidURL(cause: any Error)
    /// The ``ServerProvider`` was released; a ``NetworkDispatcher`` does not keep it alive.
    case missingServerProvider

    /// A text for the user of the app.
    public var errorDescription: String? { "The app made a mistake. Please install the latest version." }
}
