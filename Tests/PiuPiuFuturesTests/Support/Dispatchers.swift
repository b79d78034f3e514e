import PiuPiuFutures

extension URLRequestDispatcher {
    /// A dispatcher for tests: no proxy, and nothing lasts for ever.
    static func forTests(
        requestAdapters: [any URLRequestAdapter] = [],
        responseAdapters: [any URLResponseAdapter] = [],
        _ configure: (inout Configuration) -> Void = { _ in }
    ) -> URLRequestDispatcher {
        var configuration = Configuration()
        configuration.transport.proxy = .none
        configuration.timeouts = Timeouts(
            queue: .seconds(600),
            connect: .seconds(600),
            idle: .seconds(600),
            total: .seconds(600)
        )
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
