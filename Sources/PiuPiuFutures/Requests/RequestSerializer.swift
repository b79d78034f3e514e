/// Sends requests without a server to the server of a ``ServerProvider``.
///
/// ```swift
/// let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: provider)
/// let posts = try await serializer.dataFuture(from: BasicRequest(method: .get, path: "/posts"))
///     .decoded([Post].self)
///     .fetchResult()
/// ```
///
/// A serializer keeps the dispatcher alive, but not the provider.
public final class RequestSerializer: Sendable {
    private struct State {
        var dispatcher: any DataDispatcher
        weak var serverProvider: (any ServerProvider)?
    }

    private let state: Locked<State>

    /// Creates a serializer.
    ///
    /// - Parameters:
    ///   - dispatcher: The dispatcher that sends the requests.
    ///   - serverProvider: The object that provides the server; the serializer holds it weakly.
    public init(dispatcher: any DataDispatcher, serverProvider: any ServerProvider) {
        state = Locked(State(dispatcher: dispatcher, serverProvider: serverProvider))
    }

    /// The dispatcher that sends the requests.
    public var dispatcher: any DataDispatcher {
        get { state.withLock { $0.dispatcher } }
        set {
            // The old dispatcher is released outside the lock, because releasing it cancels its work.
            let old = state.withLock { state in
                defer { state.dispatcher = newValue }
                return state.dispatcher
            }
            withExtendedLifetime(old) {}
        }
    }

    /// The object that provides the server; the serializer holds it weakly.
    public var serverProvider: (any ServerProvider)? {
        get { state.withLock { $0.serverProvider } }
        set { state.withLock { $0.serverProvider = newValue } }
    }

    /// Creates a future of a response.
    ///
    /// The future holds the serializer weakly: if it is released before the future is sent, the future fails with `shutDown`.
    ///
    /// - Parameter request: The request.
    /// - Returns: A future that asks for the server and sends the request when it is started. It fails with
    ///   ``RequestError`` if there is no server, and with any error that `request` throws.
    public func dataFuture(from request: any Request) -> ResponseFuture<Response<Data?>> {
        future(from: { request })
    }

    /// Creates a future of a response to a request that a callback makes when the future is started.
    ///
    /// The future holds the serializer weakly: if it is released before the future is sent, the future fails with `shutDown`.
    ///
    /// - Parameter callback: Makes the request. `nil` cancels the future; an error ends it. If the chain is started on the
    ///   main thread, it runs inside that call, and the provider and the request are then used on the main actor.
    /// - Returns: A future that makes and sends the request when it is started. It fails with ``RequestError`` if there
    ///   is no server, and with any error that the request throws.
    public func dataFuture(
        @_inheritActorContext from callback: @escaping @isolated(any) @Sendable () throws -> (any Request)?
    ) -> ResponseFuture<Response<Data?>> {
        future(from: callback)
    }

    private func future(
        from callback: @escaping @isolated(any) @Sendable () throws -> (any Request)?
    ) -> ResponseFuture<Response<Data?>> {
        FutureSource(self).future(from: callback) { source, request, teller in
            let urlRequest = try await source.urlRequest(request, on: CallerIsolation.actor)
            guard let send = source.dispatcher?.dispatcher.sender() else { throw TransportError.dispatcherReleased }
            return try await send(urlRequest, teller)
        }
    }
}

extension FutureSource where Dispatcher == RequestSerializer {
    /// Asks the caller's provider and request, on the same actor or thread as the caller's functions.
    fileprivate func urlRequest(_ request: any Request, on actor: isolated (any Actor)?) async throws -> URLRequest {
        // The actor may have been busy for a long time.
        try Task.checkCancellation()
        return try request.urlRequest(withBaseURL: try await baseURL())
    }

    private func baseURL() async throws -> URL {
        guard let url = await (try serverProvider()).baseURL else { throw RequestError.missingURL }
        return url
    }

    // A separate function, because the function above would retain the serializer during its wait.
    private func serverProvider() throws -> any ServerProvider {
        guard let serializer = dispatcher else { throw TransportError.dispatcherReleased }
        guard let provider = serializer.serverProvider else { throw RequestError.missingServerProvider }
        return provider
    }
}

extension RequestSerializer: Redacted {
    /// The type of the dispatcher, without details of the requests.
    package var shown: KeyValuePairs<String, Any> { ["dispatcher": "\(type(of: dispatcher))"] }
}
