#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import Testing

/// Every case of the conformance suite, cancel storms included, with an observer that checks the order of events.
@Suite(.serialized)
struct ObservedConformanceTests {
    @Test(arguments: TransportConformance.cases)
    func everyStartHasOneEndInOrder(_ example: TransportConformance.Case) async throws {
        // One for each transport, because their calls have the same numbers.
        let checkers = Locked<[EventOrderChecker]>([])
        let transports = Locked<[any HTTPTransport]>([])
        let suite = TransportConformance { configuration in
            let checker = EventOrderChecker()
            checkers.withLock { $0.append(checker) }
            let transport = ObservingTransport(try CurlTransport(configuration: configuration), observers: [checker])
            transports.withLock { $0.append(transport) }
            return transport
        }
        try await suite.run(example)
        for transport in transports.withLock({ $0 }) { await transport.shutdown() }
        for order in checkers.withLock({ $0 }).map(\.order) {
            #expect(order.violations == [])
            #expect(order.openExchangeCount == 0)
            #expect(order.openCallCount == 0)
        }
    }
}
#endif
