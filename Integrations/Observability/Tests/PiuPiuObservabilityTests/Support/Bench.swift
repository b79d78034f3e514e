import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import PiuPiuAsync
import PiuPiuTesting
import Tracing

@testable import PiuPiuObservability

/// A server, a dispatcher with the three observers, and what the observers report, in memory.
struct Bench {
    let server: LoopbackServer
    let dispatcher: URLRequestDispatcher
    let tracer = InMemoryTracer()
    let factory = TestMetrics()
    let log = InMemoryLogHandler()
    let tracing: TracingObserver
    let measuring: MetricsObserver
    let logging: LoggerObserver

    init(
        interceptors: [any Interceptor] = [],
        tracing: (InMemoryTracer) -> TracingObserver = { TracingObserver(tracer: $0) },
        measuring: (TestMetrics) -> MetricsObserver = { MetricsObserver(factory: $0) },
        logging: (Logger) -> LoggerObserver = { LoggerObserver($0) },
        configure: (inout URLRequestDispatcher.Configuration) -> Void = { _ in }
    ) throws {
        server = try LoopbackServer()
        self.tracing = tracing(tracer)
        self.measuring = measuring(factory)
        self.logging = logging(Self.logger(log))
        var configuration = URLRequestDispatcher.Configuration()
        configuration.transport.proxy = .none
        configuration.timeouts = Timeouts(queue: .seconds(60), connect: .seconds(60), total: .seconds(60))
        configuration.observers = [self.tracing, self.measuring, self.logging]
        configure(&configuration)
        dispatcher = URLRequestDispatcher(configuration: configuration, interceptors: interceptors)
    }

    static func logger(_ handler: InMemoryLogHandler, provider: Logger.MetadataProvider? = nil) -> Logger {
        var handler = handler
        handler.logLevel = .trace
        handler.metadataProvider = provider
        return Logger(label: "test") { [handler] _ in handler }
    }

    // MARK: What was reported

    var spans: [FinishedInMemorySpan] { tracer.finishedSpans }

    var lines: [InMemoryLogHandler.Entry] { log.entries }

    /// The timers with their labels, sorted.
    var timers: [TestTimer] {
        factory.timers.sorted { $0.dimensions.text < $1.dimensions.text }
    }

    /// Whether no observer keeps anything, and no span and no request is open.
    var isSettled: Bool {
        tracing.openSpanCount == 0 && measuring.activeCount == 0 && logging.openCount == 0
            && tracer.activeSpans.isEmpty && factory.meters.allSatisfy { $0.lastValue == 0 }
    }
}

extension [(String, String)] {
    /// The labels in one line, without those that differ from server to server.
    var text: String {
        filter { !["server.address", "server.port", "url.scheme"].contains($0.0) }.map { "\($0.0)=\($0.1)" }
            .joined(separator: " ")
    }
}

extension FinishedInMemorySpan {
    /// The attributes as text.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        attributes.forEach { name, value in
            texts[name] =
                switch value {
                case .string(let text): text
                case .int64(let number): "\(number)"
                case .int32(let number): "\(number)"
                default: "\(value)"
                }
        }
        return texts
    }

    /// Whether the span's status is that of an error.
    var isError: Bool {
        switch status?.code {
        case .error: true
        default: false
        }
    }
}

extension InMemoryLogHandler.Entry {
    subscript(key: String) -> String? { metadata[key].map { "\($0)" } }
}

extension RetryPolicy {
    /// Without waiting.
    static let prompt = RetryPolicy(backoff: Backoff(base: .zero), budget: nil)
}
