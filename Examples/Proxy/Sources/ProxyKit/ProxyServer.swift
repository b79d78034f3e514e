import Foundation
import Hummingbird
import HummingbirdCore
import Logging
public import NIOCore
public import ServiceLifecycle
import UnixSignals

/// The server: a client's connections, the responder, and the order in which all of it ends.
public enum ProxyServer {
    /// Serves until the process is asked to stop, by SIGTERM or SIGINT, and the requests in progress have ended.
    ///
    /// It prints the port as soon as it listens.
    ///
    /// - Parameters:
    ///   - options: The command line.
    ///   - client: Forwards requests.
    ///   - services: The services that the client needs; they end after the server.
    ///   - eventLoops: The threads that serve clients.
    /// - Throws: An error if the port cannot be opened.
    public static func run(
        _ options: ProxyOptions,
        client: some UpstreamClient,
        services: [any Service],
        eventLoops: any EventLoopGroup
    ) async throws {
        var logger = Logger(label: "proxy", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .notice
        let responder = ProxyResponder(
            client: client,
            upstream: try options.makeUpstream(),
            bodyLimit: options.bodyLimit
        )
        let application = Application(
            responder: responder,
            server: HTTPServerBuilder {
                ProxyChannel(responder: $0, idleTimeout: .seconds(60), usesEventLoop: options.eventLoops)
            },
            configuration: .init(address: .hostname(options.host, port: options.port), backlog: 4096),
            services: services,
            onServerRunning: { channel in
                print("Listening on \(options.host):\(channel.localAddress?.port ?? options.port)")
                fflush(nil)
            },
            eventLoopGroupProvider: .shared(eventLoops),
            logger: logger
        )
        var configuration = ServiceGroupConfiguration(
            services: [application],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(options.grace)
        try await ServiceGroup(configuration: configuration).run()
    }
}
