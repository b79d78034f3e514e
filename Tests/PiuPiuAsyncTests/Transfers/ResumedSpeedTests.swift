import Testing

@testable import PiuPiuAsync

/// What was there already took no time now, and is no speed.
@Suite struct ResumedSpeedTests {
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
        #expect(first?.bytesPerSecond == 100)
        #expect(first?.estimatedTimeRemaining == .seconds(4))

        // The server gives the rest in several pieces, each of which continues what is there.
        reporter.willContinue(at: 1100)
        reporter.didReceive(1200)
        let second = progress(at: .seconds(2))
        #expect(second?.bytesReceived == 1200)
        #expect(second?.bytesPerSecond == 100)
    }

    @Test func whatArrivesFromTheStartIsSpeed() {
        _ = progress(at: .zero)
        reporter.willContinue(at: 0)
        reporter.didReceive(1000)
        #expect(progress(at: .seconds(1))?.bytesPerSecond == 1000)
    }

    private func progress(at time: Duration) -> TransferProgress? {
        guard case .progress(let progress) = feed.withLock({ $0.next(now: time) }) else { return nil }
        return progress
    }
}
