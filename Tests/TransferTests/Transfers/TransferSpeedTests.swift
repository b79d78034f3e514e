import SuiteSupport
import Testing

@testable import PiuPiuAsync

/// Tests what a transfer counts as its speed when counting all bytes alike would mislead.
struct TransferSpeedTests {
    private let feed = Locked(TransferFeed<Int, Int>(TransferProgress(direction: .receiving), interval: .zero))

    private var reporter: TransferReporter {
        TransferReporter { [feed] change in _ = feed.withLock { $0.update(change) } }
    }

    @Test func whatAnEarlierDownloadLeftIsNoSpeed() {
        _ = progress(at: .zero)
        reporter.willReceive(1500)
        reporter.willContinue(at: 1000)
        reporter.didReceive(1100)
        let first = progress(at: .seconds(1))
        #expect(first?.bytesReceived == 1100)
        #expect(first?.bytesPerSecond?.rounded() == 100)
        #expect(first?.estimatedTimeRemaining.map { ($0 / .seconds(1)).rounded() } == 4)

        // The server gives the rest in several pieces, each of which continues what is there.
        reporter.willContinue(at: 1100)
        reporter.didReceive(1200)
        let second = progress(at: .seconds(2))
        #expect(second?.bytesReceived == 1200)
        #expect(second?.bytesPerSecond?.rounded() == 100)
    }

    @Test func whatArrivesFromTheStartIsSpeed() {
        _ = progress(at: .zero)
        reporter.willContinue(at: 0)
        reporter.didReceive(1000)
        #expect(progress(at: .seconds(1))?.bytesPerSecond?.rounded() == 1000)
    }

    /// Buffers of the system take the beginning of an upload at once, which must not count for seconds.
    @Test func aBurstAtTheStartCountsForTheTimeItTook() {
        var estimator = ThroughputEstimator()
        estimator.add(0, at: .zero)
        estimator.add(10_000, at: .milliseconds(100))
        for tenth in 2...10 { estimator.add(10_000 + Int64(tenth) * 100, at: .milliseconds(tenth * 100)) }
        // 11,000 bytes in the first second.
        #expect((8_000...12_000).contains(estimator.bytesPerSecond ?? 0))
    }

    private func progress(at time: Duration) -> TransferProgress? {
        guard case .progress(let progress) = feed.withLock({ $0.next(now: time) }) else { return nil }
        return progress
    }
}
