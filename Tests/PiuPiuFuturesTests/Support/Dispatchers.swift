import PiuPiuFutures

extension URLRequestDispatcher {
    /// A dispatcher for tests: no proxy, and nothing lasts longer than a minute.
    static func forTests(
        requestAdapters: [any URLRequestAdapter] = [],
        responseAdapters: [any URLResponseAdapter] = [],
        _ configure: (inout Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        var configuration = Configuration()
        configuration.transport.proxy = .none
        configuration.timeouts.total = .seconds(60)
        configure(&configuration)
        return URLRequestDispatcher(
            configuration: configuration,
            requestAdapters: requestAdapters,
            responseAdapters: responseAdapters
        )
    }
}

/// Runs an operation and returns the error it ends with; `nil` where it succeeds.
func failure<T>(of operation: () async throws -> T) async -> (any Error)? {
    do {
        _ = try await operation()
        return nil
    } catch {
        return error
    }
}
