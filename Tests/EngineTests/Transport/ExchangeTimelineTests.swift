import PiuPiuAsync
import SuiteSupport
import TestSupport
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
        return ExchangeTimeline(timeouts: TimeoutLimits(timeouts), now: 0, totalDeadline: total.map { $0 * second })
    }

    @Test func theDeadlineOfARequestTakesPrecedenceOverItsTotalTimeLimit() throws {
        func prepared(_ total: Duration?, deadline: ContinuousClock.Instant? = nil) throws -> PreparedRequest {
            var options = RequestOptions()
            options.timeouts = Timeouts(total: total)
            let request = URLRequest(url: Fixture.url("http://a/"))
            return try PreparedRequest(TransportRequest(request, options: options, deadline: deadline), userAgent: nil)
        }
        #expect(try prepared(nil).totalDeadline(now: 1) == nil)
        #expect(try prepared(.seconds(7)).totalDeadline(now: 1) == 7 * Self.second + 1)
        #expect(try prepared(.seconds(7)).totalDeadline(now: .max - 1) == .max)
        let later = try #require(try prepared(.seconds(7), deadline: .now + .seconds(100)).totalDeadline(now: 1))
        #expect((90 * Self.second...100 * Self.second + 1).contains(later))
        let passed = try #require(try prepared(.seconds(7), deadline: .now - .seconds(1)).totalDeadline(now: 1))
        #expect(passed <= 1)
        #expect(ExchangeTimeline(of: try prepared(.seconds(7)), now: 1).deadline?.at == 7 * Self.second + 1)
    }

    @Test func whatBeginsAnewWaitsAgain() {
        let timeouts = Timeouts(queue: .seconds(5), head: .seconds(1), idle: .seconds(2))
        var timeline = ExchangeTimeline(timeouts: .init(timeouts), now: 0, totalDeadline: nil)
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
        timeline.follow([
            ([.admit, .start(0), .head(1), .pause(1)], nil, nil), ([.answered(2)], 3, .idle), ([.resume(3)], 4, .idle),
            ([.answered(5)], 4, .idle),
        ])
    }

    @Test func eachPhaseHasItsLimit() {
        var timeline = Self.timeline()
        let phases = timeline.follow([
            ([], 5, .queue), ([.admit], 5, .queue), ([.connect(1)], 11, .connect), ([.startOnce(2)], 32, .idle),
            ([.sent(3)], 23, .head), ([.head(4)], 34, .idle),
        ])
        #expect(phases == [.queued, .waiting, .connecting, .sending, .awaitingHead, .receiving])
    }

    @Test func timeInTheQueueCountsForTheQueueOnly() {
        var timeline = Self.timeline()
        timeline.follow([([.admit, .connect(4)], 14, .connect)])
        #expect(timeline.leftQueueAt == 4 * Self.second)
        timeline.follow([([.start(13)], 43, .idle), ([.sent(40)], 60, .head), ([.head(59)], 89, .idle)])
        #expect(timeline.leftQueueAt == 4 * Self.second)
    }

    @Test func waitingInTheEngineIsStillTheQueue() {
        var timeline = Self.timeline()
        timeline.follow([([.admit, .activity(3)], 5, .queue)])
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
        timeline.follow([([.admit, .startOnce(2)], 32, .idle)])
        #expect(timeline.leftQueueAt == 2 * Self.second)
    }

    @Test func onlyTheFirstOfSeveralSocketsStartsConnecting() {
        var timeline = Self.timeline()
        let phases = timeline.follow([([.connect(1), .connect(6), .admit], 11, .connect)])
        #expect(phases == [.connecting])
    }

    @Test func everyByteMovesTheIdleLimitAndNoOther() {
        var timeline = Self.timeline(head: nil)
        timeline.follow([([.start(0), .activity(7)], 37, .idle), ([.sent(8)], 38, .idle), ([.activity(9)], 39, .idle)])
        var limited = Self.timeline()
        limited.follow([([.start(0), .sent(0), .activity(19)], 20, .head)])
    }

    @Test func idleAndHeadBothApplyWhileTheHeadIsAwaited() {
        var timeline = Self.timeline(head: .seconds(20), idle: .seconds(6))
        timeline.follow([([.start(0), .sent(0)], 6, .idle), ([.activity(15)], 20, .head)])
    }

    @Test func theTotalStandsOverEverything() {
        var timeline = Self.timeline(total: 3)
        timeline.follow([
            ([], 3, .total), ([.connect(1)], 3, .total), ([.start(1)], 3, .total), ([.sent(1)], 3, .total),
            ([.head(1), .activity(2)], 3, .total),
        ])
    }

    @Test func theEarlierOfTotalAndPhaseApplies() {
        var timeline = Self.timeline(total: 25)
        timeline.follow([([], 5, .queue), ([.start(0)], 25, .total), ([.sent(0)], 20, .head)])
    }

    @Test func withoutLimitsThereIsNoDeadline() {
        var timeline = Self.timeline(queue: nil, connect: nil, head: nil, idle: nil)
        timeline.follow([
            ([], nil, nil), ([.connect(1)], nil, nil), ([.start(2)], nil, nil), ([.sent(3)], nil, nil),
            ([.head(4)], nil, nil),
        ])
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
        // The connection that was to be used again proved dead, so that another is opened.
        let phases = timeline.follow([([.start(1), .sent(1), .connect(2)], 12, .connect), ([.start(3)], 33, .idle)])
        #expect(phases == [.connecting, .sending])
        #expect(timeline.leftQueueAt == 1 * Self.second)
    }

    @Test func anEarlyHeadIsNotUndoneByTheRestOfTheRequest() {
        var timeline = Self.timeline()
        let phases = timeline.follow([([.start(0), .head(1), .sent(2)], 31, .idle)])
        #expect(phases == [.receiving])
    }

    // MARK: Pauses

    @Test func aPauseOfTheCallersIsNotTheServers() {
        var timeline = Self.timeline()
        // Late bytes of the engine's do not end the pause.
        timeline.follow([
            ([.start(0), .head(1), .pause(2)], nil, nil), ([.activity(3)], nil, nil), ([.resume(100)], 130, .idle),
        ])
    }

    @Test func aPauseThatIsSaidTwiceIsOne() {
        var timeline = Self.timeline()
        // Nothing was paused first: the clock goes on.
        timeline.follow([
            ([.start(0), .resume(10)], 30, .idle), ([.pause(20), .pause(21), .resume(22), .resume(40)], 52, .idle),
        ])
    }

    @Test func aPauseLeavesTheOtherLimits() {
        var timeline = Self.timeline(total: 60)
        // The head is to come, however slow the caller is.
        timeline.follow([
            ([.pause(0)], 5, .queue), ([.connect(1)], 11, .connect), ([.start(2)], 60, .total), ([.sent(3)], 23, .head),
            ([.head(4)], 60, .total), ([.resume(5)], 35, .idle),
        ])
    }

    @Test func withoutALimitForTheHeadAPauseLeavesNone() {
        var timeline = Self.timeline(head: nil)
        timeline.follow([([.start(0), .sent(1)], 31, .idle), ([.pause(2)], nil, nil), ([.resume(3)], 33, .idle)])
    }

    @Test func limitsBeyondTheClockNeverApply() {
        let (nanoseconds, seconds) = (Duration.nanoseconds(Int64.max), Duration.seconds(Int64.max))
        let timeouts = Timeouts(queue: nanoseconds, connect: seconds, head: nil, idle: .seconds(1e20))
        var timeline = ExchangeTimeline(timeouts: TimeoutLimits(timeouts), now: 5, totalDeadline: .max)
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

/// What happens to an exchange, at a second.
private enum TimelineEvent {
    case admit
    case connect(Int64), start(Int64), startOnce(Int64), sent(Int64), activity(Int64), head(Int64), answered(Int64)
    case pause(Int64), resume(Int64)
}

extension ExchangeTimeline {
    /// Lets events happen, and checks the deadline after those of each row, by its second and its phase.
    ///
    /// - Returns: The phase after the events of each row.
    @discardableResult
    fileprivate mutating func follow(
        _ rows: [([TimelineEvent], Int64?, TimeoutPhase?)],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> [Phase] {
        let second: Int64 = 1_000_000_000
        return rows.enumerated().map { number, row in
            for event in row.0 {
                switch event {
                case .admit: admit()
                case .connect(let at): connect(now: at * second)
                case .start(let at), .startOnce(let at):
                    let mayRepeat = if case .start = event { true } else { false }
                    let action = start(now: at * second, mayRepeat: mayRepeat)
                    #expect(action == .proceed, "row \(number): \(event)", sourceLocation: sourceLocation)
                case .sent(let at): sent(now: at * second)
                case .activity(let at): activity(now: at * second)
                case .head(let at): head(now: at * second)
                case .answered(let at): answered(now: at * second)
                case .pause(let at): setPaused(true, now: at * second)
                case .resume(let at): setPaused(false, now: at * second)
                }
            }
            let (time, limit) = (deadline?.at, deadline?.phase)
            #expect(time == row.1.map { $0 * second }, "row \(number): \(row)", sourceLocation: sourceLocation)
            #expect(limit == row.2, "row \(number): \(row)", sourceLocation: sourceLocation)
            return phase
        }
    }
}
