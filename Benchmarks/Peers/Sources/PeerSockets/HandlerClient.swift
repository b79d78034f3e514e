import LoadKit
import NIOCore
import NIOWebSocket

/// SwiftNIO's WebSocket client with a plain channel handler: nothing leaves the event loop.
///
/// Frames are not put together to messages, and pings are not answered.
struct HandlerClient: SocketClient {
    typealias Socket = any Channel

    private let upgrade: Upgrade

    init(_ settings: ClientSettings) { upgrade = Upgrade(settings) }

    func withSocket<Result: Sendable>(
        _ address: Address,
        _ body: @escaping @Sendable (any Channel) async throws -> Result
    ) async throws -> Result {
        let channel = try await connect(address)
        let result = try await body(channel)
        try await channel.writeAndFlush(WebSocketFrame.closing)
        // The server may be first.
        try? await channel.close()
        return result
    }

    func open(_ address: Address) async throws -> (any Channel)? { try await connect(address) }

    func echo(_ message: [UInt8], on channel: any Channel, until end: ContinuousClock.Instant) async throws -> Int {
        let promise = channel.eventLoop.makePromise(of: Int.self)
        channel.eventLoop.execute {
            do {
                let handler = try channel.pipeline.syncOperations.handler(type: EchoHandler.self)
                handler.start(ByteBuffer(bytes: message), end, promise)
            } catch {
                promise.fail(error)
            }
        }
        return try await promise.futureResult.get()
    }

    func wait(_ channel: any Channel) async throws { try await channel.closeFuture.get() }

    func shutdown() async throws { try await upgrade.group.shutdownGracefully() }

    private func connect(_ address: Address) async throws -> any Channel {
        try await upgrade.connect(address) { channel in
            try channel.pipeline.syncOperations.addHandler(EchoHandler())
            return channel
        }
    }
}

private final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private struct Job {
        let message: ByteBuffer
        let end: ContinuousClock.Instant
        let promise: EventLoopPromise<Int>
        var count = 0
    }

    private var context: ChannelHandlerContext?
    private var job: Job?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func start(_ message: ByteBuffer, _ end: ContinuousClock.Instant, _ promise: EventLoopPromise<Int>) {
        guard let context else { return promise.fail(ChannelError.alreadyClosed) }
        job = Job(message: message, end: end, promise: promise)
        send(message, context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        guard job != nil else { return }
        do {
            try LoadError.check(frame, job?.message.readableBytes ?? 0)
        } catch {
            return fail(error)
        }
        job?.count += 1
        guard let job else { return }
        if ContinuousClock.now < job.end {
            send(job.message, context)
        } else {
            self.job = nil
            job.promise.succeed(job.count)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { fail(ChannelError.eof) }

    private func send(_ message: ByteBuffer, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: .binary, maskKey: .random(), data: message)
        context.writeAndFlush(Self.wrapOutboundOut(frame), promise: nil)
    }

    private func fail(_ error: any Error) {
        job?.promise.fail(error)
        job = nil
    }
}

extension WebSocketFrame {
    /// A close frame with 1000.
    static var closing: WebSocketFrame {
        WebSocketFrame(
            fin: true,
            opcode: .connectionClose,
            maskKey: .random(),
            data: ByteBuffer(bytes: [0x03, 0xE8] as [UInt8])
        )
    }
}
