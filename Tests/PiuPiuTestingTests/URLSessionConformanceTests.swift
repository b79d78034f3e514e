#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

/// What `URLSession` does of the conformance suite on Linux, and what it cannot do, each with the reason.
///
/// A canary is a case of `FoundationCanaries` that shows the fault in Foundation itself, and fails once it is gone.
///
/// The cases run one after the other: beside others, Foundation leaves a session alone for seconds under a sanitizer.
@Suite(.serialized, .timeLimit(.generous), .urlSession)
struct URLSessionConformanceTests {
    private static let gaps: [TransportConformance.Gap] = [
        .init("heads.lines", reason: "HTTPURLResponse joins lines of one name (canary 34)."),
        .init("heads.noReason", reason: "Foundation's parser wants a reason phrase."),
        .init("heads.whiteSpace", reason: "Foundation wants a space after the colon (canary 31)."),
        .init("heads.latin1", reason: "Foundation's parser decodes each line as UTF-8."),
        .init("framing.trailers", reason: "Foundation ends the process at a trailer (canary 7).", isRun: false),
        .init("encodings.callersOwn", reason: "Foundation decompresses every body (canary 52), which is refused."),
        .init(
            "faults.closedInsideTheHead",
            reason: "libcurl takes a length that was read for the end of the head."
        ),
        .init("uploads.framing", reason: "Streams are collected: Foundation takes nothing yet for their end."),
        .init("uploads.streamed", reason: "Streams are collected before they are sent; see uploads.framing."),
        .init("uploads.backpressure", reason: "Streams are collected before they are sent; see uploads.framing."),
        .init("uploadEnds.noConnection", reason: "Streams are collected before there is a connection."),
        .init("streams.backpressure", reason: "Resuming a task of Foundation's sends it again (canary 15)."),
        .init("timeouts.connect", reason: "Foundation never says when a connection stands; idle and head apply."),
        .init(
            "limits.endlessBody",
            reason: "Foundation may take a minute to carry out a cancel during a fast download.",
            isRun: false
        ),
        .init("limits.longLine", reason: "libcurl's own limit of 100 KiB a line comes as an error of its writer."),
        .init("reuse.afterAnError", reason: "Whether the rest arrives before the cancel is a race.", isRun: false),
    ]

    @Test(arguments: TransportConformance.cases)
    func conforms(_ example: TransportConformance.Case) async throws {
        // A gap may show itself by going on forever; anything else may be slow if much is done at once.
        let isGap = Self.gaps.contains { $0.name == example.name }
        let suite = TransportConformance(knownGaps: Self.gaps, timeLimit: .seconds(isGap ? 10 : 300)) {
            URLSessionTransport(configuration: $0)
        }
        try await suite.run(example)
    }

    // As limits.endlessBody, but without another request behind it.
    @Test func anEndlessBodyIsAnError() async throws {
        let server = try LoopbackServer()
        server.route("/", .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat("0123456789"))
        let transport = URLSessionTransport()
        var request = TransportRequest(URLRequest(url: server.url("/")))
        request.options.maximumBufferedBody = 100_000
        await expect(TransportError.Code.bodyTooLarge) { [request] in try await transport.send(request) }
        transport.invalidateAndCancel()
    }
}
#endif
