/// A transport that reports its exchanges to observers.
///
/// Each exchange has a start and an end, even if the inner transport reports nothing. If the request of an exchange belongs to
/// no call, because an interceptor created it, it is a call of its own. So is an exchange whose call has ended: a call can
/// leave work that it shared to others.
package final class ObservingTransport: HTTPTransport {
    let base: any HTTPTransport
    /// Whether the inner transport reports its events itself.
    private let isReporting: Bool
    private let observers: ObserverList

    /// Creates a transport around one that sends requests.
    package convenience init(_ base: any HTTPTransport, observers: [any ExchangeObserver]) {
        self.init(base, ObserverList(observers, clock: base.clock))
    }

    package init(_ base: any HTTPTransport, _ observers: ObserverList) {
        self.base = base
        isReporting = base is any ReportingTransport
        self.observers = observers
    }

    package var clock: TransferClock? { base.clock }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await send(request, isImmediate: false)
    }

    /// Sends a request.
    ///
    /// `isImmediate` means that there was nothing between the call and the exchange, so that both began at the same time. The
    /// function is inlined, because a separate frame for each waiting request costs more than all events.
    @inline(__always)
    package func send(_ request: TransportRequest, isImmediate: Bool) async throws -> TransportResponse {
        guard let request = begin(request, isImmediate: isImmediate) else { return try await sendAlone(request) }
        do {
            let response = try await base.send(request)
            // Not passed through a function that returns it, which would count references to its parts.
            guard let (reporter, observers) = openReporter(of: request) else { return response }
            return Self.report(response, to: request, reporter, observers)
        } catch {
            Self.end(request, error)
            throw error
        }
    }

    /// Starts an exchange, and returns the request to send; `nil` if it belongs to no call, or to one that has ended.
    ///
    /// Not inlined, because its locals would otherwise be in the frame of each waiting request.
    @inline(never)
    private func begin(_ request: TransportRequest, isImmediate: Bool) -> TransportRequest? {
        guard let call = request.observation?.call, let number = isImmediate ? call.takeFirstNumber() : call.next()
        else {
            return nil
        }
        let tap = observers.bodyLimit > 0 && request.body != nil ? BodyTap(limit: observers.bodyLimit) : nil
        let exchange = ObservedExchange(
            isImmediate ? nil : request.described,
            of: call,
            number: number,
            redirectCount: isImmediate ? 0 : request.observation?.redirectCount ?? 0,
            tap: tap,
            start: isImmediate ? call.start : nil,
            observers
        )
        observers.report(.exchangeStarted, of: exchange)
        var observed = request
        observed.observation = .exchange(exchange)
        if let tap { observed.body?.tap = tap }
        observers.addFields(to: &observed, for: exchange)
        return observed
    }

    /// Takes the reporter of a request after its response; `nil` if the inner transport took it, as one that reports itself
    /// always does.
    @inline(__always)
    private func openReporter(of request: TransportRequest) -> (reporter: ExchangeReporter, observers: ObserverList)? {
        isReporting ? nil : Self.reporter(of: request)
    }

    /// Takes the reporter of a request's exchange; `nil` if it has none, or the inner transport took it.
    @inline(__always)
    private static func reporter(of request: TransportRequest) -> (reporter: ExchangeReporter, observers: ObserverList)?
    {
        guard case .exchange(let exchange)? = request.observation else { return nil }
        return exchange.takeReporter()
    }

    /// Ends an exchange with an error, unless the inner transport ended it.
    static func end(_ request: TransportRequest, _ error: any Error) {
        guard let (reporter, observers) = reporter(of: request) else { return }
        withExtendedLifetime(observers) { reporter.end(ObservedOutcome(error)) }
    }

    /// Reports the response of a transport that reports nothing itself.
    ///
    /// The body of the returned response is observed if it is a stream and an observer needs it.
    private static func report(
        _ response: TransportResponse,
        to request: TransportRequest,
        _ reporter: ExchangeReporter,
        _ observers: ObserverList
    ) -> TransportResponse {
        defer { withExtendedLifetime(observers) {} }
        let (head, statusCode) = (response.head, response.head.statusCode)
        let tap = observers.bodyLimit > 0 ? BodyTap(limit: observers.bodyLimit) : nil
        let isDecoded = tap != nil && request.decodesContent
        reporter.headArrived(statusCode, ObservedHead(response.record))
        guard let stream = response.stream else {
            if let body = response.body { tap?.observe(body) }
            let body = tap?.responseBody(head, isComplete: true, isDecoded: isDecoded)
            reporter.end(.response(statusCode), head.metrics, body)
            return response
        }
        var observed = response
        if let tap { observed.stream = stream.observed(by: tap) }
        // The closure must not hold the response, which would prevent the body from being abandoned.
        stream.onEnd { end in
            let isComplete = if case .complete = end { true } else { false }
            let body = tap?.responseBody(head, isComplete: isComplete, isDecoded: isDecoded)
            withExtendedLifetime(observers) { reporter.end(ObservedOutcome(end, statusCode), head.metrics, body) }
        }
        return observed
    }

    /// Sends a request that belongs to no call, or to one that has ended.
    private func sendAlone(_ request: TransportRequest) async throws -> TransportResponse {
        // Don't start the rest of a cancelled call.
        if request.observation != nil { try Task.checkCancellation() }
        let redirectCount = request.observation?.redirectCount ?? 0
        let call = observers.begin(request)
        var request = request
        request.observation = redirectCount > 0 ? .redirect(ObservedRedirect(call, count: redirectCount)) : .call(call)
        do {
            let response = try await send(request)
            let statusCode = response.head.statusCode
            guard let stream = response.stream else {
                call.end(.response(statusCode))
                return response
            }
            stream.onEnd { call.end(ObservedOutcome($0, statusCode)) }
            return response
        } catch {
            call.end(ObservedOutcome(error))
            throw error
        }
    }

    package func shutdown() async { await base.shutdown() }

    package func invalidateAndCancel() { base.invalidateAndCancel() }
}
