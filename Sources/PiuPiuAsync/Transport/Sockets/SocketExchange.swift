#if os(Linux)
import PiuPiuEngine

/// One exchange of a ``SocketTransport``, on its event loop.
///
/// | State | Event | Then |
/// |---|---|---|
/// | `waiting` | admitted, a connection is idle | `busy` |
/// | `waiting` | admitted, none is idle | `preparing`, `opening` |
/// | `preparing` | the addresses and the settings of TLS are there | `opening` |
/// | `opening` | the connection is open, and checked | `busy` |
/// | `busy` | the connection ended before an answer, and the request may be repeated | `waiting`, with a new connection |
/// | `busy` | the server has not processed it | `waiting`, or `pausing` and then `waiting` |
/// | any | the response, a failure, a time limit, or the caller gives up | `finished`, once |
///
/// In every state but `finished`, giving it up closes what it has at once: its place in the queue, the sockets that are being
/// opened, or the connection. The caller creates the exchange and passes it to its loop; after that, only the loop's thread
/// uses it.
final class SocketExchange: DeadlineHeapItem {
    enum State {
        case waiting
        /// A name is looked up, or settings of TLS are read, on another thread.
        case preparing(SocketPreparation.Subject)
        case opening(ConnectionOpener)
        case busy(SocketConnection)
        /// It is sent again after a while.
        case pausing(LoopTimer)
        case finished

        /// Whether it has no connection yet, and may still get one.
        var isOpen: Bool {
            switch self {
            case .waiting, .preparing, .opening: true
            case .busy, .pausing, .finished: false
            }
        }
    }

    /// What an exchange has, or waits for, besides its state: see `SocketEngine+Sharing.swift`.
    enum Admission {
        /// Nothing: it shares a connection, or has just begun.
        case none
        /// A place in the gate's queue.
        case gate
        /// A place among those that wait for a shared connection.
        case stream
        /// A place among the connections to its host.
        case permit
    }

    let ticket: ExchangeTicket
    let request: PreparedRequest
    let streams: ExchangeStreams?
    /// What the exchange's connection depends on.
    let profile: SocketProfile
    /// What it has in common with exchanges that can use the same connection.
    private(set) var key: SocketConnection.Key
    /// Whether it may share a connection with others, if the server speaks HTTP/2.
    private(set) var mayShare: Bool
    /// Whether HTTP/2 is spoken without being agreed on.
    let speaksHTTP2AtOnce: Bool
    var stream: HTTP2Stream?
    /// What observers are told of the exchange; `nil` if there are none.
    let observed: ExchangeReporter?
    /// Keeps the observers for ``observed``.
    let observers: ObserverList?
    // Exclusive access is checked in debug builds only, here and below: only the loop's thread uses these, and what changes one
    // of them is a function of that value, which knows no exchange.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    unowned(unsafe) var engine: SocketEngine?
    private var continuation: ExchangeContinuation?

    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var state = State.waiting
    var admission = Admission.none
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var timeline: ExchangeTimeline
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var dueAt: Int64 = 0
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var heapIndex: Int?

    /// What was found out for the connection that is being prepared; `nil` otherwise.
    var findings: SocketFindings?
    /// When the name was known, the connection open, TLS agreed, and the first byte there; 0 if not yet, or not at all.
    var times = Times()
    /// The bytes sent and received, heads included.
    var bytesSent = 0
    var bytesOnWire = 0
    /// Whether the connection was open before.
    var isReused = false
    /// Whether a connection that was open before must not be used.
    var needsFreshConnection = false
    /// Whether "100 Continue" is no longer asked for, as the server refused that.
    var waitsForNothing = false
    /// Whether it opens a connection of its own, because it was refused among others.
    var isAlone = false
    /// Whether a connection that had others before it, or beside it, was lost before an answer.
    var wasLost = false

    /// The status code of the final head; 0 before it.
    var statusCode = 0
    /// The final head; `nil` before it.
    var head: HeadCollector?
    var content: RequestContent
    var isSentReported = false
    private var isWaitReported = false
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var body = BodyBuffer()
    var gatherer = BodyGatherer()
    var decoding = BodyDecoding.undecided
    var bytesReceived = 0
    /// Whether nobody wants the body, and how many bytes of it arrived.
    var isBodyUnwanted = false
    var unwantedCount = 0
    /// Whether the whole response arrived before the whole request was sent.
    var isAnsweredEarly = false
    /// Whether a piece of the body found that nobody reads it any more.
    var isAbandoned = false
    /// Whether bytes were passed on for which the reader may not have been woken.
    var needsFlush = false

    struct Times {
        var lookedUp: Int64 = 0
        var connected: Int64 = 0
        var secured: Int64 = 0
        var firstByte: Int64 = 0
    }

    let createdAt: Int64

    /// Creates an exchange on the caller's thread.
    ///
    /// - Parameters:
    ///   - ticket: The ticket that identifies it elsewhere.
    ///   - request: The request to send.
    ///   - profile: What its connection depends on.
    ///   - streams: The body streams and the progress reporter; `nil` for most exchanges.
    init(ticket: ExchangeTicket, request: PreparedRequest, profile: SocketProfile, streams: ExchangeStreams?) {
        self.ticket = ticket
        self.request = request
        self.streams = streams
        self.profile = profile
        let isSecure = request.target.isSecure
        speaksHTTP2AtOnce = !isSecure && profile.speaksHTTP2WithoutTLS(request.target)
        mayShare = isSecure ? profile.offersHTTP2 : speaksHTTP2AtOnce
        key = SocketConnection.Key(
            profile: ObjectIdentifier(profile),
            origin: request.target.origin,
            credentials: Self.ownCredentials(of: request, profile)
        )
        if let (reporter, observers) = request.request.observation?.exchange?.driven(for: request.request) {
            observed = reporter
            self.observers = observers
        } else {
            observed = nil
            observers = nil
        }
        let now = Reactor.clock()
        createdAt = now
        let options = request.options
        let remaining =
            request.deadline.map { ContinuousClock.now.duration(to: $0).clampedNanoseconds }
            ?? options.timeouts.total?.clampedNanoseconds
        timeline = ExchangeTimeline(
            timeouts: options.limits,
            now: now,
            totalDeadline: remaining.map { now.addingReportingOverflow($0).overflow ? .max : now + $0 }
        )
        content = RequestContent(request.kind, wake: streams?.wakeSending)
    }

    /// Tells observers that it waits for its first connection, once.
    func reportQueued() {
        guard let observed, !isWaitReported else { return }
        isWaitReported = true
        observed.report(.queued)
    }

    /// Tells observers of the connection that it has taken.
    ///
    /// Waiting for another one belongs to `restarted`, and is not reported.
    func reportConnection(_ connection: ObservedConnection) {
        isWaitReported = true
        observed?.connectionTaken(connection)
    }

    /// Sets the continuation to resume, before the exchange is passed to its loop.
    func setContinuation(_ continuation: ExchangeContinuation) { self.continuation = continuation }

    /// The connection that it shares with others; `nil` if it has none.
    var sharedConnection: SocketConnection? {
        guard case .busy(let connection) = state, connection.http.isShared else { return nil }
        return connection
    }

    /// Whether the request has a connection that ordinary requests don't wait for.
    var isExclusive: Bool { request.delivery == .streamed }

    /// Whether the engine may send the request again (RFC 9110 §9.2.2), whatever became of it.
    var mayBeSentAgain: Bool { request.isIdempotent && content.isRepeatable }

    /// Whether the body is reported to the caller; the body of a redirect is not.
    var reportsBody: Bool { !(300..<400).contains(statusCode) }

    var now: Int64 { engine?.reactor.now ?? Reactor.clock() }

    /// Whether it begins on a connection that others share.
    ///
    /// A server that takes few requests at once, or on each connection, takes the first one of a connection.
    var joinsOthers: Bool { mayShare && !isAlone }

    /// Goes on with HTTP/1.1 alone.
    func useHTTP1() {
        mayShare = false
        key.isHTTP1Only = true
    }

    /// Begins an attempt on a connection, and discards what is left of an earlier one.
    ///
    /// - Returns: Whether the body can be sent.
    func beginAttempt(isReused: Bool) -> Bool {
        guard content.rewind(to: 0) else { return false }
        self.isReused = isReused
        isSentReported = false
        bytesSent = 0
        bytesOnWire = 0
        times.firstByte = 0
        resetResponse()
        streams?.reporter?.willSend(request.kind.length)
        return true
    }

    private func resetResponse() {
        statusCode = 0
        head = nil
        bytesReceived = 0
        decoding = .undecided
        body.removeAll()
        isBodyUnwanted = false
        unwantedCount = 0
    }

    /// Prepares the exchange for another connection, after an attempt that the server cannot have answered.
    func prepareAnew(now: Int64, isUnprocessed: Bool) {
        content.close()
        timeline.beginAnew(now: now)
        if isUnprocessed { timeline.forgetStart(all: !request.isIdempotent) }
        needsFreshConnection = true
        times = Times()
        state = .waiting
        resetResponse()
    }

    // MARK: The end

    /// Delivers the outcome to the caller, at the end of the turn; called once, by the engine.
    func finish(_ outcome: ExchangeOutcome) {
        content.close()
        flush()
        if let observed { end(observed, outcome) }
        if let continuation = continuation.take() {
            guard let engine else { return continuation.resume(returning: outcome) }
            return engine.resumeLater(continuation, outcome)
        }
        switch outcome {
        case .response(_, _, _, _, let extras): streams?.inbound?.finish(nil, trailers: extras?.trailers ?? [])
        case .head: streams?.inbound?.finish(nil)
        case .failure(let failure): streams?.inbound?.finish(failure)
        case .cancelled: streams?.inbound?.finish(CancellationError())
        }
    }

    @inline(never)
    private func end(_ observed: ExchangeReporter, _ outcome: ExchangeOutcome) {
        switch outcome {
        case .response(let statusCode, _, _, let metrics, _), .head(let statusCode, _, _, let metrics, _):
            observed.end(.response(StatusCode(rawValue: statusCode)), metrics)
        case .cancelled:
            observed.measured(metrics)
            observed.end(.cancelled)
        case .failure(let failure):
            observed.measured(metrics)
            // The next piece of an abandoned body can arrive before the order to cancel.
            observed.end(isAbandoned ? .cancelled : .failure(failure.error(for: request.request)))
        }
    }

    /// Passes the gathered bytes of a streamed body to the reader.
    func flush() {
        guard let inbound = streams?.inbound else { return }
        gatherer.flush(to: inbound)
    }

    /// Delivers the head to the caller if it waits for no more.
    func deliverHead(_ head: HeadCollector) {
        guard let streams else { return }
        guard streams.inbound != nil else {
            if reportsBody { streams.reporter?.willReceive(expectedLength(head)) }
            return
        }
        continuation.take()?.resume(
            returning: .head(
                statusCode: statusCode,
                RawHead(bytes: head.bytes),
                expectedLength: expectedLength(head),
                metrics: metrics,
                extras: extras
            )
        )
    }

    // MARK: What is known

    /// What was measured so far.
    var metrics: ExchangeMetrics {
        let start = timeline.leftQueueAt ?? now
        func since(_ time: Int64) -> Duration { .nanoseconds(time == 0 ? 0 : max(0, time - start)) }
        var metrics = ExchangeMetrics(
            queued: .nanoseconds(start - createdAt),
            firstByte: since(times.firstByte),
            total: .nanoseconds(timeline.leftQueueAt == nil ? 0 : max(0, Reactor.clock() - start)),
            isReusedConnection: isReused
        )
        metrics.bytesSent = bytesSent
        metrics.bytesReceived = bytesOnWire
        if !isReused {
            metrics.nameLookup = since(times.lookedUp)
            metrics.connect = since(times.connected)
            metrics.secureConnect = since(times.secured)
        }
        return metrics
    }

    /// What arrived besides the final head and the body; `nil` for most exchanges.
    var extras: RawExtras? {
        guard let head, !head.informational.isEmpty || !head.trailers.isEmpty else { return nil }
        return RawExtras(informational: head.informational, trailers: head.trailers)
    }

    /// Whether the content has a coding that is decoded.
    private func hasKnownCoding(_ head: HeadCollector) -> Bool {
        let values = RawHead(bytes: head.bytes).fields.values(for: "Content-Encoding")
        return (try? ContentCoding.list(in: values))?.isEmpty == false
    }

    /// The number of content bytes that will be delivered; `nil` if the head does not say.
    private func expectedLength(_ head: HeadCollector) -> Int64? {
        if case .head = request.kind { return 0 }
        if statusCode == 204 || statusCode == 304 { return 0 }
        let isDecoded = request.decodesContent && head.mayHaveContentEncoding && hasKnownCoding(head)
        // A length in compressed bytes says nothing about the delivered bytes.
        return isDecoded || head.hasTransferEncoding ? nil : head.contentLength.map { Int64($0) }
    }
}
#endif
