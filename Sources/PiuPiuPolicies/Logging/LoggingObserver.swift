/// An observer that writes one line for each exchange that ends.
///
/// ```swift
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.observers = [LoggingObserver(slowThreshold: .seconds(2))]
/// let dispatcher = URLRequestDispatcher(configuration: configuration)
/// ```
///
/// Further lines report that a request will be sent again, that a response came from a ``ResponseCache``, that a WebSocket ended, and
/// that a call failed in a way that no line of an exchange shows: for example, because a limit refused it, or because of a redirect loop.
///
///     event=exchange call=7 exchange=2 method=GET url=https://example.com/posts status=200 ms=12.345 http=HTTP/1.1 …
///     event=retry call=7 method=GET url=https://example.com/posts cause=503 delay_ms=250.000
///     event=cache call=7 method=GET url=https://example.com/posts outcome=hit ttl=52
///     event=websocket_closed call=9 method=GET url=https://example.com/feed ms=5000.000 code=1001 clean=true
///     event=call call=8 method=GET url=https://example.com/posts ms=0.100 error=LimitError message="The rate limit …"
///
/// A line is a list of `key=value`, in this order; a key without a value is left out. Later versions may add keys at the end.
///
/// | Key | Value |
/// |---|---|
/// | `event` | `exchange`, `retry`, `cache`, `websocket_closed` or `call` |
/// | `call`, `exchange` | the number of the call in its dispatcher, and of the exchange in its call |
/// | `method`, `url`, `route` | the request; the pattern of its path, if the caller specified one |
/// | `status` | the status code, even if the body failed afterwards |
/// | `ms` | the time from the start to the end, in milliseconds, like all times |
/// | `queued_ms`, `first_byte_ms` | the time in the queue; the time from its end to the first byte of the response |
/// | `in`, `out` | the bytes received and sent |
/// | `http`, `connection`, `remote`, `proxy` | the version, `new` or `reused`, the address of the other end, the proxy |
/// | `attempt`, `cause` | the number from 2 on, and the cause: a status code, a failure, `credentials`, `hedge` |
/// | `redirect` | the number of redirects that led here, from 1 on |
/// | `delay_ms` | how long a retry waits |
/// | `outcome`, `ttl`, `detail` | the ``CacheStatus`` of a response from the cache |
/// | `code`, `clean` | the code with which a WebSocket was closed, and whether both sides sent a close frame |
/// | `error`, `message` | the name of the failure, and details |
/// | `slow` | `true` if the duration reaches ``slowThreshold`` |
/// | `request_body`, `response_body` | the beginnings of the bodies, if ``bodies`` enables them |
///
/// A value with a space, a quotation mark or `=` is in quotation marks. Characters that do not print, or could break the line
/// or change a terminal, are written as `\u{…}`; a backslash precedes quotation marks and backslashes. Long values are
/// truncated.
///
/// A line shows neither user information, query and fragment of a URL, nor header fields; the `HARRecorder` of the product
/// `PiuPiuRecording` records those. Paths are shown. Errors that are not PiuPiu's own are shown only by their type. Bodies are
/// shown only if ``bodies`` enables them, up to a limit, and without values that have the name of a secret.
///
/// Lines below ``minimumLevel`` cost only the comparison.
public struct LoggingObserver: ExchangeObserver {
    /// The minimum level of lines to write.
    public var minimumLevel: Level
    /// The duration from which an exchange is marked as slow, and has at least the level `warning`; `nil` for none.
    ///
    /// The exchange of a stream lasts until its body was read.
    public var slowThreshold: Duration?
    /// The bodies to show; none by default.
    public var bodies: Bodies
    /// Returns the level of an exchange or a call by its outcome; ``Level/usual(for:)`` by default.
    ///
    /// Like ``output``, it must return quickly, because it runs on the thread of the event.
    public var level: @Sendable (ObservedOutcome) -> Level = { .usual(for: $0) }
    /// Writes a line, which has no line end.
    public var output: @Sendable (Level, String) -> Void

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - minimumLevel: The minimum level of lines to write.
    ///   - slowThreshold: The duration from which an exchange is marked as slow; `nil` for none.
    ///   - bodies: The bodies to show, and the secrets hidden in them.
    ///   - output: Writes a line. It can be called from several threads at once, often from the one that serves all
    ///     connections, and must return quickly.
    public init(
        minimumLevel: Level = .info,
        slowThreshold: Duration? = nil,
        bodies: Bodies = .none,
        output: @escaping @Sendable (Level, String) -> Void = LoggingObserver.standardError
    ) {
        self.minimumLevel = minimumLevel
        self.slowThreshold = slowThreshold
        self.bodies = bodies
        self.output = output
    }

    /// The number of bytes of a body to show.
    public var bodyLimit: Int { bodies.limit }

    /// Writes a line for the events that have one.
    ///
    /// - Parameter event: The event.
    public func observe(_ event: ExchangeEvent) {
        switch event.kind {
        case .exchangeEnded(let summary):
            guard let exchange = event.exchange else { return }
            let isSlow = slowThreshold.map { summary.duration >= $0 } ?? false
            let level = max(self.level(summary.outcome), isSlow ? .warning : .debug)
            guard level >= minimumLevel else { return }
            var line = LogLine.exchange(exchange, summary, isSlow: isSlow)
            line.add("request_body", bodies.shown(summary.requestBody, hiding: exchange.secretsInBodies))
            line.add("response_body", bodies.shown(summary.responseBody, hiding: exchange.secretsInBodies))
            output(level, line.text)
        case .retryPlanned(let cause, let delay):
            guard minimumLevel <= .notice else { return }
            output(.notice, LogLine.retry(of: event.call, cause, delay).text)
        case .cached(let status):
            // The lines of exchanges already show the requests to the server.
            guard status.outcome != .miss, minimumLevel <= .info else { return }
            output(.info, LogLine.cached(event.call, status).text)
        case .webSocketClosed(let code, let isClean):
            let level: Level = isClean && [1000, 1001, 1005].contains(code) ? .info : .notice
            guard level >= minimumLevel else { return }
            output(level, LogLine.webSocketClosed(event.call, code, isClean: isClean).text)
        case .callEnded(let outcome):
            if case .response = outcome { return }
            // The line of its last exchange already shows it.
            guard event.call.lastFailure != outcome.failureName else { return }
            let level = self.level(outcome)
            guard level >= minimumLevel else { return }
            output(level, LogLine.call(event.call, outcome).text)
        default: return
        }
    }

    /// Writes a line about a task that held up an event loop, at the level `warning`.
    ///
    /// - Parameter event: The event.
    public func observe(_ event: EventLoopEvent) {
        guard case .heldUp(let duration) = event.kind, minimumLevel <= .warning else { return }
        output(.warning, LogLine.heldUp(event.loop, duration).text)
    }
}
