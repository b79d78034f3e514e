#if os(Linux)
import CurlShim

/// One exchange on its event loop.
///
/// Before a byte of it counts as sent, it may begin anew: it is then as it was when its loop got it, and keeps its place
/// among the connections.
///
///     queued ── begin ──▶ with libcurl ── done, or a limit, or cancelled ──▶ finished
///                             │   ▲
///                             └───┘ restart
///
/// The caller makes it and hands it to its loop; from then on it is touched on the loop's thread only.
final class CurlExchange: DeadlineHeapItem {
    let ticket: ExchangeTicket
    let request: PreparedRequest
    let streams: ExchangeStreams?
    /// Who waits for the outcome; `nil` once told.
    private var continuation: ExchangeContinuation?
    private let createdAt: Int64

    var timeline: ExchangeTimeline
    /// The engine's handle while the exchange has one.
    var handle: CurlHandle?
    /// What went wrong, where that is known better than from the engine's code.
    var failure: TransportError.Code?
    /// Whether the server changed the protocol, which nobody asked for.
    private(set) var hasSwitchedProtocols = false
    /// What the body that is sent failed with.
    var failureCause: (any Error)?
    /// Whether HTTP/2 was offered, so that the answer tells what the origin speaks.
    var offersHTTP2 = false
    /// The connection it is sent on, while that is known.
    var connection: ConnectionTable.Claim?
    /// Why it has to begin anew, once libcurl has given it up.
    var restart: Restart?
    /// How often it began anew.
    private(set) var restarts: UInt8 = 0
    /// How often it began anew because the connection broke that it shared.
    private(set) var brokenConnections: UInt8 = 0
    /// The connection's HTTP/2 side, if it is one that libcurl tells of.
    var http2: HTTP2Connection?
    /// The exchange's stream on it, once that matters and is known.
    var stream: Int?
    /// What its connection is traced for, by its wish.
    private var traced: HTTP2Connection.Trace?
    /// Whether it is sent over TLS and HTTP/1.1.
    var isOnTLS = false
    /// Whether it shares a connection that was open before.
    var isOnSharedConnection = false
    /// Whether the server closed TLS properly.
    var hasCloseNotify = false
    /// Whether the server cut the stream off.
    var isCutOff = false
    /// Whether the server has certainly not processed what was sent last.
    private(set) var isRefused = false
    /// Whether it must not be sent on a connection that is open.
    private(set) var needsFreshConnection = false
    /// Whether its server speaks nothing but HTTP/2, although it has a connection to itself.
    var needsHTTP2 = false
    /// Whether it waits for no "100 Continue", although its caller says so: it came, or will not come.
    private(set) var waitsForNothing = false
    /// Whether libcurl has stopped reading, although there is more to be sent.
    var hasStoppedReading = false
    /// Which directions the caller holds up, as libcurl's mask.
    var pauseMask: Int32 = 0
    /// Whether the caller holds up what is received.
    var isReceivingPaused: Bool { pauseMask & Int32(PP_CURLPAUSE_RECV) != 0 }
    /// Whether libcurl hands out what it kept during a pause: all of it is taken, because it would copy the rest anew each
    /// time, which of decompressed bytes can be megabytes.
    var isGettingWhatWasKept = false
    /// Whether bytes were passed on that the reader may not have been woken for.
    var needsFlush = false

    var dueAt: Int64 = 0
    var heapIndex: Int?

    private(set) var collector: HeadCollector
    private(set) var body: Data?
    private(set) var bytesReceived = 0
    private var gatherer = BodyGatherer()
    private var decoding = BodyDecoding.undecided
    /// What is sent.
    private(set) var content: RequestContent

    /// Creates an exchange, on the caller's thread.
    ///
    /// - Parameters:
    ///   - ticket: What stands for it elsewhere.
    ///   - request: What is sent.
    ///   - streams: What a transfer needs beside; `nil` for most exchanges.
    init(ticket: ExchangeTicket, request: PreparedRequest, streams: ExchangeStreams?) {
        self.ticket = ticket
        self.request = request
        self.streams = streams
        let now = CurlMulti.clock()
        createdAt = now
        let options = request.options
        let remaining =
            request.deadline.map { ContinuousClock.now.duration(to: $0).clampedNanoseconds }
            ?? options.timeouts.total?.clampedNanoseconds
        timeline = ExchangeTimeline(
            timeouts: ExchangeTimeline.Limits(options.timeouts),
            now: now,
            totalDeadline: remaining.map { now.addingReportingOverflow($0).overflow ? .max : now + $0 }
        )
        collector = HeadCollector(limit: options.maximumHead)
        content = RequestContent(request.kind, wake: streams?.wakeSending)
    }

    /// Notes who waits for the outcome, before the exchange is handed to its loop.
    func setContinuation(_ continuation: ExchangeContinuation) {
        self.continuation = continuation
    }

    /// The newest head, complete or not.
    var head: [UInt8] { collector.bytes }
    /// Whether a head is complete, an informational one too.
    var isHeadComplete: Bool { collector.isComplete }
    /// The status code of the newest complete head; 0 before there is one.
    var statusCode: Int { collector.statusCode }

    /// What it needs to know of its HTTP/2 connection beyond what libcurl tells, from the beginning; `nil` for most.
    var neededTrace: HTTP2Connection.Trace? {
        switch request.kind {
        // The server may end the stream before the request has ended.
        case .withStream: return .frames
        case .withContent(let body) where body.count > CurlHandle.copiedBodyLimit: return .frames
        // What must not be sent twice is sent again if the server left it alone.
        case .withContent, .withoutContent, .head: return request.isIdempotent ? nil : .refusals
        }
    }

    /// Has its connection traced, until the exchange knows what it needs or leaves the connection.
    func trace(_ trace: HTTP2Connection.Trace) {
        guard let http2, traced != trace else { return }
        endTrace()
        traced = trace
        http2.begin(trace)
    }

    /// Ends what ``trace(_:)`` began.
    func endTrace() {
        if let traced = traced.take() { http2?.end(traced) }
    }

    /// Whether its connection is traced for the sake of it, to know whether the server leaves the request alone.
    var awaitsRefusal: Bool { traced == .refusals }

    /// Leaves its HTTP/2 connection.
    func leaveHTTP2(_ handle: CurlHandle?) {
        endTrace()
        if let handle, let http2 { http2.remove(handle) }
        http2 = nil
        stream = nil
    }

    /// Notes that the server has not processed what was sent (RFC 9113 §8.7).
    func noteRefusal() { isRefused = true }

    /// How long it waited for a connection, in nanoseconds.
    var queuedTime: Int64 { (timeline.leftQueueAt ?? createdAt) - createdAt }

    /// Tells the caller how it ended.
    ///
    /// The event loop calls this once, after it has let go of the exchange.
    func finish(_ outcome: ExchangeOutcome) {
        content.close()
        flush()
        if let continuation = continuation.take() { return continuation.resume(returning: outcome) }
        switch outcome {
        case .response, .head: streams?.inbound?.finish(nil)
        case .failure(let failure): streams?.inbound?.finish(failure)
        case .cancelled: streams?.inbound?.finish(CancellationError())
        }
    }

    /// Tells the caller that the head is there, where it wants to know.
    private func deliverHead() {
        guard let streams else { return }
        guard streams.inbound != nil else {
            if reportsBody { streams.reporter?.willReceive(expectedLength) }
            return
        }
        let metrics = CurlOutcome.metrics(of: self)
        continuation.take()?.resume(
            returning: .head(
                statusCode: statusCode,
                RawHead(bytes: head),
                expectedLength: expectedLength,
                metrics: metrics
            )
        )
    }

    // MARK: What arrives

    /// Takes one line of a head, or of the trailers.
    ///
    /// - Returns: Whether to go on; if not, ``failure`` says why.
    func receiveHeadLine(_ line: UnsafeRawBufferPointer, now: Int64) -> Bool {
        timeline.activity(now: now)
        do throws(HeadCollector.Failure) {
            switch try collector.append(line) {
            case .informational where request.expectsContinue && statusCode == 100: waitsForNothing = true
            case .final:
                timeline.head(now: now)
                guard !isExpectationRefused else {
                    // libcurl would send it again as it was, again and again.
                    restart = .withoutExpectation
                    return false
                }
                deliverHead()
            default: break
            }
            return true
        } catch {
            failure = error == .tooLarge ? .headTooLarge : .malformedHead
            hasSwitchedProtocols = error == .switchedProtocols
            return false
        }
    }

    enum ReceiveResult {
        case proceed
        /// Not taken; the engine keeps the bytes until the exchange is resumed.
        case pause
        /// The exchange ends; ``CurlExchange/failure`` says why.
        case stop
    }

    /// Takes a piece of the body.
    func receiveBody(_ bytes: UnsafeRawBufferPointer, now: Int64) -> ReceiveResult {
        timeline.activity(now: now)
        // Where libcurl saw the end of a head that is none, a reader who waits for the head would never take a byte.
        guard isHeadComplete, statusCode >= 200 else {
            failure = .malformedHead
            return .stop
        }
        do throws(ContentDecodingError) {
            if case .undecided = decoding {
                decoding =
                    collector.mayHaveContentEncoding
                    ? try BodyDecoding(head: RawHead(bytes: head), of: request) : .none
            }
            let result = try decoding.decode(bytes) { deliver($0) }
            if result == .pause { pause(PP_CURLPAUSE_RECV, now: now) }
            return result
        } catch {
            failure = error.code
            return .stop
        }
    }

    /// Takes a piece of the body as its content coding has it.
    private func deliver(_ bytes: UnsafeRawBufferPointer) -> ReceiveResult {
        if let inbound = streams?.inbound {
            // What was decoded in part can't be taken back, but asks for room again soon.
            switch gatherer.gather(bytes, for: inbound, takesMore: isGettingWhatWasKept && !decoding.isDecoding) {
            case .ready: bytesReceived += bytes.count
            case .closed: return .stop
            case .pause: return .pause
            }
            return .proceed
        }
        guard collect(bytes) else { return .stop }
        bytesReceived += bytes.count
        if reportsBody { streams?.reporter?.didReceive(Int64(bytesReceived)) }
        return .proceed
    }

    /// What is wrong with a body that came to its end; `nil` if nothing is.
    ///
    /// A connection that ends says nothing about what the body's coding still had to say.
    var bodyFault: TransportError.Code? {
        decoding.isComplete && (hasCloseNotify || !needsCloseNotify) ? nil : .truncatedBody
    }

    /// Passes on what was gathered of a streamed body.
    func flush() {
        guard let inbound = streams?.inbound else { return }
        gatherer.flush(to: inbound)
    }

    /// Whether the body is what the caller waits for; that of a redirect is not.
    private var reportsBody: Bool { !(300..<400).contains(statusCode) }

    private func collect(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let limit = request.options.maximumBufferedBody
        let count = body?.count ?? 0
        guard bytes.count <= limit - count else {
            failure = .bodyTooLarge
            return false
        }
        if body == nil {
            guard let contentLength = collector.contentLength, contentLength > bytes.count else {
                body = Data(bytes)
                return true
            }
            body = Data(capacity: min(contentLength, limit, 1 << 20))
        }
        body?.append(contentsOf: bytes)
        return true
    }

    // MARK: What is sent

    /// Copies the next piece of the request's body.
    ///
    /// - Returns: How many bytes were copied; 0 at the end, otherwise one of libcurl's numbers.
    func provideBody(into buffer: UnsafeMutableRawBufferPointer, now: Int64) -> Int {
        timeline.activity(now: now)
        // libcurl asks for more when it has sent what it got before.
        streams?.reporter?.didSend(Int64(content.bytesRead))
        let piece = content.read(into: buffer)
        if content.isComplete {
            // libcurl does not ask again where it knows the length.
            timeline.sent(now: now)
            streams?.reporter?.didSend(Int64(content.bytesRead))
        }
        switch piece {
        case .bytes(let count): return count
        case .end: return 0
        case .pause:
            pause(PP_CURLPAUSE_SEND, now: now)
            return Int(PP_CURL_READFUNC_PAUSE)
        case .abort:
            failureCause = content.error
            return Int(PP_CURL_READFUNC_ABORT)
        }
    }

    /// Notes that the engine will stop moving bytes in a direction until it is told to go on.
    private func pause(_ direction: Int, now: Int64) {
        pauseMask |= Int32(direction)
        timeline.setPaused(true, now: now)
    }

    /// Goes back to a place in the request's body, because the engine has to send it again.
    ///
    /// - Returns: Whether there is such a place.
    func rewindBody(to offset: Int) -> Bool {
        if content.rewind(to: offset) { return true }
        guard !content.isRepeatable else { return false }
        // Whoever has another body of the kind may send it, if the server has not processed this one.
        if isRefused { failure = .http2 } else { failureCause = TransferError(.bodyNotRepeatable) }
        return false
    }

    // MARK: Attempts

    /// Gets ready to begin anew.
    func prepare(for restart: Restart, now: Int64) {
        self.restart = nil
        // Nobody waits for a producer, or for a head, before it is sent again. Its body begins anew then.
        content.close()
        pauseMask = 0
        timeline.beginAnew(now: now)
        // An idempotent request may have been sent before, and processed then.
        if restart == .withoutExpectation { timeline.forgetStart(all: !request.isIdempotent) }
        restarts += 1
        failure = nil
        failureCause = nil
        switch restart {
        case .onFreshConnection: needsFreshConnection = true
        case .afterBreak:
            needsFreshConnection = true
            brokenConnections += 1
        case .withHTTP2: needsHTTP2 = true
        case .withoutExpectation: waitsForNothing = true
        case .again: break
        }
    }

    /// Begins an attempt, and forgets what one on a dead connection left behind.
    ///
    /// - Returns: Whether the body can be sent.
    func begin(now: Int64) -> Bool {
        guard rewindBody(to: 0) else { return false }
        isRefused = false
        isCutOff = false
        hasCloseNotify = false
        hasStoppedReading = false
        bytesReceived = 0
        // libcurl begins without pauses too.
        pauseMask = 0
        timeline.setPaused(false, now: now)
        collector.reset()
        decoding = .undecided
        body = nil
        streams?.reporter?.willSend(request.kind.length)
        return true
    }
}
#endif
