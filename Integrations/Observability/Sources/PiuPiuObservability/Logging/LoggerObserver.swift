import Logging
import PiuPiuAsync
import Tracing

/// An observer that logs each exchange when it ends, in one line.
///
/// ```swift
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.observers = [LoggerObserver(Logger(label: "http"))]
/// let dispatcher = URLRequestDispatcher(configuration: configuration)
/// ```
///
/// Each attempt and each redirect that is followed is an exchange. The message says how it ended; everything else is metadata,
/// with the names of OpenTelemetry's conventions if they have one:
///
/// | Key | Value |
/// |---|---|
/// | `http.request.method` | the method |
/// | `url.full` | the URL without user information, query and fragment |
/// | `url.template` | `RequestOptions.routeTemplate`, except after redirects |
/// | `http.response.status_code` | of the response, if there was one |
/// | `error.type` | a status code of 400 or more, or `ObservedOutcome.failureName` |
/// | `error.message` | the description of a `TransportError`, which shows no secrets; not of other errors, which may |
/// | `http.request.resend_count` | how many requests the call sent before, if any |
/// | `http.client.request.duration` | seconds from the start to the end, including time in a queue |
/// | `http.request.size`, `http.response.size` | bytes, with the heads, as far as they were counted |
/// | `network.peer.address`, `network.peer.port` | the other end of the connection, which can be a proxy's |
/// | `network.protocol.version` | such as `1.1` or `2` |
/// | `piupiu.call`, `piupiu.attempt`, `piupiu.redirects` | the call's number, the attempt's number, the redirects before |
/// | `piupiu.cause` | why the attempt was made, if it is not the first |
/// | `piupiu.connection` | `new` or `reused` |
/// | `piupiu.time.queued`, `piupiu.time.first_byte` | seconds in the queue, and from there to the first byte of the response |
///
/// An exchange ends on the thread that serves all connections. Its line has what the logger's metadata provider says in the
/// caller's task nevertheless, and is logged with the `ServiceContext` of that task, because both are remembered from the
/// exchange's start to its end.
public final class LoggerObserver: ExchangeObserver {
    private struct Entry {
        let logger: Logger
        let metadata: Logger.Metadata
        let context: ServiceContext?
    }

    private let logger: Logger?
    private let levels: Levels
    private let entries = ExchangeTable<Entry>()

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - logger: The logger; `nil` for that of the task in which an exchange begins, `Logger.current`.
    ///   - levels: How important the lines are.
    public init(_ logger: Logger? = nil, levels: Levels = Levels()) {
        self.logger = logger
        self.levels = levels
    }

    /// The number of exchanges that have no end yet.
    var openCount: Int { entries.count }

    /// Remembers the caller's context at an exchange's start, and logs the exchange at its end.
    ///
    /// - Parameter event: The event.
    public func observe(_ event: ExchangeEvent) {
        guard let exchange = event.exchange else { return }
        switch event.kind {
        case .exchangeStarted: start(exchange)
        case .exchangeEnded(let summary): end(exchange, summary)
        default: break
        }
    }

    /// Logs that a task held up an event loop, at the level `warning`.
    ///
    /// - Parameter event: The event.
    public func observe(_ event: EventLoopEvent) {
        guard case .heldUp(let duration) = event.kind else { return }
        (logger ?? Logger.current).warning(
            "A task held up an event loop",
            metadata: ["loop": "\(event.loop)", "duration": "\(duration)"],
            source: "PiuPiu"
        )
    }

    private func start(_ exchange: ObservedExchange) {
        let logger = logger ?? Logger.current
        guard levels.all.contains(where: { $0 >= logger.logLevel }) else { return }
        let metadata = logger.metadataProvider?.get() ?? [:]
        entries.keep(Entry(logger: logger, metadata: metadata, context: .current), for: exchange)
    }

    private func end(_ exchange: ObservedExchange, _ summary: ExchangeSummary) {
        guard let entry = entries.take(exchange) else { return }
        let ending = ExchangeEnding(summary)
        guard let level = levels[ending], level >= entry.logger.logLevel else { return }
        let line = LogLine(exchange, summary, ending)
        ServiceContext.$current.withValue(entry.context) {
            entry.logger.log(
                level: level,
                line.message,
                metadata: entry.metadata.merging(line.metadata) { _, new in new },
                source: "PiuPiu"
            )
        }
    }
}
