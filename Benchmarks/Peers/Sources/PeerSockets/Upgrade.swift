import LoadKit
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Connects and upgrades, as SwiftNIO's example of a WebSocket client does.
struct Upgrade: Sendable {
    let group: MultiThreadedEventLoopGroup

    init(_ settings: ClientSettings) { group = MultiThreadedEventLoopGroup(numberOfThreads: settings.loops) }

    // `finish` completes the pipeline, on the event loop.
    func connect<Result: Sendable>(
        _ address: Address,
        _ finish: @escaping @Sendable (any Channel) throws -> Result
    ) async throws -> Result {
        guard let host = address.url.host(), let port = address.url.port else { throw LoadError("no port") }
        let upgraded: EventLoopFuture<Result?> = try await ClientBootstrap(group: group)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOTypedWebSocketClientUpgrader<Result?>(maxFrameSize: 1 << 20) { channel, _ in
                        channel.eventLoop.makeCompletedFuture { try finish(channel) }
                    }
                    let head = HTTPRequestHead(
                        version: .http1_1,
                        method: .GET,
                        uri: "/",
                        headers: ["Host": "\(host):\(port)"]
                    )
                    let configuration = NIOTypedHTTPClientUpgradeConfiguration<Result?>(
                        upgradeRequestHead: head,
                        upgraders: [upgrader],
                        notUpgradingCompletionHandler: { $0.eventLoop.makeSucceededFuture(nil) }
                    )
                    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: .init(upgradeConfiguration: configuration)
                    )
                }
            }
        guard let result = try await upgraded.get() else { throw LoadError("the server did not upgrade") }
        return result
    }
}

extension LoadError {
    static func check(_ frame: WebSocketFrame, _ length: Int) throws {
        guard frame.opcode == .binary, frame.fin, frame.length == length else {
            throw LoadError("\(frame.opcode) of \(frame.length) in place of \(length)")
        }
    }
}
