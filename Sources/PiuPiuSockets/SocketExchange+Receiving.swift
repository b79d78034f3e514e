#if os(Linux)
import PiuPiuEngine

// The response of an exchange.
extension SocketExchange {
    /// The maximum number of bytes to read from an unwanted body.
    private static let unwantedLimit = 64 * 1024
    /// The maximum time to wait for the rest of an unwanted body, in nanoseconds.
    private static let unwantedTime: Int64 = 250_000_000

    func received(_ count: Int, isProgress: Bool) {
        bytesOnWire += count
        guard !isTunnelOpen else { return }
        if count > 0, times.firstByte == 0 { times.firstByte = now }
        guard isProgress else { return }
        timeline.activity(now: now)
        if maximumReceiveRate > 0, head != nil { timeline.moved(count, rate: maximumReceiveRate, now: now) }
    }

    func informationalArrived(_ head: HeadCollector) {
        observed?.report(.informational(StatusCode(rawValue: head.statusCode)))
    }

    func headArrived(_ head: HeadCollector) -> Bool {
        self.head = head
        statusCode = head.statusCode
        timeline.head(now: now)
        engine?.deadlineMayHaveChanged(self)
        guard !isExpectationRefused else {
            engine?.restart(self, isUnprocessed: true) { $0.expectsContinue = false }
            return false
        }
        guard !isRefusedByProxy else {
            engine?.finish(self, .failure(failureOfRefusedRequest))
            return false
        }
        if isTunnelGranted { return openTunnel(head) }
        observed?.headArrived(StatusCode(rawValue: statusCode), RawHead(bytes: head.bytes))
        deliverHead(head)
        return judgeBody(head)
    }

    /// Whether the server refused the expectation of "100 Continue" (RFC 9110 §15.5.18) before it had any content.
    private var isExpectationRefused: Bool {
        statusCode == 417 && continuePatience != nil && content.bytesRead == 0 && content.isRepeatable
    }

    /// Decides from the head whether the body is wanted, and returns whether to read on.
    ///
    /// The body of a redirect that is followed is unwanted. It is read while that costs less than a new connection. Errors in
    /// it don't matter.
    private func judgeBody(_ head: HeadCollector) -> Bool {
        guard request.request.followsRedirects, streams?.inbound == nil,
            RedirectPolicy.statusCodes.contains(statusCode),
            RawHead(bytes: head.bytes).firstValue(of: "Location")?.isEmpty == false
        else { return true }
        isBodyUnwanted = true
        timeline.drain(for: Self.unwantedTime, now: now)
        engine?.deadlineMayHaveChanged(self)
        if case .head = request.kind { return true }
        guard head.hasTransferEncoding || head.contentLength ?? 0 <= Self.unwantedLimit else {
            engine?.finish(self, responseOutcome)
            return false
        }
        return true
    }

    /// Discards a piece of the unwanted body.
    private func discard(_ bytes: UnsafeRawBufferPointer) -> ReceiveResult {
        unwantedCount += bytes.count
        guard unwantedCount <= Self.unwantedLimit else {
            body.removeAll()
            engine?.finish(self, responseOutcome)
            return .stop
        }
        guard head?.mayHaveContentEncoding != true else { return .proceed }
        body.append(bytes, of: nil)
        observed?.bodyReceived(bytes, isDecoded: false)
        return .proceed
    }

    func bodyArrived(_ bytes: UnsafeRawBufferPointer) -> ReceiveResult {
        guard !isTunnelOpen else { return tunnelArrived(bytes) }
        guard !isBodyUnwanted else { return discard(bytes) }
        do throws(ContentDecodingError) {
            if case .undecided = decoding { try chooseDecoding() }
            let result = try decoding.decode(bytes) { deliver($0) }
            if result == .proceed, streams?.inbound != nil { engine?.needsFlush(self) }
            return result
        } catch {
            engine?.finish(self, .failure(completed(error.failure)))
            return .stop
        }
    }

    func roomForBody() -> BodyRoom {
        guard let inbound = streams?.inbound, !isBodyUnwanted, !isTunnelOpen else { return .connection }
        if case .undecided = decoding, head?.mayHaveContentEncoding != true { decoding = .none }
        guard case .none = decoding else { return .connection }
        switch gatherer.room(for: inbound) {
        case .ready(let room): return .exchange(room)
        case .closed:
            readerIsGone()
            return .stop
        case .pause:
            engine?.needsFlush(self)
            return .pause
        }
    }

    func bodyStored(_ bytes: UnsafeRawBufferPointer) {
        guard let inbound = streams?.inbound else { return }
        if !bytes.isEmpty {
            took(bytes)
            engine?.needsFlush(self)
        }
        gatherer.stored(bytes.count, for: inbound)
    }

    private func readerIsGone() {
        isAbandoned = true
        engine?.finish(self, .cancelled)
    }

    private func chooseDecoding() throws(ContentDecodingError) {
        guard let head, head.mayHaveContentEncoding else { return decoding = .none }
        decoding = try BodyDecoding(head: RawHead(bytes: head.bytes), of: request)
    }

    /// Delivers a decoded piece of the body.
    private func deliver(_ bytes: UnsafeRawBufferPointer) -> ReceiveResult {
        if let inbound = streams?.inbound {
            switch gatherer.gather(bytes, for: inbound) {
            case .ready: took(bytes)
            case .closed:
                readerIsGone()
                return .stop
            case .pause:
                engine?.needsFlush(self)
                return .pause
            }
            return .proceed
        }
        guard bytes.count <= request.options.maximumBufferedBody - body.count else {
            engine?.fail(self, .bodyTooLarge)
            return .stop
        }
        body.append(bytes, of: head?.contentLength)
        took(bytes)
        if reportsBody { streams?.reporter?.didReceive(Int64(bytesReceived)) }
        return .proceed
    }

    private func took(_ bytes: UnsafeRawBufferPointer) {
        bytesReceived += bytes.count
        observed?.bodyReceived(bytes, isDecoded: decoding.isDecoding)
    }

    // MARK: The end

    func answeredEarly() {
        isAnsweredEarly = true
        timeline.answered(now: now)
        engine?.deadlineMayHaveChanged(self)
    }

    func ended(_ head: HeadCollector, hasBegun: Bool, _ failure: HTTPFailure?) {
        engine?.ended(self, head, hasBegun: hasBegun, failure)
    }

    /// The response in its current state.
    var responseOutcome: ExchangeOutcome {
        .response(
            statusCode: statusCode,
            head: RawHead(bytes: head?.bytes ?? []),
            body: body.take(),
            metrics: metrics,
            extras: extras
        )
    }
}
#endif
