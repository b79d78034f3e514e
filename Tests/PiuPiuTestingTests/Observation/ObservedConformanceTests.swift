#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import Testing

/// Every case of the conformance suite, cancel storms included, with an observer that checks the order of events.
@Suite(.timeLimit(.generous))
struct ObservedConformanceTests {
    @Test(.serialized, arguments: TransportConformance.cases)
    func everyStartHasOneEndInOrder(_ example: TransportConformance.Case) async throws {
        let observed = Locked<[(transport: any HTTPTransport, checker: EventOrderChecker)]>([])
        let suite = TransportConformance { configuration in
            let checker = EventOrderChecker()
            let transport = ObservingTransport(try SocketTransport(configuration: configuration), observers: [checker])
            observed.withLock { $0.append((transport, checker)) }
            return transport
        }
        try await suite.run(example)
        for (transport, checker) in observed.withLock({ $0 }) {
            await transport.shutdown()
            let order = checker.order
            #expect(order.violations == [])
            #expect(order.openExchangeCount == 0)
            #expect(order.openCallCount == 0)
        }
    }
}
#endif
