#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import Testing

/// Transports with one fault each, which the suite has to find.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct BrokenTransportTests {
    /// A fault, and the cases that find it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let foundBy: [String]
        let make: @Sendable (TransportConfiguration) throws -> any HTTPTransport

        /// A fault of the whole transport.
        init(
            _ name: String,
            foundBy: String...,
            make: @escaping @Sendable (TransportConfiguration) throws -> any HTTPTransport
        ) {
            testDescription = name
            self.foundBy = foundBy
            self.make = make
        }

        /// A fault in sending.
        init(_ name: String, foundBy: String..., send: @escaping Alteration.Send) {
            testDescription = name
            self.foundBy = foundBy
            make = { Alteration(of: try CurlTransport(configuration: $0), send: send) }
        }
    }

    private func check(_ fault: Fault) async throws {
        // Some are found because nothing happens.
        let suite = TransportConformance(timeLimit: .seconds(1), makeTransport: fault.make)
        for name in fault.foundBy {
            let failure = await #expect(throws: ConformanceFailure.self, "\(name)") { try await suite.run(named(name)) }
            #expect(failure?.name == name)
        }
        // It is this fault that was found, and not that nothing works.
        try await TransportConformance(makeTransport: fault.make).run(named("heads.fields"))
    }

    @Test(arguments: BrokenResponses.faults)
    func aFaultInResponsesIsFound(_ fault: Fault) async throws { try await check(fault) }

    @Test(arguments: BrokenRequests.faults)
    func aFaultInRequestsIsFound(_ fault: Fault) async throws { try await check(fault) }

    @Test(arguments: BrokenPolicies.faults)
    func aPolicyIsFound(_ fault: Fault) async throws { try await check(fault) }

    @Test(arguments: BrokenLimits.faults)
    func aLimitThatIsNotKeptIsFound(_ fault: Fault) async throws { try await check(fault) }

    @Test(arguments: BrokenEnds.faults)
    func anEndThatIsNoneIsFound(_ fault: Fault) async throws { try await check(fault) }
}
#endif
