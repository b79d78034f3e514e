import NIOCore
import NIOHTTP1

/// Corrects what depends on the request, which the encoder of responses does not know.
///
/// The response to a `HEAD` has no body, not even an empty chunk (RFC 9110 §9.3.2). A client that expects `100 (Continue)`
/// gets it at once, since the proxy reads the body anyway (§10.1.1).
final class MessageSemantics: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Whether the requests that were not answered yet are `HEAD`, in order.
    private var pending = CircularBuffer<Bool>(initialCapacity: 2)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) {
            pending.append(head.method == .HEAD)
            // Before the end of another response, it would be taken for a part of it.
            if pending.count == 1, head.headers.contains(name: "expect"),
                head.headers[canonicalForm: "expect"].contains(where: { $0.lowercased() == "100-continue" })
            {
                let interim = HTTPResponseHead(version: head.version, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
            }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), pending.popFirst() == true else {
            context.write(data, promise: promise)
            return
        }
        // Keeps the order of promises.
        let nothing = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer()))
        context.write(wrapOutboundOut(nothing), promise: promise)
    }
}

@available(*, unavailable)
extension MessageSemantics: Sendable {}
