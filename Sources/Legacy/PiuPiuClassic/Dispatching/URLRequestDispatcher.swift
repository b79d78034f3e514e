import PiuPiuFutures

/// Sends requests over the network with the dispatcher of `PiuPiuAsync`.
///
/// A future keeps what it needs from the dispatcher until it has ended, so that a function can create a dispatcher and
/// return one of its futures, as the document of PiuPiu 1.3 does.
public final class URLRequestDispatcher: DataDispatcher {
    /// The dispatcher of `PiuPiuAsync` that sends the requests.
    public let underlying: PiuPiuAsync.URLRequestDispatcher

    /// Creates a dispatcher.
    ///
    /// - Parameter configuration: Foundation's configuration; `URLRequestDispatcher.Configuration` of `PiuPiuAsync`
    ///   lists the settings that apply.
    public init(configuration: URLSessionConfiguration = .default) {
        underlying = PiuPiuAsync.URLRequestDispatcher(configuration: configuration)
    }

    /// Creates a dispatcher around a dispatcher of `PiuPiuAsync`, for example one with interceptors.
    ///
    /// - Parameter underlying: The dispatcher that sends the requests.
    public init(_ underlying: PiuPiuAsync.URLRequestDispatcher) {
        self.underlying = underlying
    }

    /// Refuses new requests and cancels those in progress, whose futures are cancelled.
    ///
    /// Futures that are started later fail with a `TransportError` with the code `shutDown`.
    public func invalidateAndCancel() { underlying.invalidateAndCancel() }

    /// Creates a future of a response.
    ///
    /// - Parameter urlRequest: The request.
    /// - Returns: A future that sends the request when it is started. It fails with a `TransportError` if there is no
    ///   complete response; for a 4xx or 5xx response, ``Response/error`` is set.
    public func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        dataFuture(from: { urlRequest })
    }

    /// Creates a future of a response to a request that is made when the future is started.
    ///
    /// - Parameter callback: Makes the request. If the future is started on the main thread, it runs inside that call;
    ///   otherwise in the background, or on the actor it was written on. `nil` cancels the future; an error ends it.
    /// - Returns: A future that makes and sends the request when it is started.
    @preconcurrency public func dataFuture(
        @_inheritActorContext from callback: @escaping @isolated(any) @Sendable () throws -> URLRequest?
    ) -> ResponseFuture<Response<Data?>> {
        // A future of `PiuPiuFutures` holds its dispatcher weakly. The closure of `then`, which the chain owns until it
        // ends, holds it strongly.
        ResponseFuture(
            underlying.dataFuture(from: callback).then { [underlying] response in
                try withExtendedLifetime(underlying) { try Response(response) }
            }
        )
    }
}
