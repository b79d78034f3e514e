import PiuPiuFutures

/// Sends requests to the server of a ``ServerProvider``.
///
/// ```swift
/// let dispatcher = NetworkDispatcher(serverProvider: self)
/// let request = BasicRequest(method: .get, path: "/posts")
/// dispatcher.future(from: request).response { response in self.show(response) }.send()
/// ```
///
/// A future keeps the dispatcher alive until it has ended, as in NetworkKit, so that a dispatcher may be a local variable.
/// The dispatcher holds the server provider weakly.
///
/// The class belongs to the main actor, so that subclasses may have variables; its own functions can be called on any
/// thread.
@preconcurrency @MainActor
open class NetworkDispatcher: Dispatcher {
    /// The shared dispatcher of all network dispatchers without their own, as they shared `URLSession.shared`.
    private nonisolated static let shared = URLRequestDispatcher()

    private nonisolated let provider = WeakReference<any ServerProvider>()
    private nonisolated let exchange: Exchange

    /// Creates a dispatcher.
    ///
    /// - Parameters:
    ///   - serverProvider: The object that provides the server; the dispatcher holds it weakly.
    ///   - dispatcher: The dispatcher of PiuPiuAsync that sends the requests, with a configuration and interceptors;
    ///     `nil` for the shared one.
    public nonisolated init(serverProvider: any ServerProvider, dispatcher: (any DataDispatcher)? = nil) {
        exchange = Exchange(dispatcher ?? Self.shared)
        self.serverProvider = serverProvider
    }

    /// The object that provides the server; the dispatcher holds it weakly.
    public nonisolated var serverProvider: (any ServerProvider)? {
        get { provider.object }
        set { provider.object = newValue }
    }

    /// Creates a future of a response.
    ///
    /// - Parameter request: The request.
    /// - Returns: A future that asks for the server and sends the request when it is sent. It fails with
    ///   ``RequestError`` if there is no server provider or no valid URL, and with ``ResponseError/unknown(cause:)`` if
    ///   there is no response.
    nonisolated open func future(from request: any Request) -> ResponseFuture<Response<Data?>> {
        exchange.future { [self] in
            guard let serverProvider else { throw RequestError.missingServerProvider }
            return try serverProvider.urlRequest(from: request)
        }
    }
}
