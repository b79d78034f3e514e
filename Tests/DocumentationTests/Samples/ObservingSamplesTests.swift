import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// The samples of the article on observing, and of the types it names.
@Suite(.timeLimit(.generous)) struct ObservingSamplesTests {
    private let request = Fixture.request
    private let transport = MockTransport { _ in MockAnswer(.ok, body: "hello") }

    /// Sends a request with observers.
    private func send(_ configuration: URLRequestDispatcher.Configuration) async throws {
        let dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)
        _ = try await dispatcher.data(for: request)
    }

    @Test func stream() async throws {
        struct EndedExchanges: ExchangeObserver {
            let summaries: AsyncStream<ExchangeSummary>.Continuation
            func observe(_ event: ExchangeEvent) {
                if case .exchangeEnded(let summary) = event.kind { summaries.yield(summary) }
            }
        }
        let (summaries, continuation) = AsyncStream<ExchangeSummary>.makeStream(bufferingPolicy: .bufferingNewest(1000))
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [EndedExchanges(summaries: continuation)]

        try await send(configuration)
        var ended = summaries.makeAsyncIterator()
        #expect(await ended.next()?.statusCode == .ok)
    }

    @Test func both() async throws {
        let statistics = Statistics()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [LoggingObserver(slowThreshold: .seconds(2)), statistics]
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        await dispatcher.shutdown()
        #expect(statistics.snapshot().calls.started == 0)
    }

    @Test func logging() async {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [LoggingObserver(slowThreshold: .seconds(2))]
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        await dispatcher.shutdown()
    }

    /// Collects lines.
    private final class Journal: Sendable {
        let lines = Locked<[String]>([])
        func append(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test func ownOutput() async throws {
        let journal = Journal()
        let log = LoggingObserver(minimumLevel: .notice) { level, line in
            journal.append("\(level): \(line)")
        }

        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [log]
        let transport = MockTransport { _ in MockAnswer(.notFound) }
        let dispatcher = URLRequestDispatcher(configuration: configuration, transport: transport)
        _ = try await dispatcher.data(for: request)
        #expect(journal.lines.withLock { $0.first?.hasPrefix("notice: event=exchange ") } == true)
    }

    @Test func bodies() async throws {
        let journal = Journal()
        var configuration = URLRequestDispatcher.Configuration()
        do {
            let log = LoggingObserver(bodies: .upTo(500))

            configuration.observers.append(log)
        }
        do {
            let log = LoggingObserver(bodies: .upTo(500))
            let strict = LoggingObserver(bodies: .upTo(500, hiding: LoggingObserver.Bodies.usualSecrets + ["iban"]))

            configuration.observers = [log, strict].map { observer in
                var observer = observer
                observer.output = { _, line in journal.append(line) }
                return observer
            }
        }
        let answer = MockAnswer(.ok, headers: ["Content-Type": "application/json"], body: #"{"iban":"x","otp":1}"#)
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            transport: MockTransport(answers: [answer])
        )
        _ = try await dispatcher.data(for: request)
        let lines = journal.lines.withLock { $0 }
        #expect(lines.first?.hasSuffix(#" response_body="{\"iban\":\"x\",\"otp\":\"<redacted>\"}""#) == true)
        #expect(lines.last?.hasSuffix(#" response_body="{\"iban\":\"<redacted>\",\"otp\":\"<redacted>\"}""#) == true)
    }

    @Test func counting() async {
        let statistics = Statistics()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [statistics]
        let dispatcher = URLRequestDispatcher(configuration: configuration)

        await dispatcher.shutdown()
    }

    /// The response of some server's framework.
    private struct Response {
        let contentType: String
        let body: String
    }

    private func metrics(_ statistics: Statistics, _ print: Printed) -> Response {
        let snapshot = statistics.snapshot()
        print(snapshot.origins["https://example.com:443"]?.duration.quantile(0.95) ?? .zero)
        print(snapshot)
        return Response(contentType: "text/plain; version=0.0.4; charset=utf-8", body: snapshot.prometheusText)
    }

    @Test func snapshots() async throws {
        let statistics = Statistics()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [statistics]
        try await send(configuration)
        let print = Printed()
        let response = metrics(statistics, print)
        #expect(print.lines.last?.contains("https://example.com:443: 1 exchanges, 0 in flight") == true)
        #expect(response.body.contains(#"piupiu_exchanges_started_total{origin="https://example.com:443"} 1"#))
        #expect(response.contentType.hasPrefix("text/plain"))
    }

    struct SlowHosts: ExchangeObserver {
        let hosts: AsyncStream<String>.Continuation

        func observe(_ event: ExchangeEvent) {
            guard case .exchangeEnded(let summary) = event.kind, summary.duration > .seconds(2) else { return }
            if let exchange = event.exchange { hosts.yield(exchange.host) }
        }
    }

    @Test func ownObserver() async throws {
        var configuration = URLRequestDispatcher.Configuration()
        let (hosts, continuation) = AsyncStream<String>.makeStream()
        configuration.observers = [SlowHosts(hosts: continuation)]
        try await send(configuration)
        continuation.finish()
        // How many there are depends on the machine.
        for await host in hosts { #expect(host == "example.com") }
    }

    @Test func orderOfEvents() async throws {
        let checker = EventOrderChecker()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [checker]
        try await send(configuration)
        #expect(checker.order.exchangeCount == 1)
    }

    /// The sample is compiled; its request would go to the network.
    private func checkOrder() async throws {
        let checker = EventOrderChecker()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [checker]
        let dispatcher = URLRequestDispatcher(configuration: configuration)
        _ = try await dispatcher.data(for: request)
        await dispatcher.shutdown()
        #expect(checker.order.violations == [])
        #expect(checker.order.openExchangeCount == 0)
    }
}
