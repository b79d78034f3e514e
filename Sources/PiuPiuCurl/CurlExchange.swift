#if os(Linux)
import CurlShim
import PiuPiuAsync
import PiuPiuEngine

/// One exchange on its event loop.
///
/// Until any of its bytes counts as sent, an exchange can restart: it returns to its initial state and keeps its place
/// among the connections.
///
///     queued ── begin ──▶ with libcurl ── done, or a limit, or cancelled ──▶ finished
///                             │   ▲
///                             └───┘ restart
///
/// The caller creates the exchange and passes it to its loop; after that, only the loop's thread uses it.
final class CurlExchange: DeadlineHeapItem {
    let ticket: ExchangeTicket
    let request: PreparedRequest
    let streams: ExchangeStreams?
    /// The properties that the exchange's connection depends on.
    let profile: ConnectionProfile
    /// Reports the exchange to observers; `nil` if there are none.
    let observed: ExchangeReporter?
    /// Keeps the observers for ``observed``.
    let observers: ObserverList?
    /// Whether observers know that the whole request was passed on.
    var isSentReported = false
    /// The continuation to resume with the outcome; `nil` after it was resumed.
    private var continuation: ExchangeContinuation?
    private let createdAt: Int64

    var timeline: ExchangeTimeline
    /// The engine's handle while the exchange has one.
    var handle: CurlHandle?
    /// The failure, if it is known more precisely than libcurl's code says.
    var failure: TransportError.Code?
    /// Why the body could not be decoded; ``failure`` has the matching code.
    private(set) var decodingFailure: ContentDecodingError?
    private var isAddressForbidden = false
    /// Whether the server switched protocols without being asked.
    private(set) var hasSwitchedProtocols = false
    /// Whether HTTP/2 or HTTP/3 was offered, so the response reveals which versions the origin speaks.
    var offersHTTP2 = false
    /// The error of the request's body.
    var failureCause: (any Error)?
    /// Why the engine refused to send the exchange, or to open a connection; `nil` if it did not.
    private(set) var refusalReason: String?
    /// The connection the exchange uses, while it is known.
    var connection: ConnectionTable.Claim?
    /// Why the exchange must restart, once libcurl has given it up.
    var restart: Restart?
    /// The number of restarts.
    private(set) var restarts: UInt8 = 0
    /// The HTTP/2 state of the connection, if libcurl reports it.
    var http2: CurlHTTP2Connection?
    /// The exchange's HTTP/2 stream, once it matters and is known.
    var stream: Int?
    /// The trace that the exchange requested on its connection.
    var traced: CurlHTTP2Connection.Trace?
    /// Whether the exchange asks for HTTP/3 because its origin advertised it.
    var alternative = HTTP3Alternatives.Use.none
    /// Whether the exchange uses HTTP/3.
    var isOnHTTP3 = false
    /// Whether the exchange uses HTTP/1.1 over TLS.
    var isOnTLS = false
    /// Whether the exchange shares a connection that was already open.
    var isOnSharedConnection = false
    /// Whether the reader of the body is gone.
    private(set) var isAbandoned = false
    /// Whether the body is unwanted, and how many bytes of it arrived.
    var isBodyUnwanted = false
    var unwantedCount: UInt32 = 0
    /// Whether the server closed TLS properly.
    var hasCloseNotify = false
    /// Whether the server cut off the stream.
    var isCutOff = false
    /// Whether the server has certainly not processed the last attempt.
    private(set) var isRefused = false
    /// Whether the server went away before the last attempt.
    private(set) var isLeftAlone = false
    /// Whether the call's restarts include the next one.
    var isRepetitionCounted = false
    /// Whether the exchange needs a new connection.
    private(set) var needsFreshConnection = false
    /// Whether the server requires HTTP/2, although the exchange is exclusive.
    var needsHTTP2 = false
    /// Whether the exchange asks for "100 Continue": as the request does, until it arrives or the server refuses it.
    private(set) var expectsContinue: Bool
    /// Whether libcurl has stopped reading while there is more to send.
    var hasStoppedReading = false
    /// The paused directions, as libcurl's mask.
    var pauseMask: Int32 = 0
    /// Whether libcurl is delivering bytes that it kept during a pause.
    ///
    /// The exchange accepts all of them; otherwise libcurl would copy the rest again each time, which can be megabytes of
    /// decompressed bytes.
    var takesPausedBytes = false
    /// Whether bytes were passed on for which the reader may not have been woken.
    var needsFlush = false

    var dueAt: Int64 = 0
    var heapIndex: Int?

    /// Whether the newest head is complete, including an informational one.
    private(set) var isHeadComplete = false
    /// The status code of the newest complete head; 0 before there is one.
    private(set) var statusCode = 0
    private(set) var collector: HeadCollector
    var body = BodyBuffer()
    private(set) var bytesReceived = 0
    private var gatherer = BodyGatherer()
    private var decoding = BodyDecoding.undecided
    /// The content of the request.
    var content: RequestContent

    /// Creates an exchange on the caller's thread.
    ///
    /// - Parameters:
    ///   - ticket: The ticket that identifies the exchange elsewhere.
    ///   - request: The request to send.
    ///   - profile: The properties of its connection.
    ///   - streams: The body streams and the progress reporter; `nil` for most exchanges.
    init(ticket: ExchangeTicket, request: PreparedRequest, profile: ConnectionProfile, streams: ExchangeStreams?) {
        self.ticket = ticket
        self.request = request
        self.streams = streams
        self.profile = profile
        if let (reporter, observers) = request.request.observation?.exchange?.driven(for: request.request) {
            observed = reporter
            self.observers = observers
        } else {
            observed = nil
            observers = nil
        }
        let now = Reactor.clock()
        createdAt = now
        timeline = ExchangeTimeline(of: request, now: now)
        collector = HeadCollector(limit: request.options.maximumHead)
        expectsContinue = request.expectsContinue
        content = RequestContent(request.kind, wake: streams?.wakeSending)
    }

    /// Sets the continuation to resume, before the exchange is passed to its loop.
    func setContinuation(_ continuation: ExchangeContinuation) {
        self.continuation = continuation
    }

    /// Records that the server refused the request without processing it (RFC 9113 §8.7), or went away before it
    /// (`isLeftAlone`).
    func noteRefusal(isLeftAlone: Bool = false) {
        isRefused = true
        self.isLeftAlone = isLeftAlone
    }

    /// Why the request guard forbade an address of the host; `nil` if it forbade none.
    ///
    /// It is the reason of a failure only if no other address could be used.
    var forbiddenAddress: String? {
        get { isAddressForbidden ? refusalReason : nil }
        set {
            isAddressForbidden = newValue != nil
            refusalReason = newValue
        }
    }

    /// Records that the engine does not send the exchange, because it cannot do so as configured.
    func refuse(_ reason: String) {
        failure = .unsupported
        refusalReason = reason
    }

    /// The time spent waiting for a connection, in nanoseconds.
    var queuedTime: Int64 { (timeline.leftQueueAt ?? createdAt) - createdAt }

    /// Delivers the outcome to the caller.
    ///
    /// The event loop calls this once, after it removes the exchange.
    func finish(_ outcome: ExchangeOutcome) {
        content.close()
        flush()
        if let observed { outcome.end(observed, of: request.request, isAbandoned: isAbandoned) }
        if let continuation = continuation.take() { return continuation.resume(returning: outcome) }
        outcome.end(streams?.inbound)
    }

    /// Delivers the head to the caller if it asked for it.
    private func deliverHead() {
        guard let streams else { return }
        guard streams.inbound != nil else {
            if reportsBody { streams.reporter?.willReceive(collector.expectedLength(of: request)) }
            return
        }
        let metrics = CurlOutcome.metrics(of: self)
        continuation.take()?.resume(
            returning: .head(
                statusCode: statusCode,
                RawHead(bytes: head),
                expectedLength: collector.expectedLength(of: request),
                metrics: metrics,
                extras: collector.extras
            )
        )
    }

    // MARK: Receiving

    /// Receives one line of a head or of the trailers, and returns whether to continue; if not, ``failure`` explains why.
    func receiveHeadLine(_ line: UnsafeRawBufferPointer, now: Int64) -> Bool {
        timeline.activity(now: now)
        do throws(HeadCollector.Failure) {
            switch try collector.append(line) {
            case .line: isHeadComplete = false
            case .trailer: break
            case .informational:
                headIsComplete()
                observed?.report(.informational(StatusCode(rawValue: statusCode)))
                if statusCode == 100 { expectsContinue = false }
            case .final:
                headIsComplete()
                timeline.head(now: now)
                noteAlternatives(now: now)
                guard !isExpectationRefused else {
                    // libcurl would repeatedly resend it unchanged.
                    restart = .withoutExpectation
                    return false
                }
                guard !isRefusedByProxy else {
                    failure = .proxy
                    return false
                }
                observed?.headArrived(StatusCode(rawValue: statusCode), RawHead(bytes: head))
                deliverHead()
                return judgeBody(now: now)
            }
            return true
        } catch {
            failure = error == .tooLarge ? .headTooLarge : .malformedHead
            hasSwitchedProtocols = error == .switchedProtocols
            return false
        }
    }

    private func headIsComplete() {
        isHeadComplete = true
        statusCode = collector.statusCode
    }

    /// Receives a piece of the body.
    func receiveBody(_ bytes: UnsafeRawBufferPointer, now: Int64) -> ReceiveResult {
        timeline.activity(now: now)
        // If libcurl mistakes other bytes for a complete head, a reader waiting for the head would never read a byte.
        guard isHeadComplete, statusCode >= 200 else {
            failure = .malformedHead
            return .stop
        }
        guard !isBodyUnwanted else { return discard(bytes) }
        do throws(ContentDecodingError) {
            if case .undecided = decoding {
                decoding =
                    collector.mayHaveContentEncoding
                    ? try BodyDecoding(head: RawHead(bytes: head), of: request) : .none
            }
            let result = try decoding.decode(bytes) { deliver($0) }
            if result == .pause { pause(PP_CURLPAUSE_RECV, now: now) } else { received(bytes.count, now: now) }
            return result
        } catch {
            failure = error.code
            decodingFailure = error
            return .stop
        }
    }

    /// Delivers a decoded piece of the body.
    private func deliver(_ bytes: UnsafeRawBufferPointer) -> ReceiveResult {
        if let inbound = streams?.inbound {
            // Partly decoded bytes can't be taken back, so decoding checks for room again soon.
            switch gatherer.gather(bytes, for: inbound, takesMore: takesPausedBytes && !decoding.isDecoding) {
            case .ready: received(piece: bytes)
            case .closed:
                isAbandoned = true
                return .stop
            case .pause: return .pause
            }
            return .proceed
        }
        guard collect(bytes) else { return .stop }
        received(piece: bytes)
        if reportsBody { streams?.reporter?.didReceive(Int64(bytesReceived)) }
        return .proceed
    }

    private func received(piece bytes: UnsafeRawBufferPointer) {
        bytesReceived += bytes.count
        observed?.bodyReceived(bytes, isDecoded: decoding.isDecoding)
    }

    /// The fault of a body that ended; `nil` if it has none.
    ///
    /// A connection that closes doesn't say whether the content coding was complete. libcurl ignores a length that it cannot
    /// count, and treats the end of the connection as the end of the body.
    func findBodyFault() -> TransportError.Code? {
        if collector.contentLength == .max, !collector.hasTransferEncoding, !isResponseComplete {
            return .truncatedBody
        }
        if !decoding.isComplete { decodingFailure = .truncated }
        return decoding.isComplete && (hasCloseNotify || !needsCloseNotify) ? nil : .truncatedBody
    }

    /// Passes the gathered bytes of a streamed body to the reader.
    func flush() {
        guard let inbound = streams?.inbound else { return }
        gatherer.flush(to: inbound)
    }

    private func collect(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= request.options.maximumBufferedBody - body.count else {
            failure = .bodyTooLarge
            return false
        }
        body.append(bytes, of: collector.contentLength)
        return true
    }

    // MARK: Attempts

    /// Prepares the exchange for a restart.
    func prepare(for restart: Restart, now: Int64) {
        self.restart = nil
        // Until the exchange is sent again, nothing waits for a producer or a head. Its body then starts over.
        content.close()
        pauseMask = 0
        timeline.beginAnew(now: now)
        // An idempotent request may have been sent, and processed, earlier.
        if restart == .withoutExpectation { timeline.forgetStart(all: !request.isIdempotent) }
        restarts += 1
        failure = nil
        decodingFailure = nil
        failureCause = nil
        forbiddenAddress = nil
        switch restart {
        case .onFreshConnection, .afterBreak: needsFreshConnection = true
        case .withHTTP2: needsHTTP2 = true
        case .withoutExpectation: expectsContinue = false
        case .again: break
        }
    }

    /// Begins an attempt, discards the state of an earlier one on a dead connection, and returns whether the body can be sent.
    func begin(now: Int64) -> Bool {
        guard rewindBody(to: 0) else { return false }
        isRefused = false
        isLeftAlone = false
        isRepetitionCounted = false
        isBodyUnwanted = false
        unwantedCount = 0
        isCutOff = false
        hasCloseNotify = false
        hasStoppedReading = false
        isSentReported = false
        bytesReceived = 0
        // libcurl also starts without pauses.
        pauseMask = 0
        timeline.setPaused(false, now: now)
        collector.reset()
        isHeadComplete = false
        statusCode = 0
        decoding = .undecided
        body.removeAll()
        streams?.reporter?.willSend(request.kind.length)
        return true
    }
}
#endif
