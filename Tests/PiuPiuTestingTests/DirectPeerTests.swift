import PiuPiuAsync
import PiuPiuTesting
import Testing

/// Cases of the kind `semantics` need no network.
@Suite(.timeLimit(.minutes(1)))
struct DirectPeerTests {
    private static let families = ["heads", "bodies", "withoutBody", "policies", "cancellation"]
    private let suite = TransportConformance(peer: DirectPeer.init) { _, peer in peer.transport() }

    @Test(
        arguments: TransportConformance.cases.filter { example in
            example.kind == .semantics && families.contains { example.name.hasPrefix($0 + ".") }
        }
    )
    func aTransportInMemoryConforms(_ example: TransportConformance.Case) async throws {
        try await suite.run(example)
    }

    @Test func aCaseThatNeedsAServerSaysSo() async throws {
        let example = try #require(TransportConformance.cases.first { $0.kind == .wire })
        let failure = await #expect(throws: ConformanceFailure.self) { try await suite.run(example) }
        #expect(failure?.expected.contains("a peer with a server") == true)
    }
}
