import PiuPiuAsync
import SuiteSupport
import Testing

struct ExchangeTimelineTests {
    private static let second: Int64 = 1_000_000_000

    /// A timeline that begins at second 0, with other limits for each phase: 5, 10, 20 and 30 seconds.
    private static func timeline(
        queue: Duration? = .seconds(5),
        connect: Duration? = .seconds(10),
        head: Duration? = .seconds(20),
        idle: Duration? = .seconds(30),
        total: Int64? = nil
    ) -> ExchangeTimeline {
        let timeouts = Timeouts(queue: queue, connect: connect, head: head, idle: idle)
        return ExchangeTimeline(
            timeouts: TimeoutLimits(timeouts),
            now: 0,
            totalDeadline: total.map { $0 * second }
        )
    }

    /// Checks the deadline in seconds.
    private func expect(
        _ timeline: ExchangeTimeline,
        _ seconds: Int64?,
        _ phase: TimeoutPhase?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(timeline.deadline?.at == seconds.map { $0 * Self.second }, sourceLocation: sourceLocation)
        #expect(timeline.deadline?.phase == phase, sourceLocation: sourceLocation)
    }

    @Test func whatBeginsAnewWaitsAgain() {
        var timeline = ExchangeTimeline(
            timeouts: .init(Timeouts(queue: .seconds(5), head: .seconds(1), idle: .seconds(2))),
            now: 0,
            totalDeadline: nil
        )
        timeline.admit()
        #expect(timeline.start(now: 4_000_000_000, mayRepeat: true) == .proceed)
        timeline.setPaused(true, now: 4_000_000_000)
        timeline.beginAnew(now: 100_000_000_000)
        #expect(timeline.phase == .waiting)
        #expect(timeline.deadline?.at == 105_000_000_000)
        #expect(timeline.deadline?.phase == .queue)
        // It was sent before, which counts.
        #expect(timeline.start(now: 101_000_000_000, mayRepeat: false) == .refuse)
        #expect(timeline.start(now: 101_000_000_000, mayRepeat: true) == .proceed)
        #expect(timeline.deadline?.phase == .idle)
    }

    @Test("A whole response waits for a little while, which each byte of the request begins anew")
    func answered() {
        var timeline = Self.timeline()
        timeline.admit()
        _ = timeline.start(now: 0, mayRepeat: true)
        timeline.head(now: Self.second)
        timeline.setPaused(true, now: Self.second)
        expect(timeline, nil, nil)
        timeline.answered(now: 2 * Self.second)
        expect(timeline, 3, .idle)
        timeline.setPaused(false, now: 3 * Self.second)
        expect(timeline, 4, .idle)
        timeline.answered(now: 5 * Self.second)
        expect(timeline, 4, .idle)
    }

    @Test func eachPhaseHasItsLimit() {
        var timeline = Self.timeline()
        #expect(timeline.phase == .queued)
        expect(timeline, 5, .queue)
        timeline.admit()
        #expect(timeline.phase == .waiting)
        expect(timeline, 5, .queue)
        timeline.connect(now: 1 * Self.second)
        #expect(timeline.phase == .connecting)
        expect(timeline, 11, .connect)
        #expect(timeline.start(now: 2 * Self.second, mayRepeat: false) == .proceed)
        #expect(timeline.phase == .sending)
        expect(timeline, 32, .idle)
        timeline.sent(now: 3 * Self.second)
        #expect(timeline.phase == .awaitingHead)
        expect(timeline, 23, .head)
        timeline.head(now: 4 * Self.second)
        #expect(timeline.phase == .receiving)
        expect(timeline, 34, .idle)
    }

    @Test func timeInTheQueueCountsForTheQueueOnly() {
        var timeline = Self.timeline()
        timeline.admit()
        timeline.connect(now: 4 * Self.second)
        expect(timeline, 14, .connect)
        #expect(timeline.leftQueueAt == 4 * Self.second)
        _ = timeline.start(now: 13 * Self.second, mayRepeat: true)
        expect(timeline, 43, .idle)
        timeline.sent(now: 40 * Self.second)
        expect(timeline, 60, .head)
        timeline.head(now: 59 * Self.second)
        expect(timeline, 89, .idle)
        #expect(timeline.leftQueueAt == 4 * Self.second)
    }

    @Test func waitingInTheEngineIsStillTheQueue() {
        var timeline = Self.timeline()
        timeline.admit()
        timeline.activity(now: 3 * Self.second)
        expect(timeline, 5, .queue)
        #expect(timeline.leftQueueAt == nil)
    }

    @Test func aRequestIsUnderWayOnlyOnTheConnectionThatItHasNow() {
        var timeline = Self.timeline()
        timeline.admit()
        #expect(!timeline.isUnderWay)
        _ = timeline.start(now: 1, mayRepeat: true)
        #expect(timeline.isUnderWay)
        // The connection proves dead, and another is opened.
        timeline.connect(now: 2)
        #expect(timeline.hasStarted && !timeline.isUnderWay)
        _ = timeline.start(now: 3, mayRepeat: true)
        timeline.sent(now: 4)
        #expect(timeline.isUnderWay)
        timeline.head(now: 5)
        #expect(timeline.isUnderWay)
        timeline.beginAnew(now: 6)
        #expect(!timeline.isUnderWay)
    }

    @Test func aReusedConnectionSkipsConnecting() {
        var timeline = Self.timeline()
        timeline.admit()
        #expect(timeline.start(now: 2 * Self.second, mayRepeat: false) == .proceed)
        #expect(timeline.leftQueueAt == 2 * Self.second)
        expect(timeline, 32, .idle)
    }

    @Test func onlyTheFirstOfSeveralSocketsStartsConnecting() {
        var timeline = Self.timeline()
        timeline.connect(now: 1 * Self.second)
        timeline.connect(now: 6 * Self.second)
        timeline.admit()
        #expect(timeline.phase == .connecting)
        expect(timeline, 11, .connect)
    }

    @Test func everyByteMovesTheIdleLimitAndNoOther() {
        var timeline = Self.timeline(head: nil)
        _ = timeline.start(now: 0, mayRepeat: true)
        timeline.activity(now: 7 * Self.second)
        expect(timeline, 37, .idle)
        timeline.sent(now: 8 * Self.second)
        expect(timeline, 38, .idle)
        timeline.activity(now: 9 * Self.second)
        expect(timeline, 39, .idle)

        var limited = Self.timeline()
        _ = limited.start(now: 0, mayRepeat: true)
        limited.sent(now: 0)
        limited.activity(now: 19 * Self.second)
        expect(limited, 20, .head)
    }

    @Test func idleAndHeadBothApplyWhileTheHeadIsAwaited() {
        var timeline = Self.timeline(head: .seconds(20), idle: .seconds(6))
        _ = timeline.start(now: 0, mayRepeat: true)
        timeline.sent(now: 0)
        expect(timeline, 6, .idle)
        timeline.activity(now: 15 * Self.second)
        expect(timeline, 20, .head)
    }

    @Test func theTotalStandsOverEverything() {
        var timeline = Self.timeline(total: 3)
        expect(timeline, 3, .total)
        timeline.connect(now: 1 * Self.second)
        expect(timeline, 3, .total)
        _ = timeline.start(now: 1 * Self.second, mayRepeat: true)
        expect(timeline, 3, .total)
        timeline.sent(now: 1 * Self.second)
        expect(timeline, 3, .total)
        timeline.head(now: 1 * Self.second)
        timeline.activity(now: 2 * Self.second)
        expect(timeline, 3, .total)
    }

    @Test func theEarlierOfTotalAndPhaseApplies() {
        var timeline = Self.timeline(total: 25)
        expect(timeline, 5, .queue)
        _ = timeline.start(now: 0, mayRepeat: true)
        expect(timeline, 25, .total)
        timeline.sent(now: 0)
        expect(timeline, 20, .head)
    }

    @Test func withoutLimitsThereIsNoDeadline() {
        var timeline = Self.timeline(queue: nil, connect: nil, head: nil, idle: nil)
        expect(timeline, nil, nil)
        timeline.connect(now: 1)
        expect(timeline, nil, nil)
        _ = timeline.start(now: 2, mayRepeat: true)
        expect(timeline, nil, nil)
        timeline.sent(now: 3)
        expect(timeline, nil, nil)
        timeline.head(now: 4)
        expect(timeline, nil, nil)
    }

    @Test func aRequestThatMayHaveHadAnEffectIsNotBegunAgain() {
        var timeline = Self.timeline()
        #expect(timeline.start(now: 1, mayRepeat: false) == .proceed)
        timeline.sent(now: 2)
        #expect(timeline.start(now: 3, mayRepeat: false) == .refuse)
        // A refusal changes nothing.
        #expect(timeline.phase == .awaitingHead)
        #expect(timeline.start(now: 4, mayRepeat: false) == .refuse)
    }

    @Test func anIdempotentRequestIsBegunAgain() {
        var timeline = Self.timeline()
        #expect(timeline.start(now: 1 * Self.second, mayRepeat: true) == .proceed)
        timeline.sent(now: 1 * Self.second)
        // The connection that was to be used again proved dead, so that another is opened.
        timeline.connect(now: 2 * Self.second)
        #expect(timeline.phase == .connecting)
        #expect(timeline.start(now: 3 * Self.second, mayRepeat: true) == .proceed)
        #expect(timeline.phase == .sending)
        #expect(timeline.leftQueueAt == 1 * Self.second)
        expect(timeline, 33, .idle)
    }

    @Test func anEarlyHeadIsNotUndoneByTheRestOfTheRequest() {
        var timeline = Self.timeline()
        _ = timeline.start(now: 0, mayRepeat: true)
        timeline.head(now: 1 * Self.second)
        timeline.sent(now: 2 * Self.second)
        #expect(timeline.phase == .receiving)
        expect(timeline, 31, .idle)
    }

    // MARK: Pauses

    @Test func aPauseOfTheCallersIsNotTheServers() {
        var timeline = Self.timeline()
        _ = timeline.start(now: 0, mayRepeat: true)
        timeline.head(now: 1 * Self.second)
        timeline.setPaused(true, now: 2 * Self.second)
        expect(timeline, nil, nil)
        // Late bytes of the engine's do not end the pause.
        timeline.activity(now: 3 * Self.second)
        expect(timeline, nil, nil)
        timeline.setPaused(false, now: 100 * Self.second)
        expect(timeline, 130, .idle)
    }

    @Test func aPauseThatIsSaidTwiceIsOne() {
        var timeline = Self.timeline()
        _ = timeline.start(now: 0, mayRepeat: true)
        // Nothing was paused: the clock goes on.
        timeline.setPaused(false, now: 10 * Self.second)
        expect(timeline, 30, .idle)
        timeline.setPaused(true, now: 20 * Self.second)
        timeline.setPaused(true, now: 21 * Self.second)
        timeline.setPaused(false, now: 22 * Self.second)
        timeline.setPaused(false, now: 40 * Self.second)
        expect(timeline, 52, .idle)
    }

    @Test func aPauseLeavesTheOtherLimits() {
        var timeline = Self.timeline(total: 60)
        timeline.setPaused(true, now: 0)
        expect(timeline, 5, .queue)
        timeline.connect(now: 1 * Self.second)
        expect(timeline, 11, .connect)
        _ = timeline.start(now: 2 * Self.second, mayRepeat: true)
        expect(timeline, 60, .total)
        // The head is to come, however slow the caller is.
        timeline.sent(now: 3 * Self.second)
        expect(timeline, 23, .head)
        timeline.head(now: 4 * Self.second)
        expect(timeline, 60, .total)
        timeline.setPaused(false, now: 5 * Self.second)
        expect(timeline, 35, .idle)
    }

    @Test func withoutALimitForTheHeadAPauseLeavesNone() {
        var timeline = Self.timeline(head: nil)
        _ = timeline.start(now: 0, mayRepeat: true)
        timeline.sent(now: 1 * Self.second)
        expect(timeline, 31, .idle)
        timeline.setPaused(true, now: 2 * Self.second)
        expect(timeline, nil, nil)
        timeline.setPaused(false, now: 3 * Self.second)
        expect(timeline, 33, .idle)
    }

    @Test func limitsBeyondTheClockNeverApply() {
        let timeouts = Timeouts(
            queue: .nanoseconds(Int64.max),
            connect: .seconds(Int64.max),
            head: nil,
            idle: .seconds(1e20)
        )
        var timeline = ExchangeTimeline(
            timeouts: TimeoutLimits(timeouts),
            now: 5,
            totalDeadline: .max
        )
        for _ in 0..<2 {
            #expect(timeline.deadline?.at == .max)
            #expect(timeline.deadline?.phase == .total)
            timeline.connect(now: .max)
        }
        _ = timeline.start(now: .max, mayRepeat: true)
        timeline.activity(now: .max)
        #expect(timeline.deadline?.phase == .total)
        timeline.sent(now: .max)
        #expect(timeline.deadline?.phase == .total)
        timeline.head(now: .max)
        #expect(timeline.deadline?.phase == .total)
    }

    @Test func aLimitOfZeroOrLessIsDueAtOnce() {
        let timeline = Self.timeline(queue: .seconds(-1))
        #expect(timeline.deadline?.at == 0)
        #expect(Self.timeline(queue: .zero).deadline?.at == 0)
    }

    private static let conversions: [(Duration, Int64)] = [
        (.zero, 0), (.nanoseconds(1), 1), (.microseconds(1), 1_000), (.milliseconds(1), 1_000_000),
        (.seconds(1), 1_000_000_000), (.seconds(1.5), 1_500_000_000),
        (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), 0),
        (Duration(secondsComponent: 0, attosecondsComponent: -1), 0),
        (.nanoseconds(-1), 0), (.milliseconds(-1_500), 0), (.seconds(Int64.min), 0), (.seconds(-1e20), 0),
        (.nanoseconds(Int64.max), .max), (.nanoseconds(Int64.max - 1), .max - 1),
        (.nanoseconds(Int64.max) + .nanoseconds(1), .max), (.seconds(9_223_372_036), 9_223_372_036_000_000_000),
        (.seconds(9_223_372_037), .max), (.seconds(Int64.max), .max), (.seconds(Int64.max) + .seconds(Int64.max), .max),
        (.seconds(1.7e20), .max), (.seconds(-1.7e20), 0),
    ]

    @Test(arguments: conversions)
    func durationsAreClampedToNanoseconds(_ pair: (Duration, Int64)) {
        #expect(pair.0.clampedNanoseconds == pair.1)
    }
}
