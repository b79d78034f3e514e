import ArgumentParser
import AsyncHTTPClient
import NIOCore
import NIOPosix
import ProxyKit
import ServiceLifecycle

/// The proxy of Examples/Proxy on async-http-client, which shares the threads of the server.
///
/// `--retries` has no effect.
@main
struct PeerProxy: AsyncParsableCommand {
    @OptionGroup var options: ProxyOptions

    func run() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(
            connect: .seconds(10),
            read: .nanoseconds(Int64(options.timeout * 1e9)),
            write: .nanoseconds(Int64(options.timeout * 1e9))
        )
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = options.connections
        let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: options.threads)
        let client = HTTPClient(eventLoopGroupProvider: .shared(eventLoops), configuration: configuration)
        try await ProxyServer.run(
            options,
            client: AsyncHTTPClientUpstream(client: client),
            services: [HTTPClientService(client: client)],
            eventLoops: eventLoops
        )
        try await eventLoops.shutdownGracefully()
    }
}

private struct HTTPClientService: Service {
    let client: HTTPClient

    func run() async throws {
        try? await gracefulShutdown()
        try await client.shutdown()
    }
}
