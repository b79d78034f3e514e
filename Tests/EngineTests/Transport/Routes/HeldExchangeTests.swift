import PiuPiuAsync
import SuiteSupport
import Testing

/// Time limits of an exchange that its own speed limit holds back.
struct HeldExchangeTests {
    private static let second: Int64 = 1_000_000_000

    private func timeline() -> ExchangeTimeline {
        let timeouts = Timeouts(queue: nil, connect: nil, head: .seconds(20), idle: .seconds(30))
        var timeline = ExchangeTimeline(timeouts: TimeoutLimits(timeouts), now: 0, totalDeadline: nil)
        timeline.admit()
        _ = timeline.start(now: 0, mayRepeat: true)
        return timeline
    }

    private func seconds(_ timeline: ExchangeTimeline) -> Int64? { timeline.deadline.map { $0.at / Self.second } }

    @Test func theHoldIsNotIdleTime() {
        var timeline = timeline()
        timeline.activity(now: 0)
        timeline.moved(1000, rate: 100, now: 0)
        #expect(seconds(timeline) == 40)
        timeline.activity(now: 5 * Self.second)
        timeline.moved(500, rate: 100, now: 5 * Self.second)
        #expect(seconds(timeline) == 45)
        // What was not used is lost, so that a hold never reaches far beyond what moved.
        timeline.activity(now: 100 * Self.second)
        timeline.moved(100, rate: 100, now: 100 * Self.second)
        #expect(seconds(timeline) == 131)
    }

    @Test func theHeadIsAwaitedFromTheEndOfTheHold() {
        var timeline = timeline()
        timeline.moved(1000, rate: 100, now: 0)
        timeline.sent(now: 0)
        #expect(seconds(timeline) == 30 && timeline.deadline?.phase == .head)
    }

    @Test func aNewAttemptIsNotHeld() {
        var timeline = timeline()
        timeline.moved(1_000_000, rate: 1, now: 0)
        _ = timeline.start(now: Self.second, mayRepeat: true)
        #expect(seconds(timeline) == 31)
        timeline.moved(1_000_000, rate: 1, now: 0)
        timeline.beginAnew(now: 2 * Self.second)
        _ = timeline.start(now: 2 * Self.second, mayRepeat: true)
        #expect(seconds(timeline) == 32)
    }

    @Test func endlessHoldsDoNotOverflow() {
        var timeline = timeline()
        timeline.moved(.max, rate: 1, now: .max)
        timeline.moved(.max, rate: .max, now: 0)
        #expect(timeline.deadline == nil)
    }
}
