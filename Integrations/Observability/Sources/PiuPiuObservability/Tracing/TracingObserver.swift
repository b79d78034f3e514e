import PiuPiuAsync
import Tracing

/// An observer that makes a span of each exchange, and tells servers which one it is.
///
/// ```swift
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.observers = [TracingObserver()]
/// let dispatcher = URLRequestDispatcher(configuration: configuration)
/// ```
///
/// The spans follow OpenTelemetry's
/// [conventions](https://opentelemetry.io/docs/specs/semconv/http/http-spans/) for HTTP clients. Each attempt and each redirect
/// that is followed is a span of its own, of the kind `client`. Its parent is the `ServiceContext` of the caller's task, so that
/// all spans of a call are siblings. It is named after the method, and after `RequestOptions.routeTemplate` if that is set.
///
/// | Attribute | Value |
/// |---|---|
/// | `http.request.method` | the method, or `_OTHER` |
/// | `http.request.method_original` | the method, if the other is `_OTHER` |
/// | `server.address`, `server.port` | of the URL |
/// | `url.full` | the URL without user information, query and fragment |
/// | `url.template` | `RequestOptions.routeTemplate`, except after redirects |
/// | `http.request.resend_count` | how many requests the call sent before, if any |
/// | `http.response.status_code` | of the response, if there was one |
/// | `error.type` | a status code of 400 or more, or `ObservedOutcome.failureName` |
/// | `network.peer.address`, `network.peer.port` | the other end of the connection, which can be a proxy's |
/// | `network.protocol.version` | such as `1.1` or `2` |
///
/// A span ends when its exchange does: after the last byte of the response, with an error, or when the response is abandoned. An
/// exchange whose response is a stream therefore lasts until the stream was read or dropped. A response of 400 or more, an
/// error, and a cancelled exchange set the span's status to `error`. A streamed response below 300 that is dropped before its
/// end counts as cancelled.
public final class TracingObserver: ExchangeObserver {
    /// A function that decides whether the server of an exchange is told the trace.
    public typealias Propagation = @Sendable (_ exchange: ObservedExchange) -> Bool

    private struct Entry {
        let span: any Span
        let instrument: any Instrument
    }

    private let tracer: (any Tracer)?
    private let knownMethods: Set<String>
    private let propagatesTo: Propagation
    private let entries = ExchangeTable<Entry>()

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - tracer: The tracer, which also writes the header fields. By default, each exchange uses the tracer and the instruments
    ///     of the caller's task (`withTracer`), or else those of `InstrumentationSystem`.
    ///   - knownMethods: The methods that are shown by their names.
    ///   - propagatesTo: Decides whether the server of an exchange gets header fields such as `traceparent` and `baggage`, which
    ///     tell it about you; all servers do by default. A redirect to another server is asked about anew.
    public init(
        tracer: (any Tracer)? = nil,
        knownMethods: Set<String> = HTTPConventions.knownMethods,
        propagatesTo: @escaping Propagation = { _ in true }
    ) {
        self.tracer = tracer
        self.knownMethods = knownMethods
        self.propagatesTo = propagatesTo
    }

    /// The number of spans that have no end yet.
    var openSpanCount: Int { entries.count }

    /// Starts or ends the span of an exchange.
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

    /// Returns the fields in which the instruments put the span's context.
    ///
    /// - Parameter exchange: The exchange.
    /// - Returns: The fields; none for a server that gets none.
    public func headerFields(for exchange: ObservedExchange) -> HTTPHeaderFields {
        guard let entry = entries[exchange], propagatesTo(exchange) else { return [:] }
        var fields = HTTPHeaderFields()
        entry.instrument.inject(entry.span.context, into: &fields, using: HeaderFieldInjector())
        return fields
    }

    private func start(_ exchange: ObservedExchange) {
        let tracer = tracer ?? InstrumentationSystem.tracer
        let method = knownMethods.contains(exchange.method) ? exchange.method : nil
        let template = exchange.urlTemplate
        let name = method ?? "HTTP"
        let span: any Span = tracer.startSpan(template.map { "\(name) \($0)" } ?? name, ofKind: .client)
        entries.keep(Entry(span: span, instrument: self.tracer ?? InstrumentationSystem.instrument), for: exchange)
        guard span.isRecording else { return }
        span.updateAttributes { attributes in
            attributes["http.request.method"] = method ?? HTTPConventions.other
            if method == nil { attributes["http.request.method_original"] = exchange.method }
            attributes["server.address"] = exchange.serverAddress
            attributes["server.port"] = exchange.port
            attributes["url.full"] = exchange.location
            if let template { attributes["url.template"] = template }
            if exchange.resendCount > 0 { attributes["http.request.resend_count"] = exchange.resendCount }
        }
    }

    private func end(_ exchange: ObservedExchange, _ summary: ExchangeSummary) {
        guard let span = entries.take(exchange)?.span else { return }
        defer { span.end() }
        guard span.isRecording else { return }
        let errorType = ExchangeEnding(summary).errorType
        span.updateAttributes { attributes in
            if let statusCode = summary.statusCode { attributes["http.response.status_code"] = statusCode.rawValue }
            if let errorType { attributes["error.type"] = errorType }
            if let peer = HTTPConventions.peer(summary.connection) {
                attributes["network.peer.address"] = peer.address
                attributes["network.peer.port"] = peer.port
            }
            if let version = HTTPConventions.protocolVersion(summary.connection) {
                attributes["network.protocol.version"] = version
            }
        }
        if errorType != nil { span.setStatus(SpanStatus(code: .error, message: summary.errorMessage)) }
    }
}
