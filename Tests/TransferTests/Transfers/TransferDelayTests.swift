import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuAsync

@Suite(.timeLimit(.generous))
struct TransferDelayTests {
    /// A clock on which no task waits: a task that sleeps advances it.
    private struct EagerClock: Clock {
        struct Instant: InstantProtocol {
            var offset = Duration.zero

            func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
            func duration(to other: Instant) -> Duration { other.offset - offset }
            static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
        }

        private let time = Locked(Instant())
        var now: Instant { time.withLock { $0 } }
        var minimumResolution: Duration { .nanoseconds(1) }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            time.withLock { $0 = max($0, deadline) }
        }
    }

    @Test func aTimerThatIsDueAtOnceIsNotMissed() async throws {
        let (seen, see) = AsyncStream<Int64>.makeStream()
        let transfer = Transfer<Void>(.receiving) { reporter in
            var iterator = seen.makeAsyncIterator()
            for count in 1...5000 as ClosedRange<Int64> {
                reporter?.didReceive(count)
                // Continues only after the reader was notified. If it were not notified, both would wait forever.
                while let last = await iterator.next(), last < count {}
                try Task.checkCancellation()
            }
            let url = URL(filePath: "/")
            return Response(
                data: (),
                urlRequest: URLRequest(url: url),
                head: ResponseHead(url: url, statusCode: .ok, headers: [:])
            )
        }
        for try await case .progress(let progress) in transfer.progress(every: .seconds(1), clock: .init(EagerClock()))
        {
            see.yield(progress.bytesReceived)
        }
    }

    @Test func theProgressAtTheStartComesFirst() async throws {
        for _ in 0..<rounds(5000) {
            let transfer = Transfer<Void>(.receiving) { reporter in
                reporter?.didReceive(5)
                throw CancellationError()
            }
            var iterator = transfer.progress(every: .zero).makeAsyncIterator()
            guard case .progress(let progress) = try await iterator.next() else {
                Issue.record("no progress")
                return
            }
            #expect(progress.bytesReceived == 0)
            if progress.bytesReceived != 0 { return }
        }
    }
}
