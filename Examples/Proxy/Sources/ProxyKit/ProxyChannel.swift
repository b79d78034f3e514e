import HTTPTypes
public import HummingbirdCore
public import Logging
public import NIOCore
import NIOHTTP1

/// A connection of a client, whose requests are cancelled when the client goes away.
///
/// Hummingbird keeps a connection on which the client only stops sending, and goes on answering. Here that closes it, as in
/// nginx: most often, it is the first sign that nobody waits for the response.
public struct ProxyChannel: ServerChildChannel {
    /// The connection.
    public typealias Value = HTTP1Channel.Value

    private let base: HTTP1Channel
    private let usesEventLoop: Bool

    /// Creates the channel for a responder.
    ///
    /// - Parameters:
    ///   - responder: Answers requests.
    ///   - idleTimeout: How long a connection may be idle.
    ///   - usesEventLoop: Whether requests are answered on the thread of the connection.
    public init(responder: @escaping HTTPChannelHandler.Responder, idleTimeout: TimeAmount, usesEventLoop: Bool) {
        self.usesEventLoop = usesEventLoop
        base = HTTP1Channel(responder: responder, configuration: .init(idleTimeout: idleTimeout))
    }

    /// Prepares a connection.
    ///
    /// - Parameters:
    ///   - channel: The connection.
    ///   - logger: The server's logger.
    /// - Returns: The connection, ready for requests.
    public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(MessageSemantics(), position: .after(decoder))
            return value
        }
    }

    /// Answers requests until the connection is closed, and cancels the answer that is then in progress.
    ///
    /// - Parameters:
    ///   - value: The connection.
    ///   - logger: The server's logger.
    public func handle(value: Value, logger: Logger) async {
        let executor = usesEventLoop ? EventLoopTaskExecutor(value.channel.eventLoop) : nil
        await withTaskExecutorPreference(executor) {
            await withDiscardingTaskGroup { group in
                group.addTask { await base.handle(value: value, logger: logger) }
                // It fails only if the connection has failed, which is over then as well.
                try? await value.channel.closeFuture.get()
                group.cancelAll()
            }
        }
    }
}
