import LoadKit
import NIOCore
import NIOWebSocket

/// SwiftNIO's WebSocket client with `NIOAsyncChannel`: a task reads and writes.
///
/// Frames are not put together to messages, and pings are not answered.
struct AsyncChannelClient: SocketClient {
    typealias Wrapped = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    private let upgrade: Upgrade

    init(_ settings: ClientSettings) { upgrade = Upgrade(settings) }

    /// The two ends of a channel.
    final class Socket: @unchecked Sendable {
        // Used by one task.
        var inbound: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator
        let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>

        init(
            _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>,
            _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
        ) {
            self.inbound = inbound.makeAsyncIterator()
            self.outbound = outbound
        }
    }

    func withSocket<Result: Sendable>(
        _ address: Address,
        _ body: @escaping @Sendable (Socket) async throws -> Result
    ) async throws -> Result {
        let channel = try await upgrade.connect(address) { try Wrapped(wrappingChannelSynchronously: $0) }
        return try await channel.executeThenClose { inbound, outbound in
            let result = try await body(Socket(inbound, outbound))
            try await outbound.write(.closing)
            return result
        }
    }

    /// A channel of this kind needs a task.
    func open(_ address: Address) async throws -> Socket? { nil }

    func echo(_ message: [UInt8], on socket: Socket, until end: ContinuousClock.Instant) async throws -> Int {
        let message = ByteBuffer(bytes: message)
        var count = 0
        repeat {
            let frame = WebSocketFrame(fin: true, opcode: .binary, maskKey: .random(), data: message)
            try await socket.outbound.write(frame)
            guard let echo = try await socket.inbound.next() else { throw ChannelError.eof }
            try LoadError.check(echo, message.readableBytes)
            count += 1
        } while ContinuousClock.now < end
        return count
    }

    func wait(_ socket: Socket) async throws { _ = try await socket.inbound.next() }

    func shutdown() async throws { try await upgrade.group.shutdownGracefully() }
}
