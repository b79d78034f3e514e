import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuCore

/// What reports an exchange, and what it keeps.
struct ExchangeReporterTests {
    private let recorder = EventRecorder()

    private func exchange(_ observers: ObserverList) throws -> ObservedExchange {
        let call = observers.begin(observedRequest())
        let number = try #require(call.next())
        return ObservedExchange(observedRequest(), of: call, number: number, redirectCount: 0, observers)
    }

    @Test func oneEndIsReportedAndNothingAfterIt() throws {
        let observers = ObserverList([recorder], clock: nil)
        let exchange = try exchange(observers)
        // The recorder keeps the call, which keeps its observers up to its end.
        defer { exchange.call.end(.cancelled) }
        let (reporter, kept) = try #require(exchange.takeReporter())
        #expect(kept === observers && exchange.takeReporter() == nil)
        reporter.report(.requestSent)
        reporter.end(.response(StatusCode(rawValue: 200)))
        reporter.end(.cancelled)
        reporter.report(.requestSent)
        reporter.headArrived(StatusCode(rawValue: 200), RawHead(bytes: []))
        #expect(recorder.state.texts.dropFirst() == ["1 sent", "1 over 200"])
    }

    /// A transport's error may hold the request, which holds the exchange.
    @Test func anErrorIsNotKept() throws {
        struct Rejection: Error {
            let request: TransportRequest
        }
        let observers = ObserverList([SilentObserver()], clock: nil)
        weak var ended: ObservedExchange?
        do {
            let exchange = try exchange(observers)
            defer { exchange.call.end(.cancelled) }
            ended = exchange
            var request = observedRequest()
            request.observation = .exchange(exchange)
            ObservingTransport.end(request, Rejection(request: request))
        }
        #expect(ended == nil)
    }

    /// An observer may keep exchanges for long.
    @Test func anExchangeThatIsOverKeepsNothing() throws {
        let observers = ObserverList([LogLines().observer(bodies: .upTo(5)), recorder], clock: nil)
        let exchange = try exchange(observers)
        defer { exchange.call.end(.cancelled) }
        let (reporter, kept) = try #require(exchange.takeReporter())
        reporter.connectionTaken(ObservedConnection(isReused: true))
        Array("secret".utf8).withUnsafeBytes { reporter.bodyReceived($0, isDecoded: false) }
        #expect(exchange.notes.details != nil && exchange.notes.connection != nil)
        withExtendedLifetime(kept) { reporter.end(.cancelled) }
        #expect(exchange.notes.details == nil && exchange.notes.connection == nil && exchange.notes.observers == nil)
    }

    /// The first attempt of a hedged call can fail after the second.
    @Test func theFailureThatCameLastIsThatOfTheCall() {
        let call = observedCall()
        #expect(call.next() == 1 && call.next() == 2 && call.lastFailure == nil)
        call.exchangeFailed("tls")
        call.exchangeFailed("timeout(idle)")
        #expect(call.lastFailure == "timeout(idle)")
        #expect(call.next() == 3 && call.lastFailure == nil)
    }

    @Test func aCallAndItsOnlyExchangeBeginTogetherUnlessSomethingComesBetween() async throws {
        var configuration = URLRequestDispatcher.Configuration()
        configuration.observers = [recorder]
        let dispatcher = URLRequestDispatcher(
            configuration: configuration,
            transport: ScriptedTransport { .scripted(200, for: $0, body: "hello") }
        )
        _ = try await dispatcher.data(for: Fixture.request)
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try await dispatcher.download(for: Fixture.request, to: file).response()
        let exchanges = recorder.state.events.compactMap { event in
            if case .exchangeStarted = event.kind { event.exchange } else { nil }
        }
        try #require(exchanges.count == 2)
        #expect(exchanges[0].startedAt == exchanges[0].call.startedAt)
        #expect(exchanges[1].startedAt > exchanges[1].call.startedAt)
    }
}

private struct SilentObserver: ExchangeObserver {
    func observe(_ event: ExchangeEvent) {}
}
