#if os(Linux)
import PiuPiuEngine

/// One exchange of a ``SocketTransport``, on its event loop.
///
/// | State | Event | Next state |
/// |---|---|---|
/// | `waiting` | admitted, a connection is idle | `busy` |
/// | `waiting` | admitted, no connection is idle | `preparing`, `opening` |
/// | `preparing` | the addresses and the TLS settings are available | `opening` |
/// | `opening` | the connection is open and verified | `busy` |
/// | `busy` | the connection ended before a response, and the request may be repeated | `waiting`, for a new connection |
/// | `busy` | the server has not processed the request | `waiting`, or `pausing` and then `waiting` |
/// | any | the response, a failure, a time limit, or cancellation | `finished`, once |
///
/// In every state but `finished`, ending the exchange releases its resources at once: its place in the queue, the sockets that
/// are being opened, or the connection. The caller creates the exchange and passes it to its loop; after that, only the loop's
/// thread uses it.
final class SocketExchange: DeadlineHeapItem {
    enum State {
        case waiting
        /// Another thread looks up a name or reads TLS settings.
        case preparing(SocketPreparation.Subject)
        case opening(ConnectionOpener)
        case busy(SocketConnection)
        /// The exchange waits for its next attempt.
        case pausing(LoopTimer)
        case finished

        /// Whether it has no connection yet, but may still get one.
        var isOpen: Bool {
            switch self {
            case .waiting, .preparing, .opening: true
            case .busy, .pausing, .finished: false
            }
        }
    }

    /// The place or queue of an exchange, in addition to its state: see `SocketEngine+Sharing.swift`.
    enum Admission {
        /// None: the exchange shares a connection, or has just started.
        case none
        /// A position in the gate's queue.
        case gate
        /// A position in the queue for a shared connection.
        case stream
        /// A place among the connections to its host.
        case permit
    }

    let ticket: ExchangeTicket
    let request: PreparedRequest
    let streams: ExchangeStreams?
    /// The settings of the exchange's connection.
    let profile: SocketProfile
    /// The properties it shares with exchanges that can use the same connection.
    private(set) var key: SocketConnection.Key
    /// Whether it may share a connection with others, if the server speaks HTTP/2.
    private(set) var mayShare: Bool
    /// Whether HTTP/2 is used without negotiation.
    private(set) var speaksHTTP2AtOnce: Bool
    /// Whether the request asks for a tunnel, whether that is open, and whether its end has answered in this turn.
    let isTunnelRequest: Bool
    var isTunnelOpen = false
    var hasTunnelOutput = false
    /// Whether a speed limit applies.
    let hasRates: Bool
    var stream: HTTP2Stream?
    /// Reports the exchange to observers; `nil` if there are none.
    let observed: ExchangeReporter?
    /// Keeps the observers for ``observed``.
    let observers: ObserverList?
    // Here and below, exclusive access is checked in debug builds only: only the loop's thread uses these properties, and only
    // their own mutating functions, which don't know the exchange, modify them.
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

    /// The results for the connection that is being prepared; `nil` otherwise.
    var findings: SocketFindings?
    /// The times of the name lookup, the connection, the TLS handshake and the first byte; 0 if the step has not happened.
    var times = Times()
    /// The bytes sent and received, heads included.
    var bytesSent = 0
    var bytesOnWire = 0
    /// Whether the connection was used before.
    var isReused = false
    /// Whether the exchange must not use an idle connection.
    var needsFreshConnection = false
    /// Whether the exchange asks for "100 Continue": as the request does, until the server refuses it.
    var expectsContinue: Bool
    /// Whether it opens its own connection, because a shared one refused it.
    var isAlone = false
    /// Whether a connection that also served other exchanges was lost before a response.
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
    /// The number of bytes of an unwanted body that arrived, and whether the body is unwanted.
    var unwantedCount = 0
    var isBodyUnwanted = false
    /// Whether the whole response arrived before the whole request was sent.
    var isAnsweredEarly = false
    /// Whether a piece of the body arrived after the reader had closed the body.
    var isAbandoned = false
    /// Whether bytes were delivered without waking the reader.
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
    ///   - ticket: The ticket that identifies the exchange to other threads.
    ///   - request: The request to send.
    ///   - profile: The settings of its connection.
    ///   - streams: The body streams and the progress reporter; `nil` for most exchanges.
    init(ticket: ExchangeTicket, request: PreparedRequest, profile: SocketProfile, streams: ExchangeStreams?) {
        self.ticket = ticket
        self.request = request
        self.streams = streams
        self.profile = profile
        let isSecure = request.target.isSecure
        speaksHTTP2AtOnce = !isSecure && profile.speaksHTTP2WithoutTLS(request.target)
        isTunnelRequest = streams?.tunnel != nil
        hasRates = request.options.maximumSendRate != nil || request.options.maximumReceiveRate != nil
        mayShare = isSecure ? profile.offersHTTP2 : speaksHTTP2AtOnce
        key = SocketConnection.Key(
            profile: ObjectIdentifier(profile),
            origin: request.target.origin,
            credentials: Self.ownCredentials(of: request, profile, isTunnelRequest: isTunnelRequest),
            isForTunnels: isTunnelRequest && !isSecure && profile.proxy?.isHTTP == true
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
        timeline = ExchangeTimeline(of: request, now: now)
        expectsContinue = request.expectsContinue
        content = RequestContent(request.kind, wake: streams?.wakeSending)
    }

    /// Tells observers, once, that the exchange waits for its first connection.
    func reportQueued() {
        guard let observed, !isWaitReported else { return }
        isWaitReported = true
        observed.report(.queued)
    }

    /// Reports the exchange's connection to observers.
    ///
    /// The wait for another connection is part of `restarted` and not reported.
    func reportConnection(_ connection: ObservedConnection) {
        isWaitReported = true
        observed?.connectionTaken(connection)
    }

    /// Sets the continuation to resume, before the exchange is passed to its loop.
    func setContinuation(_ continuation: ExchangeContinuation) { self.continuation = continuation }

    /// The connection that the exchange shares with others; `nil` if it shares none.
    var sharedConnection: SocketConnection? {
        guard case .busy(let connection) = state, connection.http.isShared else { return nil }
        return connection
    }

    /// Whether the request uses a connection that ordinary requests don't wait for.
    var isExclusive: Bool { request.delivery == .streamed }

    /// Whether the engine may send the request again after any failure (RFC 9110 §9.2.2).
    var mayBeSentAgain: Bool { request.isIdempotent && content.isRepeatable }

    /// Whether the body's progress is reported to the caller; that of a redirect is not.
    var reportsBody: Bool { !(300..<400).contains(statusCode) }

    var now: Int64 { engine?.reactor.now ?? Reactor.clock() }

    /// Whether it runs on a connection that other exchanges share.
    ///
    /// A server that limits the concurrent requests, or the requests of each connection, accepts the first one of a new
    /// connection.
    var joinsOthers: Bool { mayShare && !isAlone }

    /// Restricts the exchange to HTTP/1.1.
    func useHTTP1() {
        mayShare = false
        speaksHTTP2AtOnce = false
        key.isHTTP1Only = true
    }

    /// Starts an attempt on a connection, discards the state of an earlier one, and returns whether the body can be sent.
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

    /// Prepares the exchange for another connection, after an attempt that cannot have been answered.
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
        outcome.end(streams?.inbound)
        endTunnel(outcome)
    }

    @inline(never)
    private func end(_ observed: ExchangeReporter, _ outcome: ExchangeOutcome) {
        if !outcome.isResponse { observed.measured(metrics) }
        outcome.end(observed, of: request.request, isAbandoned: isAbandoned)
    }

    /// Delivers the gathered bytes of a streamed body to the reader.
    func flush() {
        guard !isTunnelOpen else { return flushTunnel() }
        guard let inbound = streams?.inbound else { return }
        gatherer.flush(to: inbound)
    }

    /// Delivers the head to the caller if the body is streamed.
    func deliverHead(_ head: HeadCollector) {
        guard let streams else { return }
        guard streams.inbound != nil else {
            if reportsBody { streams.reporter?.willReceive(head.expectedLength(of: request)) }
            return
        }
        continuation.take()?.resume(
            returning: .head(
                statusCode: statusCode,
                RawHead(bytes: head.bytes),
                expectedLength: head.expectedLength(of: request),
                metrics: metrics,
                extras: extras
            )
        )
    }

    // MARK: Measurements

    /// The measurements so far.
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

    /// The informational heads and the trailers; `nil` for most exchanges.
    var extras: RawExtras? { head?.extras }
}
#endif
