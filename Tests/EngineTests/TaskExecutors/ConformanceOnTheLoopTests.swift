#if os(Linux)
import PiuPiuAsync
import PiuPiuTesting
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuSockets

/// The transport passes every case if the tasks of the case run on the loop of the transport that was created last.
@Suite(.serialized)
struct ConformanceOnTheLoopTests {
    /// Passes jobs to the loop of the newest transport.
    private final class NewestLoop: TaskExecutor {
        private let target = Locked<(any TaskExecutor)?>(nil)

        func follow(_ transport: SocketTransport) {
            target.withLock { $0 = transport.taskExecutors { _ in }.first }
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let target = target.withLock { $0 } ?? globalConcurrentExecutor
            target.enqueue(job)
        }
    }

    @Test(arguments: TransportConformance.cases)
    func conforms(_ example: TransportConformance.Case) async throws {
        let loop = NewestLoop()
        let suite = TransportConformance {
            let transport = try SocketTransport(configuration: $0)
            loop.follow(transport)
            return transport
        }
        try await withTaskExecutorPreference(loop) { try await suite.run(example) }
    }
}
#endif
