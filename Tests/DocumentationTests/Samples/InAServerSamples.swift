import Dispatch
import PiuPiuAsync

typealias ClientResponse<Body> = PiuPiuAsync.Response<Body>
typealias ClientBody = PiuPiuAsync.RequestBody
typealias ClientMethod = PiuPiuAsync.HTTPMethod

/// Returns when the process is asked to end, by SIGTERM or Ctrl-C, or when the task is cancelled.
func untilTerminated() async {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    let end: @Sendable () -> Void = { continuation.finish() }
    let sources = [SIGTERM, SIGINT].map { number in
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: end)
        source.activate()
        #if canImport(Darwin)
        signal(number, SIG_IGN)
        #endif
        return source
    }
    for await _ in signals {}
    for source in sources { source.cancel() }
}

/// The samples of the article on servers.
struct InAServerSamples {
    struct Price: Codable, Sendable { var cents: Int }
    struct Stock: Codable, Sendable { var count: Int }
    struct Offer: Sendable { var price: Price; var stock: Stock? }

    private func start(_ inventory: URL) -> URLRequestDispatcher {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.baseURL = inventory
        configuration.timeouts = Timeouts(queue: .seconds(1), connect: .seconds(1), total: .seconds(3))
        configuration.connections = ConnectionLimits(perHost: 64, total: 512)
        configuration.maximumBufferedBody = 4 << 20
        let inventoryAPI = URLRequestDispatcher(
            configuration: configuration,
            interceptors: [Coalescing(), RetryPolicy(retries: 1), CircuitBreaker()]
        )
        return inventoryAPI
    }

    private func offer(_ prices: URLRequestDispatcher, _ inventoryAPI: URLRequestDispatcher, id: Int) async throws
        -> Offer
    {
        let deadline = ContinuousClock.now + .milliseconds(800)
        func inTime(_ dispatcher: URLRequestDispatcher) -> RequestOptions {
            dispatcher.configuration.options.with { $0.deadline = deadline }
        }
        async let price: Price = prices.get("/prices/\(id)", options: inTime(prices))
        async let stock: Stock? = try? inventoryAPI.get("/stock/\(id)", options: inTime(inventoryAPI))
        return try await Offer(price: price, stock: stock)
    }

    /// What the handler knows of the request that it answers.
    enum Incoming {
        @TaskLocal static var traceparent: String?
        @TaskLocal static var deadline: ContinuousClock.Instant?
    }

    /// Passes on the trace, and the time that is left.
    struct PassingOn: ExchangeObserver {
        let hosts: Set<String>

        func observe(_ event: ExchangeEvent) {}

        func headerFields(for exchange: ObservedExchange) -> HTTPHeaderFields {
            var fields = HTTPHeaderFields()
            guard hosts.contains(exchange.host) else { return fields }
            if let trace = Incoming.traceparent { fields.append(name: "traceparent", value: trace) }
            if let deadline = Incoming.deadline {
                let left = exchange.startedAt.duration(to: deadline) / .milliseconds(1)
                fields.append(name: "X-Time-Left", value: "\(Int(max(0, left)))")
            }
            return fields
        }
    }

    private func stock(_ inventoryAPI: URLRequestDispatcher, id: Int) async throws -> Stock? {
        do {
            return try await inventoryAPI.get("/stock/\(id)")
        } catch TransportError.Code.timeout {
            return nil
        } catch is CircuitBreaker.OpenError, StatusCode.notFound {
            return nil
        }
    }

    /// The status of a gateway's answer after a failed call.
    func status(for error: any Error) -> StatusCode {
        switch error {
        case is LimitError, is CircuitBreaker.OpenError: .serviceUnavailable
        case TransportError.Code.shutDown, TransportError.Code.timeout(.queue): .serviceUnavailable
        case TransportError.Code.timeout: .gatewayTimeout
        default: .badGateway
        }
    }

    private func stop(_ dispatcher: URLRequestDispatcher, _ stopServer: () async -> Void) async {
        await untilTerminated()
        await stopServer()
        await dispatcher.shutdown(gracePeriod: .seconds(20))
    }

    private func observed() -> URLRequestDispatcher.Configuration {
        let statistics = Statistics()
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [statistics, LoggingObserver(minimumLevel: .notice)]
        _ = statistics; return configuration
    }

    private func template(_ dispatcher: URLRequestDispatcher, _ id: Int) async throws -> Stock {
        var options = dispatcher.configuration.options
        options.routeTemplate = "/stock/{id}"
        let stock: Stock = try await dispatcher.get("/stock/\(id)", options: options)
        return stock
    }
}
