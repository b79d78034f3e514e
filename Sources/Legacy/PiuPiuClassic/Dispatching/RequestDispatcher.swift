import PiuPiuFutures

/// Sends requests to paths of the server of a ``ServerProvider``.
///
/// ```swift
/// let dispatcher = RequestDispatcher(serverProvider: self)
/// let request = BasicRequest(method: .get, path: "/posts")
///
/// dispatcher.future(from: request).response({ response in
///     self.show(try response.decode([Post].self))
/// }).send()
/// ```
///
/// The dispatcher holds the provider weakly. A future does not need the `RequestDispatcher`: it keeps the
/// ``dataDispatcher`` alive until it has ended. If the provider is released before the future is started, the future fails
/// with ``RequestError/missingServerProvider``.
public final class RequestDispatcher: Dispatcher {
    private struct Provider {
        weak var value: (any ServerProvider)?
    }

    private let provider: Locked<Provider>
    /// The dispatcher that sends the requests.
    public let dataDispatcher: any DataDispatcher

    /// Creates a dispatcher that sends its requests over the network.
    ///
    /// - Parameters:
    ///   - serverProvider: The object that provides the server; the dispatcher holds it weakly.
    ///   - configuration: Foundation's configuration.
    public convenience init(serverProvider: any ServerProvider, configuration: URLSessionConfiguration = .default) {
        let dataDispatcher = URLRequestDispatcher(configuration: configuration)
        self.init(serverProvider: serverProvider, dataDispatcher: dataDispatcher)
    }

    /// Creates a dispatcher.
    ///
    /// - Parameters:
    ///   - serverProvider: The object that provides the server; the dispatcher holds it weakly.
    ///   - dataDispatcher: The dispatcher that sends the requests.
    public init(serverProvider: any ServerProvider, dataDispatcher: any DataDispatcher) {
        provider = Locked(Provider(value: serverProvider))
        self.dataDispatcher = dataDispatcher
    }

    /// The object that provides the server; the dispatcher holds it weakly.
    public var serverProvider: (any ServerProvider)? {
        get { provider.withLock { $0.value } }
        set { provider.withLock { $0.value = newValue } }
    }

    /// Creates a future of a response.
    ///
    /// - Parameter request: The request.
    /// - Returns: A future that asks for the server and sends the request when it is started. It fails with
    ///   ``RequestError`` if there is no server or no valid URL.
    public func future(from request: any Request) -> ResponseFuture<Response<Data?>> {
        dataDispatcher.dataFuture(from: { [provider] in
            guard let provider = provider.withLock({ $0.value }) else { throw RequestError.missingServerProvider }
            return try provider.urlRequest(from: request)
        })
    }
}

/// The name of ``RequestDispatcher`` in the released versions 1.3.0 to 1.3.2.
public typealias NetworkDispatcher = RequestDispatcher
