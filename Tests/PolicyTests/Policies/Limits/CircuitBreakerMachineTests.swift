import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuPolicies

/// Each row is a rule; the times are in seconds.
struct CircuitBreakerMachineTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var failureRate = 0.5
        var minimumCalls = 4
        var growth = 2.0
        var jitter = 0.0
        var probes = 2
        let events: [Event]
        let expected: [String]
    }

    enum Event: Sendable {
        /// A call that begins.
        case call(String, at: Double, key: String = "")
        /// The end of a call.
        case end(String, Bool?, at: Double, key: String = "")
    }

    /// Calls that begin and end at once.
    private static func calls(_ results: [Bool?], at time: Double, key: String = "") -> [Event] {
        results.enumerated().flatMap { index, isFailure in
            let name = "\(key)\(time)/\(index)"
            return [Event.call(name, at: time, key: key), .end(name, isFailure, at: time, key: key)]
        }
    }

    private static let failed: [Bool?] = [true, true, true, true]

    // A window of 10 seconds, open for 5 seconds and at most for 30.
    static let rows = [
        Row(
            testDescription: "opens at the failure rate, and refuses for the time that is left",
            events: calls([false, false, true, true], at: 0) + [.call("a", at: 1), .call("b", at: 4.5)],
            expected: ["closed > open", "a refused for 4.0", "b refused for 0.5"]
        ),
        Row(
            testDescription: "stays closed below the failure rate",
            events: calls([false, false, false, true, true], at: 0),
            expected: []
        ),
        Row(
            testDescription: "stays closed below the minimum number of calls",
            events: calls([true, true, true], at: 0),
            expected: []
        ),
        Row(
            testDescription: "a success does not open the circuit",
            minimumCalls: 3,
            events: calls([true, true, false], at: 0) + calls([true], at: 0),
            expected: ["closed > open"]
        ),
        Row(
            testDescription: "a rate of zero opens at the first failure, but not without one",
            failureRate: 0,
            minimumCalls: 1,
            events: calls([false, false, true], at: 0),
            expected: ["closed > open"]
        ),
        Row(
            testDescription: "ignored results count as no calls",
            events: calls([true, true, true, nil, nil], at: 0) + calls([true], at: 0),
            expected: ["closed > open"]
        ),
        Row(
            testDescription: "calls older than the window do not count",
            events: calls([true, true, true], at: 0) + calls([true], at: 10) + calls([true, true], at: 10.5)
                + calls([true], at: 11),
            expected: ["closed > open"]
        ),
        Row(
            testDescription: "calls within the window count",
            events: calls([true, true], at: 0) + calls([true, true], at: 8.9),
            expected: ["closed > open"]
        ),
        Row(
            testDescription: "the window slides: old successes give way too",
            events: calls([false, false, false, false], at: 0) + calls([true, true, true], at: 5)
                + calls([true], at: 10.5),
            expected: ["closed > open"]
        ),
        Row(
            testDescription: "the window slides: old failures do not count among new successes",
            events: calls([true, true, true], at: 0) + calls([false, false, false, false, true], at: 10.5),
            expected: []
        ),
        Row(
            testDescription: "is half-open when the time is over, and lets the probes pass and no more",
            events: calls(failed, at: 0) + [
                .call("a", at: 4.9), .call("b", at: 5), .call("c", at: 6), .call("d", at: 6),
            ],
            expected: ["closed > open", "a refused for 0.1", "open > halfOpen", "d refused for 4.0"]
        ),
        Row(
            testDescription: "closes when all probes succeed, with a new window",
            events: calls(failed, at: 0) + calls([false, false], at: 5) + calls([true, true, true], at: 5),
            expected: ["closed > open", "open > halfOpen", "halfOpen > closed"]
        ),
        Row(
            testDescription: "one success of two is not enough",
            events: calls(failed, at: 0) + calls([false], at: 5) + [.call("a", at: 5), .call("b", at: 5)],
            expected: ["closed > open", "open > halfOpen", "b refused for 5.0"]
        ),
        Row(
            testDescription: "one failed probe opens the circuit again, for longer",
            events: calls(failed, at: 0) + calls([false, true], at: 5) + [.call("a", at: 5)],
            expected: ["closed > open", "open > halfOpen", "halfOpen > open", "a refused for 10.0"]
        ),
        Row(
            testDescription: "the time grows to its maximum",
            probes: 1,
            events: calls(failed, at: 0) + calls([true], at: 5) + calls([true], at: 15) + calls([true], at: 35)
                + [.call("a", at: 35)] + calls([true], at: 65) + [.call("b", at: 65)],
            expected: ["closed > open"] + (0..<3).flatMap { _ in ["open > halfOpen", "halfOpen > open"] }
                + ["a refused for 30.0", "open > halfOpen", "halfOpen > open", "b refused for 30.0"]
        ),
        Row(
            testDescription: "without growth the time stays the same",
            growth: 1,
            probes: 1,
            events: calls(failed, at: 0) + calls([true], at: 5) + calls([true], at: 10) + [.call("a", at: 10)],
            expected: ["closed > open"] + (0..<2).flatMap { _ in ["open > halfOpen", "halfOpen > open"] }
                + ["a refused for 5.0"]
        ),
        Row(
            testDescription: "a circuit that was closed begins with the first time again",
            probes: 1,
            events: calls(failed, at: 0) + calls([true], at: 5) + calls([false], at: 15) + calls(failed, at: 15)
                + [.call("a", at: 15)],
            expected: [
                "closed > open", "open > halfOpen", "halfOpen > open", "open > halfOpen", "halfOpen > closed",
                "closed > open", "a refused for 5.0",
            ]
        ),
        Row(
            testDescription: "jitter extends the time; the random number is a half",
            jitter: 0.2,
            events: calls(failed, at: 0) + [.call("a", at: 0)],
            expected: ["closed > open", "a refused for 5.5"]
        ),
        Row(
            testDescription: "an ignored probe gives its place to another",
            events: calls(failed, at: 0) + [.call("a", at: 5), .call("b", at: 5), .end("a", nil, at: 6)]
                + [.call("c", at: 6), .call("d", at: 6)],
            expected: ["closed > open", "open > halfOpen", "d refused for 4.0"]
        ),
        Row(
            testDescription: "probes that hang are given up, and others pass",
            events: calls(failed, at: 0) + [.call("a", at: 5), .call("b", at: 5), .call("c", at: 9)]
                + calls([false, false], at: 10) + [.end("a", true, at: 11)],
            expected: ["closed > open", "open > halfOpen", "c refused for 1.0", "halfOpen > closed"]
        ),
        Row(
            testDescription: "results of calls that began before the change are ignored",
            events: [.call("old", at: 0), .call("older", at: 0)] + calls(failed, at: 0) + [.end("old", true, at: 1)]
                + [.call("a", at: 5), .end("older", true, at: 5), .end("a", false, at: 5)] + calls([false], at: 5),
            expected: ["closed > open", "open > halfOpen", "halfOpen > closed"]
        ),
        Row(
            testDescription: "a probe of the last half-open state does not count in the next",
            events: calls(failed, at: 0) + [.call("slow", at: 5)] + calls([true], at: 5)
                + [.call("a", at: 15), .end("slow", false, at: 15), .end("a", false, at: 15), .call("b", at: 15)]
                + [.call("c", at: 15)],
            expected: [
                "closed > open", "open > halfOpen", "halfOpen > open", "open > halfOpen", "c refused for 10.0",
            ]
        ),
        Row(
            testDescription: "each key has a circuit of its own",
            events: calls(failed, at: 0, key: "x") + [.call("a", at: 1, key: "x"), .call("b", at: 1, key: "y")]
                + calls(failed, at: 1, key: "y"),
            expected: ["closed > open", "a refused for 4.0", "closed > open"]
        ),
    ]

    private let start = ContinuousClock.now

    private static func machine(_ row: Row, capacity: Int = 1024) -> CircuitBreakerMachine {
        let rules = CircuitBreakerMachine.Rules(
            failureRate: row.failureRate,
            minimumCalls: row.minimumCalls,
            window: .seconds(10),
            openTime: .seconds(5),
            longestOpenTime: .seconds(30),
            growth: row.growth,
            jitter: row.jitter,
            probes: row.probes
        )
        return CircuitBreakerMachine(rules, capacity: capacity)
    }

    private func run(_ events: [Event], on machine: inout CircuitBreakerMachine) -> [String] {
        var generations: [String: Int] = [:]
        var log: [String] = []
        func append(_ transition: CircuitBreakerMachine.Transition?) {
            if let transition { log.append("\(transition.from) > \(transition.to)") }
        }
        for event in events {
            switch event {
            case .call(let name, let time, let key):
                switch machine.acquire(key, at: start + .seconds(time)) {
                case .proceed(let generation, let transition):
                    generations[name] = generation
                    append(transition)
                case .refuse(let retryAfter):
                    let tenths = (retryAfter / .milliseconds(100)).rounded()
                    log.append("\(name) refused for \(tenths / 10)")
                }
            case .end(let name, let isFailure, let time, let key):
                // A call that was refused has no end.
                guard let generation = generations[name] else { continue }
                append(
                    machine.record(
                        key,
                        generation: generation,
                        isFailure: isFailure,
                        at: start + .seconds(time),
                        random: 0.5
                    )
                )
            }
        }
        return log
    }

    @Test(arguments: rows) func rule(row: Row) {
        var machine = Self.machine(row)
        #expect(run(row.events, on: &machine) == row.expected)
    }

    @Test func idleCircuitsAreForgottenAndOpenOnesAndThoseInUseAreNot() {
        var machine = Self.machine(Row(testDescription: "", events: [], expected: []))
        for key in 0..<100 { _ = run(Self.calls([true, false], at: 0, key: "\(key)"), on: &machine) }
        _ = run(Self.calls(Self.failed, at: 0, key: "open"), on: &machine)
        _ = run([.call("a", at: 0, key: "used")], on: &machine)
        #expect(machine.circuitCount == 102)
        for _ in 0..<100 { _ = run(Self.calls([false], at: 11, key: "x"), on: &machine) }
        #expect(machine.state(of: "open") == .open)
        // The least recently used of those that are not like new holds up the others.
        #expect(machine.circuitCount == 3)
    }

    @Test func aSlowCallCountsHoweverLongItTook() {
        var machine = Self.machine(Row(testDescription: "", events: [], expected: []))
        let names = ["a", "b", "c", "d"]
        let log = run(
            names.map { .call($0, at: 0, key: "slow") } + Self.calls([false, false, false, false], at: 60, key: "x")
                + names.map { .end($0, true, at: 60, key: "slow") },
            on: &machine
        )
        #expect(log == ["closed > open"])
        #expect(machine.state(of: "slow") == .open)
    }

    @Test(
        arguments: [Double.nan, -.infinity, -1, 0, 1, .infinity],
        [Duration.seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(1)]
    )
    func extremeParametersDoNotTrap(number: Double, duration: Duration) {
        let rules = CircuitBreakerMachine.Rules(
            failureRate: number,
            minimumCalls: number > 0 ? .max : .min,
            window: duration,
            openTime: duration,
            longestOpenTime: duration,
            growth: number,
            jitter: number,
            probes: number > 0 ? .max : .min
        )
        var machine = CircuitBreakerMachine(rules)
        var now = start
        for _ in 0..<100 {
            if case .proceed(let generation, _) = machine.acquire("", at: now) {
                _ = machine.record("", generation: generation, isFailure: true, at: now, random: 0.999)
            }
            now += .seconds(1_000_000)
        }
        #expect(rules.openTime(after: .max / 2, random: 0.5) >= .zero)
    }
}
