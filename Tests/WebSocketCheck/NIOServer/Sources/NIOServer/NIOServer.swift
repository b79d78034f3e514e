import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A WebSocket server of SwiftNIO that sends each message back; `Scripts/check-websockets` runs it.
///
///     NIOServer PORT
@main
struct NIOServer {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try Self.configure(channel) }
            }
            .bind(host: "127.0.0.1", port: port).get()
        print(channel.localAddress?.port ?? port)
        try await channel.closeFuture.get()
    }

    /// Has a connection upgraded when its request arrives.
    private static func configure(_ channel: any Channel) throws {
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: 1 << 25,
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    let aggregator = NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 0,
                        maxAccumulatedFrameCount: 1 << 20,
                        maxAccumulatedFrameSize: 1 << 25
                    )
                    try channel.pipeline.syncOperations.addHandlers([aggregator, Echo()])
                }
            }
        )
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in })
        )
    }
}

/// Sends each message back as one frame, answers pings, and completes the closing handshake.
private final class Echo: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        let payload = frame.unmaskedData
        switch frame.opcode {
        case .text, .binary: send(frame.opcode, payload, context: context)
        case .ping: send(.pong, payload, context: context)
        case .connectionClose:
            send(.connectionClose, payload, context: context)
            context.close(promise: nil)
        default: break
        }
    }

    private func send(_ opcode: WebSocketOpcode, _ payload: ByteBuffer, context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: payload)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
