import CoreMetrics
import PiuPiuAsync

/// The metrics of a ``MetricsObserver``, made when they are first needed.
final class Instruments: Sendable {
    /// What is known of an exchange at its start.
    struct Request: Sendable {
        let labels: RequestLabels
        let meter: Meter
    }

    private let factory: any MetricsFactory
    private let knownMethods: Set<String>
    private let maximumServers: Int
    private let fillsAbsentLabels: Bool
    private let servers = Protected<Set<RequestLabels.Server>>([])
    private let meters: MetricTable<RequestLabels, Meter>
    private let timers: MetricTable<ResponseLabels, CoreMetrics.Timer>

    init(
        factory: any MetricsFactory,
        knownMethods: Set<String>,
        maximumServers: Int,
        maximumLabelSets: Int,
        fillsAbsentLabels: Bool
    ) {
        self.factory = factory
        self.knownMethods = knownMethods
        self.maximumServers = maximumServers
        self.fillsAbsentLabels = fillsAbsentLabels
        meters = MetricTable(maximum: maximumLabelSets, other: .other)
        timers = MetricTable(maximum: maximumLabelSets, other: .other)
    }

    /// Returns the labels and the meter of an exchange that begins.
    func request(for exchange: ObservedExchange) -> Request {
        let labels = RequestLabels(
            method: knownMethods.contains(exchange.method) ? exchange.method : HTTPConventions.other,
            server: shown(RequestLabels.Server(exchange)),
            template: exchange.urlTemplate
        )
        let meter = meters.metric(labels) { labels in
            Meter(label: "http.client.active_requests", dimensions: present(labels.dimensions), factory: factory)
        }
        return Request(labels: labels, meter: meter)
    }

    /// Returns the timer of an exchange that ended.
    func timer(for request: Request, _ summary: ExchangeSummary) -> CoreMetrics.Timer {
        timers.metric(ResponseLabels(request.labels, summary)) { labels in
            CoreMetrics.Timer(
                label: "http.client.request.duration",
                dimensions: present(labels.dimensions),
                preferredDisplayUnit: .seconds,
                factory: factory
            )
        }
    }

    /// Returns a server, or `nil` if others have taken all the places.
    private func shown(_ server: RequestLabels.Server) -> RequestLabels.Server? {
        servers.withLock { servers in
            if servers.contains(server) { return server }
            guard servers.count < maximumServers else { return nil }
            servers.insert(server)
            return server
        }
    }

    private func present(_ dimensions: [(String, String?)]) -> [(String, String)] {
        dimensions.compactMap { name, value in
            if let value { return (name, value) }
            return fillsAbsentLabels ? (name, "") : nil
        }
    }
}
