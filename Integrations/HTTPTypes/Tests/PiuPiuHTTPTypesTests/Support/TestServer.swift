import HTTPTypes
import PiuPiuAsync
import PiuPiuHTTPTypes
import PiuPiuTesting
import Testing

extension URLRequestDispatcher {
    /// A dispatcher without a proxy, and without limits that a busy machine could reach.
    static func forTests(_ configure: (inout Configuration) -> Void = { _ in }) -> URLRequestDispatcher {
        var configuration = Configuration()
        configuration.transport.proxy = .none
        configuration.timeouts = Timeouts(queue: nil, connect: nil, idle: .seconds(300), total: .seconds(300))
        configure(&configuration)
        return URLRequestDispatcher(configuration: configuration)
    }
}

extension LoopbackServer {
    /// A request to this server.
    func request(_ method: HTTPRequest.Method, _ path: String?, _ fields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:\(port)", path: path, headerFields: fields)
    }

    /// Waits until a count has stopped changing while the dispatcher answers other requests, each of which takes it
    /// through a turn.
    ///
    /// - Parameters:
    ///   - dispatcher: The dispatcher whose transfer is held back.
    ///   - count: The count.
    /// - Returns: The count.
    /// - Throws: The errors of the dispatcher.
    func standstill(of dispatcher: URLRequestDispatcher, _ count: () -> Int) async throws -> Int {
        var last = -1
        while count() != last {
            last = count()
            for _ in 0..<100 { _ = try await dispatcher.data(for: request(.get, "/ping")) }
        }
        return last
    }
}

/// Runs an operation that has to fail, and returns its error as a `TransportError`.
func refusal<T>(
    _ operation: () async throws -> T,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws -> TransportError {
    let error = await #expect(throws: TransportError.self, sourceLocation: sourceLocation) { _ = try await operation() }
    return try #require(error, sourceLocation: sourceLocation)
}

/// The name of a field.
func name(_ text: String) throws -> HTTPField.Name {
    try #require(HTTPField.Name(text))
}
