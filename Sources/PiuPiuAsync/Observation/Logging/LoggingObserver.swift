/// An observer that writes one line for each exchange that ends.
///
/// ```swift
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.observers = [LoggingObserver(slowThreshold: .seconds(2))]
/// let dispatcher = URLRequestDispatcher(configuration: configuration)
/// ```
///
/// Further lines say that a request will be sent again, that a response came from a ``ResponseCache``, and that a call failed
/// in a way that no line of an exchange shows: because a limit refused it, for example, or because its redirects go round in a
/// circle.
///
///     event=exchange call=7 exchange=2 method=GET url=https://example.com/posts status=200 ms=12.345 http=HTTP/1.1 …
///     event=retry call=7 method=GET url=https://example.com/posts cause=503 delay_ms=250.000
///     event=cache call=7 method=GET url=https://example.com/posts outcome=hit ttl=52
///     event=call call=8 method=GET url=https://example.com/posts ms=0.100 error=LimitError message="The rate limit …"
///
/// A line is a list of `key=value`, in this order; a key without a value is left out. Later versions may add keys at the end.
///
/// | Key | Value |
/// |---|---|
/// | `event` | `exchange`, `retry`, `cache` or `call` |
/// | `call`, `exchange` | the number of the call in its dispatcher, and of the exchange in its call |
/// | `method`, `url`, `route` | what was requested; the pattern of its path, if the caller named one |
/// | `status` | the status code, also if the body failed afterwards |
/// | `ms` | the time from the start to the end, in milliseconds, as all times |
/// | `queued_ms`, `first_byte_ms` | the time in the queue; the time from its end to the first byte of the response |
/// | `in`, `out` | the bytes received and sent |
/// | `http`, `connection`, `remote`, `proxy` | the version, `new` or `reused`, the address of the other end, the proxy |
/// | `attempt`, `cause` | the number of the attempt, from 2 on, and its cause: a status code, a failure, `credentials`, `hedge` |
/// | `redirect` | the number of redirects that led here, from 1 on |
/// | `delay_ms` | how long a retry waits |
/// | `outcome`, `ttl`, `detail` | what ``CacheStatus`` says of a response from the cache |
/// | `error`, `message` | the name of the failure, and more about it |
/// | `slow` | `true` from ``slowThreshold`` on |
/// | `request_body`, `response_body` | the beginnings of the bodies, if ``bodies`` asks for them |
///
/// A value with a space, a quotation mark or `=` is in quotation marks. Whatever does not print, or could break the line or
/// change a terminal, is written as `\u{…}`; a quotation mark and a backslash have a backslash before them. Long values are
/// cut off.
///
/// A line shows neither user information, query and fragment of a URL, nor header fields; the `HARRecorder` of the product
/// `PiuPiuRecording` records those. Paths are shown. Errors that are not PiuPiu's own are shown by their type only. Bodies are
/// shown only if ``bodies`` asks for them, up to a limit, and without what has the name of a secret.
///
/// Lines below ``minimumLevel`` cost nothing but the comparison.
public struct LoggingObserver: ExchangeObserver {
    /// The lowest level that is written.
    public var minimumLevel: Level
    /// The duration from which on an exchange is marked as slow, and has at least the level `warning`; `nil` for none.
    ///
    /// An exchange of a stream lasts until its body was read.
    public var slowThreshold: Duration?
    /// Which bodies are shown; none by default.
    public var bodies: Bodies
    /// Returns the level of an exchange or a call by how it ended; ``Level/usual(for:)`` by default.
    ///
    /// Like ``output``, it must return soon, because it runs where the event happens.
    public var level: @Sendable (ObservedOutcome) -> Level = { .usual(for: $0) }
    /// Takes a line, without a line end.
    public var output: @Sendable (Level, String) -> Void

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - minimumLevel: The lowest level that is written.
    ///   - slowThreshold: The duration from which on an exchange is marked as slow; `nil` for none.
    ///   - bodies: Which bodies are shown, and what is hidden in them.
    ///   - output: Takes a line. It can be called from several threads at once, often from the one that serves all
    ///     connections, and must return soon.
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

    /// As many bytes of a body as are shown.
    public var bodyLimit: Int { bodies.limit }

    /// Writes a line if the event is worth one.
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
            // The lines of exchanges show what the server was asked for.
            guard status.outcome != .miss, minimumLevel <= .info else { return }
            output(.info, LogLine.cached(event.call, status).text)
        case .callEnded(let outcome):
            if case .response = outcome { return }
            // The line of its last exchange has shown it.
            guard event.call.lastFailure != outcome.failureName else { return }
            let level = self.level(outcome)
            guard level >= minimumLevel else { return }
            output(level, LogLine.call(event.call, outcome).text)
        default: return
        }
    }
}
