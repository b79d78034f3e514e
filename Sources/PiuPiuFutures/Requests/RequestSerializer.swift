/// Sends requests that do not know their server, to one that somebody else knows.
///
/// ```swift
/// let serializer = RequestSerializer(dispatcher: dispatcher, serverProvider: provider)
/// let posts = try await serializer.dataFuture(from: BasicRequest(method: .get, path: "/posts"))
///     .decoded([Post].self)
///     .fetchResult()
/// ```
///
/// It keeps the dispatcher alive, and does not keep the provider alive.
public final class RequestSerializer: Sendable {
    private struct State {
        var dispatcher: any DataDispatcher
        weak var serverProvider: (any ServerProvider)?
    }

    private let state: Locked<State>

    /// Creates a serializer.
    ///
    /// - Parameters:
    ///   - dispatcher: What sends the requests.
    ///   - serverProvider: What knows the server; it is held weakly.
    public init(dispatcher: any DataDispatcher, serverProvider: any ServerProvider) {
        state = Locked(State(dispatcher: dispatcher, serverProvider: serverProvider))
    }

    /// What sends the requests.
    public var dispatcher: any DataDispatcher {
        get { state.withLock { $0.dispatcher } }
        set {
            // The old one goes outside the lock: releasing it cancels what it has under way.
            let old = state.withLock { state in
                defer { state.dispatcher = newValue }
                return state.dispatcher
            }
            withExtendedLifetime(old) {}
        }
    }

    /// What knows the server; it is held weakly.
    public var serverProvider: (any ServerProvider)? {
        get { state.withLock { $0.serverProvider } }
        set { state.withLock { $0.serverProvider = newValue } }
    }

    /// Makes a future of a response.
    ///
    /// The serializer is held weakly: where it is released before the future is sent, the future is cancelled.
    ///
    /// - Parameter request: The request.
    /// - Returns: A future, which asks for the server and sends the request when it is started. It fails with
    ///   ``RequestError`` where there is no server, and with what `request` throws.
    public func dataFuture(from request: any Request) -> ResponseFuture<Response<Data?>> {
        dataFuture(from: { request })
    }

    /// Makes a future of a response to a request that is made when the future is started.
    ///
    /// The serializer is held weakly: where it is released before the future is sent, the future is cancelled.
    ///
    /// - Parameter callback: Makes the request; `nil` cancels, and what it throws ends the future.
    /// - Returns: A future, which makes and sends the request when it is started. It fails with ``RequestError`` where
    ///   there is no server, and with what the request throws.
    public func dataFuture(
        from callback: @escaping @Sendable () throws -> (any Request)?
    ) -> ResponseFuture<Response<Data?>> {
        FutureSource(self).future { source, teller in
            guard let request = try callback() else { throw CancellationError() }
            let urlRequest = try request.urlRequest(withBaseURL: try await source.baseURL())
            guard let send = source.dispatcher?.dispatcher.sender() else { throw CancellationError() }
            return try await send(urlRequest, teller)
        }
    }
}

extension FutureSource where Dispatcher == RequestSerializer {
    fileprivate func baseURL() async throws -> URL {
        guard let url = await (try serverProvider()).baseURL else { throw RequestError.missingURL }
        return url
    }

    // Not a part of the function above, which would keep the serializer while it waits.
    private func serverProvider() throws -> any ServerProvider {
        guard let serializer = dispatcher else { throw CancellationError() }
        guard let provider = serializer.serverProvider else { throw RequestError.missingServerProvider }
        return provider
    }
}

extension RequestSerializer: Redacted {
    /// The type of the dispatcher, and nothing of the requests.
    package var shown: KeyValuePairs<String, Any> { ["dispatcher": "\(type(of: dispatcher))"] }
}
