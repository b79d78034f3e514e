import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

extension URLSessionTransport {
    /// A transport for tests, which use no proxy: servers on this machine are exempt if there is one.
    static func forTests(_ configure: (inout TransportConfiguration) -> Void = { _ in }) -> URLSessionTransport {
        var configuration = TransportConfiguration()
        configuration.connections = ConnectionLimits(perHost: 64, total: 256)
        configure(&configuration)
        return URLSessionTransport(configuration: configuration)
    }

    /// Sends a request that does not last forever.
    func send(
        _ urlRequest: URLRequest,
        _ configure: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> TransportResponse {
        var request = TransportRequest(urlRequest)
        request.options.timeouts.total = .generous
        configure(&request)
        return try await send(request)
    }

    /// Sends a `GET`.
    func get(_ url: URL, _ configure: (inout TransportRequest) -> Void = { _ in }) async throws -> TransportResponse {
        try await send(URLRequest(url: url), configure)
    }

    /// Waits until nothing is in flight or waiting.
    func idle() async {
        while exchangeCount > 0 { await Task.yield() }
    }
}

/// The code of the error an operation ends with; `nil` if it is no ``TransportError``.
func code<T>(of operation: () async throws -> T) async throws -> TransportError.Code? {
    (try await failure(of: operation) as? TransportError)?.code
}
