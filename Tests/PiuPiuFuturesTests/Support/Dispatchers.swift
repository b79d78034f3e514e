import PiuPiuFutures

extension URLRequestDispatcher {
    /// A dispatcher for tests: no proxy, and nothing lasts forever.
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
