import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport

@testable import PiuPiuCore
@testable import PiuPiuPolicies

/// An exchange that no dispatcher makes, in a call of its own unless it is given one.
func observedExchange(
    _ url: URL? = Fixture.url,
    method: String? = "GET",
    attempts: [Attempt] = [],
    redirectCount: Int = 0,
    of call: ObservedCall? = nil
) -> ObservedExchange {
    let request = observedRequest(url, method: method, attempts: attempts)
    let call = call ?? observedCall(request)
    // A call without observers has none to take.
    let (number, observers) = (call.next() ?? 0, call.openObservers ?? ObserverList([], clock: nil))
    return ObservedExchange(request.described, of: call, number: number, redirectCount: redirectCount, observers)
}

func observedCall(_ request: TransportRequest = observedRequest()) -> ObservedCall {
    ObservedCall(request, ObserverList([], clock: TransferClock(ManualClock())))
}

func observedRequest(
    _ url: URL? = Fixture.url,
    method: String? = "GET",
    attempts: [Attempt] = []
) -> TransportRequest {
    var urlRequest = Fixture.request
    // Foundation on Linux traps if a request without a URL is changed.
    if let method { urlRequest.httpMethod = method }
    urlRequest.url = url
    let request = TransportRequest(urlRequest, options: RequestOptions())
    for attempt in attempts.dropFirst() { request.beginAttempt(attempt.cause) }
    return request
}

/// Takes the lines of a ``LoggingObserver``.
final class LogLines: Sendable {
    typealias Line = (level: LoggingObserver.Level, text: String)

    private let state = Locked<[Line]>([])

    var all: [Line] { state.withLock { $0 } }
    var texts: [String] { all.map(\.text) }
    var levels: [LoggingObserver.Level] { all.map(\.level) }

    func observer(
        from level: LoggingObserver.Level = .debug,
        slowThreshold: Duration? = nil,
        bodies: LoggingObserver.Bodies = .none
    ) -> LoggingObserver {
        LoggingObserver(minimumLevel: level, slowThreshold: slowThreshold, bodies: bodies) { level, line in
            self.state.withLock { $0.append((level, line)) }
        }
    }
}

/// Counts the events of one kind, so that a test can wait for them.
final class EventTally: ExchangeObserver {
    let tally = Tally()
    private let isCounted: @Sendable (ExchangeEvent.Kind) -> Bool

    init(_ isCounted: @escaping @Sendable (ExchangeEvent.Kind) -> Bool) {
        self.isCounted = isCounted
    }

    func observe(_ event: ExchangeEvent) {
        if isCounted(event.kind) { tally.add() }
    }
}
