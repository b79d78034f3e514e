#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import Testing
@testable import PiuPiuCurl

/// Tests that every case also passes if a loop has several engines, as it has from 1,024 connections on.
///
/// One after the other, as in ``CurlConformanceTests``.
@Suite(.serialized, .timeLimit(.generous))
struct SeveralEnginesTests {
    let suite = TransportConformance {
        try CurlTransport(configuration: $0, library: CurlLibrary.shared.get(), connectionsPerEngine: 1)
    }

    @Test(arguments: TransportConformance.cases)
    func conforms(_ example: TransportConformance.Case) async throws {
        try await suite.run(example)
    }
}
#endif
