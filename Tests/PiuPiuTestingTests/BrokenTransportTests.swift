#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

/// Transports with one fault each, which the suite has to find.
@Suite(.timeLimit(.generous))
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
            make = { Alteration(of: try SocketTransport(configuration: $0), send: send) }
        }
    }

    /// The cases that find a fault because nothing happens, which takes as long as a case may take.
    private static let silent: [String: Set<String>] = [
        "collects streams": ["streams.headFirst", "streams.pieces"],
        "collects uploads": ["uploads.streamed"],
        "does not shut down": ["shutdown.idle"],
        "drops the last byte of streams": ["streams.pieces"],
        "ignores cancellation": ["cancellation.beforeTheHead"],
        "ignores the deadline": ["timeouts.deadline", "timeouts.past"],
        "ignores time limits": ["timeouts.head", "timeouts.idle", "timeouts.total", "timeouts.stream"],
        "is not invalidated": ["shutdown.invalidated", "streamEnds.invalidated"],
        "keeps streams that were dropped": ["streamEnds.dropped"],
        "lets go of what is cancelled without closing it": ["cancellation.beforeTheHead"],
        "tells no progress": ["progress.download", "progress.upload"],
        "tells progress at the end": ["progress.download"],
    ]

    private func check(_ fault: Fault) async throws {
        for name in fault.foundBy {
            let isSilent = Self.silent[fault.testDescription]?.contains(name) == true
            let suite = TransportConformance(timeLimit: .seconds(isSilent ? 1 : 600), makeTransport: fault.make)
            let failure = await #expect(throws: ConformanceFailure.self, "\(name)") { try await suite.run(named(name)) }
            #expect(failure?.name == name)
            // A case that is only slow finds nothing.
            #expect(isSilent || failure?.seen != "it goes on", "\(name)")
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
