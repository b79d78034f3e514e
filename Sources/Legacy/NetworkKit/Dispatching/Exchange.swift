import PiuPiuFutures

/// Sends requests with a dispatcher of PiuPiuAsync, and reports failures as NetworkKit did.
final class Exchange: DataDispatcher {
    typealias Maker = @Sendable () throws -> URLRequest

    private let dispatcher: any DataDispatcher

    /// Creates an exchange, which keeps the dispatcher alive.
    init(_ dispatcher: any DataDispatcher) { self.dispatcher = dispatcher }

    /// Sends a request; throws ``ResponseError/unknown(cause:)`` with a `TransportError` if there is no complete response.
    func data(for request: URLRequest) async throws -> PiuPiuAsync.Response<Data?> {
        do {
            return try await dispatcher.data(for: request)
        } catch let error as TransportError {
            throw ResponseError.unknown(cause: error)
        }
    }

    /// Creates a future of a response, which keeps the exchange and its dispatcher alive until it has ended.
    ///
    /// The request is made inside the call that sends the future. The default error is that of the status code.
    func future(error: ResponseError? = nil, from request: @escaping Maker) -> ResponseFuture<Response<Data?>> {
        let future = dataFuture(from: { try request() }).then { [self] response in
            // The future below holds the exchange weakly, and this closure keeps it alive until there is a response.
            withExtendedLifetime(self) {}
            guard let http = try? response.makeHTTPResponse() else { throw ResponseError.unknown(cause: nil) }
            return Response(http, error ?? http.statusCode.makeError(cause: nil))
        }
        return ResponseFuture(core: future)
    }
}
