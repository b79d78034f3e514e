#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

/// The transport that comes with the package passes every case, without a gap.
///
/// It is also the sample of the documentation, as it stands there.
@Suite(.serialized)
struct TransportTests {
    let suite = TransportConformance { try SocketTransport(configuration: $0) }

    @Test(arguments: TransportConformance.cases)
    func conforms(_ example: TransportConformance.Case) async throws {
        try await suite.run(example)
    }
}

@Suite(.timeLimit(.generous))
struct GapSampleTests {
    @Test func aGapThatIsClosedIsAFailure() async throws {
        let suite = TransportConformance(
            knownGaps: [.init("framing.trailers", reason: "The library below adds them to the head.")]
        ) { try SocketTransport(configuration: $0) }

        let example = try #require(TransportConformance.cases.first { $0.name == "framing.trailers" })
        let failure = await #expect(throws: ConformanceFailure.self) { try await suite.run(example) }
        #expect(failure?.expected.contains("adds them to the head") == true)
        #expect(failure?.seen == "it passes now")
    }
}
#endif
