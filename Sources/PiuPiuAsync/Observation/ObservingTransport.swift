/// A transport whose exchanges are observed.
///
/// Each exchange has a start and an end, whatever the transport inside reports. An exchange whose request belongs to no call,
/// because an interceptor created it, is a call of its own. So is one whose call has ended: a call can leave work that it
/// shared to others.
package struct ObservingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let observers: ObserverList

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - base: The transport that sends.
    ///   - observers: The observers.
    package init(_ base: any HTTPTransport, observers: [any ExchangeObserver]) {
        self.init(base, ObserverList(observers, clock: base.clock))
    }

    init(_ base: any HTTPTransport, _ observers: ObserverList) {
        self.base = base
        self.observers = observers
    }

    package var clock: TransferClock? { base.clock }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let observation = request.observation else { return try await sendAlone(request, redirectCount: 0) }
        guard let number = observation.call.next()?.number else {
            // Nobody waits for the rest of a cancelled call.
            try Task.checkCancellation()
            return try await sendAlone(request, redirectCount: observation.redirectCount)
        }
        var request = request
        if observers.bodyLimit > 0 { request.body?.tap = BodyTap(limit: observers.bodyLimit) }
        let exchange = ObservedExchange(
            request,
            of: observation.call,
            number: number,
            redirectCount: observation.redirectCount,
            observers
        )
        observers.report(.exchangeStarted, of: exchange)
        observers.addFields(to: &request, for: exchange)
        request.observation = .exchange(exchange)
        do {
            let response = try await base.send(request)
            guard let observers = exchange.takeObservers() else { return response }
            return Self.report(response, to: request, of: exchange, observers)
        } catch {
            exchange.takeObservers()?.end(exchange, ObservedOutcome(error), nil)
            throw error
        }
    }

    /// Reports what a transport returned that reports nothing itself.
    ///
    /// - Returns: The response, whose body is observed if it is a stream and an observer wants it.
    private static func report(
        _ response: TransportResponse,
        to request: TransportRequest,
        of exchange: ObservedExchange,
        _ observers: ObserverList
    ) -> TransportResponse {
        let (head, statusCode) = (response.head, response.head.statusCode)
        let tap = observers.bodyLimit > 0 ? BodyTap(limit: observers.bodyLimit) : nil
        let isDecoded = tap != nil && request.decodesContent
        observers.headArrived(statusCode, ObservedHead(response.record), of: exchange)
        guard let stream = response.stream else {
            if let body = response.body { tap?.observe(body) }
            let body = tap?.responseBody(head, isComplete: true, isDecoded: isDecoded)
            observers.end(exchange, .response(statusCode), statusCode, nil, head.metrics, body)
            return response
        }
        var observed = response
        if let tap { observed.stream = stream.observed(by: tap) }
        // Must not hold the response, which would keep its body from being abandoned.
        stream.onEnd { end in
            let isComplete = if case .complete = end { true } else { false }
            let body = tap?.responseBody(head, isComplete: isComplete, isDecoded: isDecoded)
            observers.end(exchange, ObservedOutcome(end, statusCode), statusCode, nil, head.metrics, body)
        }
        return observed
    }

    /// Sends a request that belongs to no call, or to none that goes on.
    private func sendAlone(_ request: TransportRequest, redirectCount: Int) async throws -> TransportResponse {
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
