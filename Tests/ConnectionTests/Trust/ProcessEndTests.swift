#if os(Linux)
import SuiteSupport
import PiuPiuTesting
import PiuPiuAsync
import TestSupport
import Testing

extension TrustNetworkTests {
    /// A process that ends while the library's threads do.
    struct ProcessEndTests {
        @Test(
            "A process may exit as soon as its dispatchers are shut down, or are not used any more",
            .enabled(if: Wire.available.contains(.tls13), "python3 and openssl are needed"),
            arguments: [true, false],
            0..<8
        )
        func exits(_ shutsDown: Bool, _ round: Int) async throws {
            let observed: [any PartialKeyPath<ExitTest.Result> & Sendable] = [\.standardErrorContent]
            // Exit status 7 counts as a failure. Any failure is accepted here, so that the message below can show its output.
            let result = await #expect(processExitsWith: .failure, observing: observed) {
                [shutsDown = shutsDown as Bool] in
                let server = try WiredServer(.tls13)
                server.script.route("/", .response(body: "ok"))
                let url = server.url("/")
                var dispatchers = (0..<24).map { _ in server.dispatcher() }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for dispatcher in dispatchers { group.addTask { _ = try await dispatcher.data(from: url) } }
                    try await group.waitForAll()
                }
                if shutsDown {
                    await withTaskGroup(of: Void.self) { group in
                        for dispatcher in dispatchers { group.addTask { await dispatcher.shutdown() } }
                    }
                }
                dispatchers = []
                exit(7)
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(result?.exitStatus == .exitCode(7), "\(text)")
        }
    }
}
#endif
