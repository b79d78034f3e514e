import PiuPiuAsync
import PiuPiuTesting
import TestSupport
import Testing

/// The mock does what the real transports do, wherever that can be seen without a network.
@Suite(.timeLimit(.generous))
struct MockConformanceTests {
    private let suite = TransportConformance(peer: MockPeer.init, knownGaps: gaps) { _, peer in peer.transport() }

    private static let gaps: [TransportConformance.Gap] = []

    @Test(arguments: TransportConformance.cases.filter { $0.kind == .semantics })
    func conforms(_ example: TransportConformance.Case) async throws {
        try await suite.run(example)
    }

    @Test func aCaseThatNeedsAServerSaysSo() async throws {
        let example = try #require(TransportConformance.cases.first { $0.kind == .wire })
        let failure = await #expect(throws: ConformanceFailure.self) { try await suite.run(example) }
        #expect(failure?.expected.contains("a peer with a server") == true)
    }
}
