#if os(Linux)
import PiuPiuEngine

// The request of an exchange.
extension SocketExchange: HTTPExchange {
    var isHEAD: Bool { if case .head = request.kind { true } else { false } }
    var closesConnection: Bool { request.closesConnection }
    var isStreamed: Bool { streams?.inbound != nil }
    var maximumHead: Int { request.options.maximumHead }

    var contentFraming: ContentFraming {
        switch request.kind {
        case _ where isTunnelRequest: .tunnel
        case .withoutContent, .head: .none
        case .withContent(let data): data.isEmpty ? .none : .length
        case .withStream(let body): body.length == nil ? .chunked : .length
        }
    }

    var continuePatience: Int64? {
        guard expectsContinue, request.kind.length != 0 else { return nil }
        return Int64(request.options.expectContinue.milliseconds) * 1_000_000
    }

    var maximumSendRate: Int64 { hasRates ? request.options.maximumSendRate.map { Int64(max(1, $0)) } ?? 0 : 0 }
    var maximumReceiveRate: Int64 { hasRates ? request.options.maximumReceiveRate.map { Int64(max(1, $0)) } ?? 0 : 0 }

    /// The field that asks for the codings that can be decoded, for all requests and for streams, see `WindowBudget`.
    private static let acceptEncoding = FieldList("Accept-Encoding", ContentCoding.allSupported)
    private static let acceptEncodingOfStreams = FieldList("Accept-Encoding", ContentCoding.smallSupported)

    func writeHead(to output: OutputBuffer) {
        let framing: String? =
            switch request.kind {
            case .withoutContent, .head: nil
            case .withContent(let data): "Content-Length: \(data.count)"
            case .withStream(let body): body.length.map { "Content-Length: \($0)" } ?? "Transfer-Encoding: chunked"
            }
        let codings = request.delivery == .streamed ? Self.acceptEncodingOfStreams : Self.acceptEncoding
        RequestWriter.write(
            to: output,
            method: request.method,
            url: request.target.url,
            fields: fields,
            hasHost: request.hasHost,
            hasAccept: request.hasAccept,
            framing: framing,
            extra: isTunnelRequest ? upgradeFields : request.decodesContent ? codings : FieldList(),
            isForProxy: isForProxy
        )
    }

    func writeFields(to block: FieldBlock) {
        let length: Int64? =
            switch request.kind {
            case .withoutContent, .head: nil
            case .withContent(let data): Int64(data.count)
            case .withStream(let body): body.length
            }
        let codings = request.delivery == .streamed ? Self.acceptEncodingOfStreams : Self.acceptEncoding
        HTTP2RequestWriter.write(
            to: block,
            method: request.method,
            url: request.target.url,
            fields: fields,
            hasHost: request.hasHost,
            hasAccept: request.hasAccept,
            length: length,
            extra: request.decodesContent && !isTunnelRequest ? codings : FieldList(),
            tunnel: tunnel?.protocolName
        )
    }

    var isContentComplete: Bool { content.isComplete }

    func readContent(into buffer: UnsafeMutableRawBufferPointer) -> ContentPiece {
        guard !isTunnelRequest else { return readTunnel(into: buffer) }
        timeline.activity(now: now)
        guard !content.isComplete else { return .end }
        switch content.read(into: buffer) {
        case .bytes(let count):
            guard count > 0 else { return .end }
            if maximumSendRate > 0 { timeline.moved(count, rate: maximumSendRate, now: now) }
            if let observed { observed.report(.bodySent(count)) }
            return .bytes(count)
        case .pause: return .pause
        case .end: return .end
        case .abort: return .abort
        }
    }

    var contentTrailers: [String] { content.trailers }

    func sent(_ count: Int, isWhole: Bool) {
        bytesSent = count
        guard !isTunnelOpen else { return }
        if content.bytesRead > 0 {
            timeline.contentMoved(now: now)
            streams?.reporter?.didSend(Int64(content.bytesRead))
        } else {
            timeline.activity(now: now)
        }
        // The head is the whole request for a tunnel.
        let isWhole = isWhole || isTunnelRequest
        if isWhole { timeline.sent(now: now) }
        engine?.deadlineMayHaveChanged(self)
        guard isWhole else { return }
        guard let observed, !isSentReported else { return }
        isSentReported = true
        observed.report(.requestSent)
    }

    func setPaused(_ isPaused: Bool) {
        guard !isTunnelOpen else { return }
        timeline.setPaused(isPaused, now: now)
        engine?.deadlineMayHaveChanged(self)
    }
}
#endif
