#if os(Linux)
import PiuPiuAsync
import PiuPiuCurl
import PiuPiuTesting
import SuiteSupport
import Testing

/// The transport over libcurl passes every case, without a gap.
///
/// One after the other: servers that send without end, many at a time, keep each other from sending in a sanitizer's build.
@Suite(.serialized, .timeLimit(.generous))
struct CurlConformanceTests {
    let suite = TransportConformance { try CurlTransport(configuration: $0) }

    @Test(arguments: TransportConformance.cases)
    func conforms(_ example: TransportConformance.Case) async throws {
        try await suite.run(example)
    }
}
#endif
