import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

/// Each row is a rule; the times are in milliseconds.
struct RateLimitMachineTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var count = 10
        var burst = 1
        var maximumWaiting = 100
        var maximumWait: Int?
        let events: [Event]
        let expected: [String]
    }

    enum Event: Sendable {
        case acquire(String, at: Int, key: String = "", deadline: Int? = nil)
        case advance(String, at: Int, key: String = "")
        case cancel(String, key: String = "")
    }

    static let rows = [
        Row(
            testDescription: "a burst passes, and the next request leads the queue until a token is due",
            burst: 3,
            events: [.acquire("a", at: 0), .acquire("b", at: 0), .acquire("c", at: 0), .acquire("d", at: 0)],
            expected: ["a proceeds", "b proceeds", "c proceeds", "d leads until 100"]
        ),
        Row(
            testDescription: "tokens come back one by one",
            burst: 2,
            events: [.acquire("a", at: 0), .acquire("b", at: 0), .acquire("c", at: 100), .acquire("d", at: 150)],
            expected: ["a proceeds", "b proceeds", "c proceeds", "d leads until 200"]
        ),
        Row(
            testDescription: "a pause fills the bucket and no more",
            burst: 2,
            events: [
                .acquire("a", at: 0), .acquire("b", at: 9000), .acquire("c", at: 9000), .acquire("d", at: 9000),
            ],
            expected: ["a proceeds", "b proceeds", "c proceeds", "d leads until 9100"]
        ),
        Row(
            testDescription: "the first in line takes the token and the next one leads",
            events: [
                .acquire("a", at: 0), .acquire("b", at: 0), .acquire("c", at: 10), .acquire("d", at: 20),
                .advance("b", at: 100), .advance("c", at: 100), .advance("c", at: 200), .advance("d", at: 300),
            ],
            expected: [
                "a proceeds", "b leads until 100", "c waits", "d waits", "b proceeds, then c", "c sleeps until 200",
                "c proceeds, then d", "d proceeds",
            ]
        ),
        Row(
            testDescription: "a newcomer stands behind those that wait, even if a token is due",
            events: [.acquire("a", at: 0), .acquire("b", at: 0), .acquire("c", at: 150), .advance("b", at: 150)],
            expected: ["a proceeds", "b leads until 100", "c waits", "b proceeds, then c"]
        ),
        Row(
            testDescription: "who wakes too early sleeps again",
            events: [.acquire("a", at: 0), .acquire("b", at: 0), .advance("b", at: 99), .advance("b", at: 100)],
            expected: ["a proceeds", "b leads until 100", "b sleeps until 100", "b proceeds"]
        ),
        Row(
            testDescription: "late timers do not add up",
            events: [
                .acquire("a", at: 0), .acquire("b", at: 0), .acquire("c", at: 0), .advance("b", at: 130),
                .advance("c", at: 130), .advance("c", at: 230), .acquire("d", at: 230),
            ],
            expected: [
                "a proceeds", "b leads until 100", "c waits", "b proceeds, then c", "c sleeps until 200", "c proceeds",
                "d leads until 300",
            ]
        ),
        Row(
            testDescription: "a very late timer makes up for one token only",
            events: [
                .acquire("a", at: 0), .acquire("b", at: 0), .acquire("c", at: 0), .acquire("d", at: 0),
                .advance("b", at: 5000), .advance("c", at: 5000), .advance("d", at: 5000),
            ],
            expected: [
                "a proceeds", "b leads until 100", "c waits", "d waits", "b proceeds, then c", "c proceeds, then d",
                "d sleeps until 5100",
            ]
        ),
        Row(
            testDescription: "a full queue refuses, and names the wait",
            maximumWaiting: 2,
            events: [
                .acquire("a", at: 0), .acquire("b", at: 0), .acquire("c", at: 0), .acquire("d", at: 50),
                .advance("b", at: 100), .acquire("e", at: 100),
            ],
            expected: [
                "a proceeds", "b leads until 100", "c waits", "d refused: queueFull, 250", "b proceeds, then c",
                "e waits",
            ]
        ),
        Row(
            testDescription: "no queue refuses all that would wait",
            maximumWaiting: 0,
            events: [.acquire("a", at: 0), .acquire("b", at: 0), .acquire("c", at: 100)],
            expected: ["a proceeds", "b refused: queueFull, 100", "c proceeds"]
        ),
        Row(
            testDescription: "a wait of the maximum is allowed, a longer one is refused",
            maximumWait: 200,
            events: [.acquire("a", at: 0), .acquire("b", at: 0), .acquire("c", at: 0), .acquire("d", at: 0)],
            expected: ["a proceeds", "b leads until 100", "c waits", "d refused: waitTooLong, 300"]
        ),
        Row(
            testDescription: "a deadline at the turn is met, an earlier one is refused",
            events: [
                .acquire("a", at: 0, deadline: 0), .acquire("b", at: 0, deadline: 100),
                .acquire("c", at: 0, deadline: 199), .acquire("d", at: 0, deadline: 200),
            ],
            expected: ["a proceeds", "b leads until 100", "c refused: deadline, 200", "d waits"]
        ),
        Row(
            testDescription: "if the first in line is cancelled, the next one leads, and keeps the time",
            events: [
                .acquire("a", at: 0), .acquire("b", at: 0), .acquire("c", at: 0), .cancel("b"), .advance("c", at: 99),
                .advance("c", at: 100), .advance("b", at: 300),
            ],
            expected: [
                "a proceeds", "b leads until 100", "c waits", "b gone, then c", "c sleeps until 100", "c proceeds",
                "b is cancelled",
            ]
        ),
        Row(
            testDescription: "if another is cancelled, those behind it move up",
            events: [
                .acquire("a", at: 0), .acquire("b", at: 0), .acquire("c", at: 0), .acquire("d", at: 0), .cancel("c"),
                .advance("b", at: 100), .advance("d", at: 200), .cancel("c"), .cancel("d"),
            ],
            expected: [
                "a proceeds", "b leads until 100", "c waits", "d waits", "c gone", "b proceeds, then d", "d proceeds",
                "c gone", "d gone",
            ]
        ),
        Row(
            testDescription: "a cancelled request takes no token",
            events: [
                .acquire("a", at: 0), .acquire("b", at: 0), .acquire("c", at: 0), .cancel("c"), .cancel("b"),
                .acquire("d", at: 100),
            ],
            expected: ["a proceeds", "b leads until 100", "c waits", "c gone", "b gone", "d proceeds"]
        ),
        Row(
            testDescription: "each key has a bucket and a queue of its own",
            events: [
                .acquire("a", at: 0, key: "x"), .acquire("b", at: 0, key: "y"), .acquire("c", at: 0, key: "x"),
                .acquire("d", at: 0, key: "y"), .cancel("c", key: "x"), .advance("d", at: 100, key: "y"),
            ],
            expected: ["a proceeds", "b proceeds", "c leads until 100", "d leads until 100", "c gone", "d proceeds"]
        ),
    ]

    private let start = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    private func milliseconds(_ duration: Duration) -> String { "\(Int((duration / .milliseconds(1)).rounded()))" }

    @Test(arguments: rows) func rule(row: Row) {
        var machine = RateLimitMachine<String>(
            count: row.count,
            interval: .seconds(1),
            burst: row.burst,
            maximumWaiting: row.maximumWaiting,
            maximumWait: row.maximumWait.map { .milliseconds($0) }
        )
        var ids: [String: Int] = [:]
        var log: [String] = []
        for event in row.events {
            switch event {
            case .acquire(let name, let now, let key, let deadline):
                switch machine.acquire(key, at: time(now), deadline: deadline.map { time($0) }, waiter: name) {
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
            case .advance(let name, let now, let key):
                switch machine.advance(ids[name] ?? 0, of: key, at: time(now)) {
                case .proceed(let next): log.append("\(name) proceeds" + (next.map { ", then \($0)" } ?? ""))
                case .sleep(let until):
                    log.append("\(name) sleeps until \(milliseconds(start.duration(to: until)))")
                case .cancelled: log.append("\(name) is cancelled")
                }
            case .cancel(let name, let key):
                let next = machine.cancel(ids[name] ?? 0, of: key)
                log.append("\(name) gone" + (next.map { ", then \($0)" } ?? ""))
            }
        }
        #expect(log == row.expected)
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
