import ArgumentParser
import NIOCore
import NIOPosix
import PiuPiuAsync
import PiuPiuServer
import ProxyKit

/// Forwards every request to another server, and streams both bodies.
@main
struct Proxy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Forwards every request to another server, and streams both bodies."
    )

    @OptionGroup var options: ProxyOptions

    func run() async throws {
        let dispatcher = URLRequestDispatcher.forProxy(options)
        let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: options.threads)
        try await ProxyServer.run(
            options,
            client: PiuPiuClient(dispatcher: dispatcher),
            services: [DispatcherService(dispatcher, gracePeriod: .seconds(options.grace))],
            eventLoops: eventLoops
        )
        try await eventLoops.shutdownGracefully()
    }
}

extension URLRequestDispatcher {
    /// Creates a dispatcher that changes nothing on the way.
    ///
    /// - Parameter options: The command line.
    /// - Returns: The dispatcher.
    fileprivate static func forProxy(_ options: ProxyOptions) -> URLRequestDispatcher {
        var configuration = Configuration()
        // Redirects and compressed bodies are the client's business.
        configuration.redirects = nil
        configuration.options.decompression = .off
        configuration.options.allowsBodyInGET = true
        configuration.timeouts.head = .seconds(options.timeout)
        configuration.timeouts.idle = .seconds(options.timeout)
        configuration.timeouts.queue = .seconds(options.timeout)
        configuration.connections.streamsPerHost = options.connections
        configuration.connections.total = options.connections + configuration.connections.perHost
        let policies: [any Interceptor] = options.retries > 0 ? [RetryPolicy(retries: options.retries)] : []
        return URLRequestDispatcher(configuration: configuration, interceptors: policies)
    }
}
