import CoreMetrics
import PiuPiuAsync

/// An observer that measures exchanges.
///
/// ```swift
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.observers = [MetricsObserver()]
/// let dispatcher = URLRequestDispatcher(configuration: configuration)
/// ```
///
/// The metrics follow OpenTelemetry's
/// [conventions](https://opentelemetry.io/docs/specs/semconv/http/http-metrics/) for HTTP clients:
///
/// | Metric | What it is |
/// |---|---|
/// | `http.client.request.duration` | a timer: the time from an exchange's start to its end, including time in a queue |
/// | `http.client.active_requests` | a meter: the number of exchanges that have started and not ended |
///
/// Each attempt and each redirect that is followed is an exchange. Exporters for OpenTelemetry and Prometheus turn the timer into
/// a histogram in seconds, with bounds that suit durations.
///
/// | Label | Value |
/// |---|---|
/// | `http.request.method` | the method, or `_OTHER` |
/// | `server.address`, `server.port`, `url.scheme` | of the URL; of too many servers, only `server.address` with `_OTHER` |
/// | `url.template` | `RequestOptions.routeTemplate`, except after redirects |
/// | `http.response.status_code` | of the response, if there was one; only the timer has it and what follows |
/// | `error.type` | a status code of 400 or more, or `ObservedOutcome.failureName` |
/// | `network.protocol.version` | such as `1.1` or `2` |
///
/// **Bounds.** A server can redirect a client to any number of hosts, and each new combination of labels takes memory in the
/// metrics system for ever. The first servers, as many as the limit allows, are shown by name. All others share the
/// address `_OTHER`. Once there are as many combinations as their limit allows, exchanges with another one are counted
/// under the address and the method `_OTHER`, without the other labels.
public final class MetricsObserver: ExchangeObserver {
    private let instruments: Instruments
    private let active = ExchangeTable<Instruments.Request>()

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - factory: What makes the metrics; by default, that of the task that creates the observer, or of `MetricsSystem`, which
    ///     must have been set up before.
    ///   - knownMethods: The methods that are shown by their names.
    ///   - maximumServers: The number of servers, each a host with a port, that are shown by their names.
    ///   - maximumLabelSets: The number of combinations of labels of a metric. The default is OpenTelemetry's.
    ///   - fillsAbsentLabels: Whether labels without a value have an empty one, so that all combinations have the same labels.
    ///     Older versions of swift-prometheus end the process if they do not. Prometheus sees no difference; other
    ///     systems do: for them, an empty `error.type` is an error.
    public init(
        factory: any MetricsFactory = MetricsSystem.factory,
        knownMethods: Set<String> = HTTPConventions.knownMethods,
        maximumServers: Int = 100,
        maximumLabelSets: Int = 2_000,
        fillsAbsentLabels: Bool = false
    ) {
        instruments = Instruments(
            factory: factory,
            knownMethods: knownMethods,
            maximumServers: maximumServers,
            maximumLabelSets: maximumLabelSets,
            fillsAbsentLabels: fillsAbsentLabels
        )
    }

    /// The number of exchanges that have no end yet.
    var activeCount: Int { active.count }

    /// Counts the start of an exchange, or measures it at its end.
    ///
    /// - Parameter event: The event.
    public func observe(_ event: ExchangeEvent) {
        guard let exchange = event.exchange else { return }
        switch event.kind {
        case .exchangeStarted:
            let request = instruments.request(for: exchange)
            active.keep(request, for: exchange)
            request.meter.increment()
        case .exchangeEnded(let summary):
            guard let request = active.take(exchange) else { return }
            request.meter.decrement()
            instruments.timer(for: request, summary).recordNanoseconds(summary.duration.clampedNanoseconds)
        default: break
        }
    }
}

extension Duration {
    /// The duration in whole nanoseconds, at least 0 and at most about 292 years.
    var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLarge || overflows ? .max : sum
    }
}
