#if os(Linux)
import SuiteSupport
import FoundationCanaries
import PiuPiuAsync
import TestSupport
import Testing

extension NetworkTests {
    /// Foundation's faults are still there, and the guards of `URLSessionTransport` with them.
    struct FoundationCanaryTests {
        @Test(arguments: Canary.allCases)
        func theFaultIsStillThere(_ canary: Canary) async throws {
            let me = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            let program = Command(at: me.deletingLastPathComponent().appending(path: "FoundationCanaries"))
            let status = try await program.exitStatus(
                [canary.rawValue],
                environment: [
                    "SWIFT_BACKTRACE": "enable=no",
                    // A sanitizer would have its own opinion of Foundation, and its own statuses.
                    "TSAN_OPTIONS": "report_bugs=0:exitcode=0", "ASAN_OPTIONS": "detect_leaks=0",
                ]
            )
            #expect(status != 20 && status != 30, "The canary itself went wrong")
            let isSeen = canary.traps ? status != 0 : status == 10
            #expect(isSeen, "Foundation is mended: the guard against this fault can go, and this canary with it")
        }
    }
}
#endif
