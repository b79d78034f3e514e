import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// The rules of the machine, as scripts; the times are in milliseconds.
///
/// `take a 0 key x until 100` is a request at 0 with the deadline 100, and `advance a 100` the end of its sleep. Ten tokens
/// come back in a second.
struct RateLimitMachineTests {
    static let rows = RuleScript.rules(
        """
        a burst passes, and the next request leads the queue until a token is due
            [burst 3] take a 0, take b 0, take c 0, take d 0 -> a proceeds; b proceeds; c proceeds; d leads until 100
        tokens come back one by one
            [burst 2] take a 0, take b 0, take c 100, take d 150 -> a proceeds; b proceeds; c proceeds; d leads until 200
        a pause fills the bucket and no more
            [burst 2] take a 0, take b 9000, take c 9000, take d 9000 -> a proceeds; b proceeds; c proceeds; d leads until 9100
        the first in line takes the token and the next one leads
            take a 0, take b 0, take c 10, take d 20, advance b 100, advance c 100, advance c 200, advance d 300
            -> a proceeds; b leads until 100; c waits; d waits; b proceeds, then c; c sleeps until 200; c proceeds, then d;
            d proceeds
        a newcomer stands behind those that wait, even if a token is due
            take a 0, take b 0, take c 150, advance b 150 -> a proceeds; b leads until 100; c waits; b proceeds, then c
        who wakes too early sleeps again
            take a 0, take b 0, advance b 99, advance b 100 -> a proceeds; b leads until 100; b sleeps until 100; b proceeds
        late timers do not add up
            take a 0, take b 0, take c 0, advance b 130, advance c 130, advance c 230, take d 230
            -> a proceeds; b leads until 100; c waits; b proceeds, then c; c sleeps until 200; c proceeds; d leads until 300
        a very late timer makes up for one token only
            take a 0, take b 0, take c 0, take d 0, advance b 5000, advance c 5000, advance d 5000
            -> a proceeds; b leads until 100; c waits; d waits; b proceeds, then c; c proceeds, then d; d sleeps until 5100
        a full queue refuses, and names the wait
            [waiting 2] take a 0, take b 0, take c 0, take d 50, advance b 100, take e 100
            -> a proceeds; b leads until 100; c waits; d refused: queueFull, 250; b proceeds, then c; e waits
        no queue refuses all that would wait
            [waiting 0] take a 0, take b 0, take c 100 -> a proceeds; b refused: queueFull, 100; c proceeds
        a wait of the maximum is allowed, a longer one is refused
            [wait 200] take a 0, take b 0, take c 0, take d 0
            -> a proceeds; b leads until 100; c waits; d refused: waitTooLong, 300
        a deadline at the turn is met, an earlier one is refused
            take a 0 until 0, take b 0 until 100, take c 0 until 199, take d 0 until 200
            -> a proceeds; b leads until 100; c refused: deadline, 200; d waits
        if the first in line is cancelled, the next one leads, and keeps the time
            take a 0, take b 0, take c 0, cancel b, advance c 99, advance c 100, advance b 300
            -> a proceeds; b leads until 100; c waits; b gone, then c; c sleeps until 100; c proceeds; b is cancelled
        if another is cancelled, those behind it move up
            take a 0, take b 0, take c 0, take d 0, cancel c, advance b 100, advance d 200, cancel c, cancel d
            -> a proceeds; b leads until 100; c waits; d waits; c gone; b proceeds, then d; d proceeds; c gone; d gone
        a cancelled request takes no token
            take a 0, take b 0, take c 0, cancel c, cancel b, take d 100
            -> a proceeds; b leads until 100; c waits; c gone; b gone; d proceeds
        each key has a bucket and a queue of its own
            take a 0 key x, take b 0 key y, take c 0 key x, take d 0 key y, cancel c key x, advance d 100 key y
            -> a proceeds; b proceeds; c leads until 100; d leads until 100; c gone; d proceeds
        """
    )

    private let start = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    private func milliseconds(_ duration: Duration) -> String { "\(Int((duration / .milliseconds(1)).rounded()))" }

    @Test(arguments: rows) func rule(_ row: RuleScript) throws {
        let maximumWait = row.setting("wait", -1)
        var machine = RateLimitMachine<String>(
            count: 10,
            interval: .seconds(1),
            burst: row.setting("burst", 1),
            maximumWaiting: row.setting("waiting", 100),
            maximumWait: maximumWait < 0 ? nil : .milliseconds(maximumWait)
        )
        var ids: [String: Int] = [:]
        var log: [String] = []
        for step in row.steps {
            func option(_ name: String) -> String? { step.firstIndex(of: name).map { step[$0 + 1] } }
            func now() throws -> ContinuousClock.Instant { time(try #require(Int(step[2]))) }
            let (name, key) = (step[1], option("key") ?? "")
            switch step[0] {
            case "take":
                let deadline = option("until").flatMap { Int($0) }.map { time($0) }
                switch machine.acquire(key, at: try now(), deadline: deadline, waiter: name) {
                case .proceed: log.append("\(name) proceeds")
                case .lead(let id, let until):
                    ids[name] = id
                    log.append("\(name) leads until \(milliseconds(start.duration(to: until)))")
                case .wait(let id, _):
                    ids[name] = id
                    log.append("\(name) waits")
                case .refuse(let reason, let wait):
                    log.append("\(name) refused: \(reason), \(milliseconds(wait))")
                }
            case "advance":
                switch machine.advance(ids[name] ?? 0, of: key, at: try now()) {
                case .proceed(let next): log.append("\(name) proceeds" + (next.map { ", then \($0)" } ?? ""))
                case .sleep(let until):
                    log.append("\(name) sleeps until \(milliseconds(start.duration(to: until)))")
                case .cancelled: log.append("\(name) is cancelled")
                }
            default:
                let next = machine.cancel(ids[name] ?? 0, of: key)
                log.append("\(name) gone" + (next.map { ", then \($0)" } ?? ""))
            }
        }
        #expect(log.joined(separator: "; ") == row.effects)
    }

    @Test func thousandsOfTokensDoNotDrift() {
        var machine = RateLimitMachine<Int>(
            count: 3,
            interval: .seconds(1),
            burst: 1,
            maximumWaiting: 1,
            maximumWait: nil
        )
        var now = start
        for count in 0..<30_000 {
            switch machine.acquire("", at: now, deadline: nil, waiter: count) {
            case .lead(let id, let until):
                // Always late, by up to a third of the interval.
                now = until + .milliseconds(count % 100)
                guard case .proceed(nil) = machine.advance(id, of: "", at: now) else {
                    Issue.record("The token is not there.")
                    return
                }
            default: #expect(count == 0)
            }
        }
        let seconds = start.duration(to: now) / .seconds(1)
        // The last timer's own delay is 99 milliseconds.
        #expect(abs(seconds - 29_999.0 / 3 - 0.099) < 0.001)
    }

    @Test func noBurstIsLargerThanItsSizeInAnyWindow() {
        var machine = RateLimitMachine<Int>(
            count: 10,
            interval: .seconds(1),
            burst: 5,
            maximumWaiting: 0,
            maximumWait: nil
        )
        var passed: [Int] = []
        for millisecond in 0..<10_000 {
            if case .proceed = machine.acquire("", at: time(millisecond), deadline: nil, waiter: 0) {
                passed.append(millisecond)
            }
        }
        // The burst, and what comes back in ten seconds.
        #expect((104...105).contains(passed.count))
        for first in passed {
            #expect(passed.filter { (first..<(first + 1000)).contains($0) }.count <= 15)
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min)])
    func anIntervalOfZeroOrLessIsNoLimit(interval: Duration) {
        var machine = RateLimitMachine<Int>(
            count: 1,
            interval: interval,
            burst: 1,
            maximumWaiting: 0,
            maximumWait: nil
        )
        for count in 0..<100 {
            guard case .proceed = machine.acquire("", at: start, deadline: nil, waiter: count) else {
                Issue.record("\(count) is refused.")
                return
            }
        }
    }

    @Test(
        arguments: [Int.min, -1, 0, 1, Int.max],
        [Duration.seconds(Int64.max), .nanoseconds(1), .seconds(Int64.min), .seconds(1)]
    )
    func extremeParametersDoNotTrap(number: Int, duration: Duration) {
        var machine = RateLimitMachine<Int>(
            count: number,
            interval: duration,
            burst: number,
            maximumWaiting: number,
            maximumWait: duration
        )
        for count in 0..<5 {
            switch machine.acquire("", at: start, deadline: start, waiter: count) {
            case .lead(let id, let until): _ = machine.advance(id, of: "", at: until)
            default: break
            }
        }
    }

    @Test func fullBucketsAreForgottenAndOthersAreNot() {
        var machine = RateLimitMachine<Int>(
            count: 10,
            interval: .seconds(1),
            burst: 1,
            maximumWaiting: 1,
            maximumWait: nil
        )
        for key in 0..<100 { _ = machine.acquire("\(key)", at: start, deadline: nil, waiter: 0) }
        #expect(machine.bucketCount == 100)
        guard case .lead = machine.acquire("99", at: start, deadline: nil, waiter: 0) else {
            Issue.record("A used bucket was forgotten.")
            return
        }
        for _ in 0..<100 { _ = machine.acquire("x", at: time(5000), deadline: nil, waiter: 0) }
        // The one that is asked for, and the one with a waiter.
        #expect(machine.bucketCount == 2)
    }
}
