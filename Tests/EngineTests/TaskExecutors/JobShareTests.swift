#if os(Linux)
import Testing

@testable import PiuPiuSockets

struct JobShareTests {
    @Test func socketsHaveTheirTurnAfterAMillisecond() {
        var share = JobShare(now: 1_000)
        #expect(!share.isUsedUp)
        #expect(share.spend(until: 1_000_999) == nil)
        #expect(!share.isUsedUp)
        #expect(share.spend(until: 1_001_000) == nil)
        #expect(share.isUsedUp)
    }

    @Test func socketsHaveTheirTurnAfterManyShortJobs() {
        var share = JobShare(now: 0)
        for _ in 1..<JobShare.count {
            _ = share.spend(until: 10)
            #expect(!share.isUsedUp)
        }
        _ = share.spend(until: 10)
        #expect(share.isUsedUp)
    }

    @Test func aJobOfFiftyMillisecondsIsReportedWithItsOwnDuration() {
        var share = JobShare(now: 5)
        #expect(share.spend(until: 30_000_005) == nil)
        #expect(share.spend(until: 80_000_004) == nil)
        #expect(share.spend(until: 130_000_004) == .milliseconds(50))
        share.pass(until: 200_000_000)
        #expect(share.isUsedUp)
        #expect(share.spend(until: 249_999_999) == nil, "what was not a job does not count")
    }
}
#endif
