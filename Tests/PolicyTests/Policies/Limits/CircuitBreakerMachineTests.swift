import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuPolicies

/// The rules of the machine, as scripts; the times are in seconds.
///
/// `calls SFI 0` are calls that begin and end at once: a success, a failure and an ignored one. `call a 1` begins a call,
/// and `end a F 2` is its end.
struct CircuitBreakerMachineTests {
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
    static let rows = RuleScript.rules(
        """
        opens at the failure rate, and refuses for the time that is left
            calls SSFF 0, call a 1, call b 4.5 -> closed > open; a refused for 4.0; b refused for 0.5
        stays closed below the failure rate
            calls SSSFF 0
        stays closed below the minimum number of calls
            calls FFF 0
        a success does not open the circuit
            [minimum 3] calls FFS 0, calls F 0 -> closed > open
        a rate of zero opens at the first failure, but not without one
            [rate 0, minimum 1] calls SSF 0 -> closed > open
        ignored results count as no calls
            calls FFFII 0, calls F 0 -> closed > open
        calls older than the window do not count
            calls FFF 0, calls F 10, calls FF 10.5, calls F 11 -> closed > open
        calls within the window count
            calls FF 0, calls FF 8.9 -> closed > open
        the window slides: old successes give way too
            calls SSSS 0, calls FFF 5, calls F 10.5 -> closed > open
        the window slides: old failures do not count among new successes
            calls FFF 0, calls SSSSF 10.5
        is half-open when the time is over, and lets the probes pass and no more
            calls FFFF 0, call a 4.9, call b 5, call c 6, call d 6
            -> closed > open; a refused for 0.1; open > halfOpen; d refused for 4.0
        closes when all probes succeed, with a new window
            calls FFFF 0, calls SS 5, calls FFF 5 -> closed > open; open > halfOpen; halfOpen > closed
        one success of two is not enough
            calls FFFF 0, calls S 5, call a 5, call b 5 -> closed > open; open > halfOpen; b refused for 5.0
        one failed probe opens the circuit again, for longer
            calls FFFF 0, calls SF 5, call a 5 -> closed > open; open > halfOpen; halfOpen > open; a refused for 10.0
        the time grows to its maximum
            [probes 1] calls FFFF 0, calls F 5, calls F 15, calls F 35, call a 35, calls F 65, call b 65
            -> closed > open; open > halfOpen; halfOpen > open; open > halfOpen; halfOpen > open; open > halfOpen;
            halfOpen > open; a refused for 30.0; open > halfOpen; halfOpen > open; b refused for 30.0
        without growth the time stays the same
            [growth 1, probes 1] calls FFFF 0, calls F 5, calls F 10, call a 10
            -> closed > open; open > halfOpen; halfOpen > open; open > halfOpen; halfOpen > open; a refused for 5.0
        a circuit that was closed begins with the first time again
            [probes 1] calls FFFF 0, calls F 5, calls S 15, calls FFFF 15, call a 15
            -> closed > open; open > halfOpen; halfOpen > open; open > halfOpen; halfOpen > closed; closed > open;
            a refused for 5.0
        jitter extends the time; the random number is a half
            [jitter 0.2] calls FFFF 0, call a 0 -> closed > open; a refused for 5.5
        an ignored probe gives its place to another
            calls FFFF 0, call a 5, call b 5, end a I 6, call c 6, call d 6 -> closed > open; open > halfOpen; d refused for 4.0
        probes that hang are given up, and others pass
            calls FFFF 0, call a 5, call b 5, call c 9, calls SS 10, end a F 11
            -> closed > open; open > halfOpen; c refused for 1.0; halfOpen > closed
        results of calls that began before the change are ignored
            call old 0, call older 0, calls FFFF 0, end old F 1, call a 5, end older F 5, end a S 5, calls S 5
            -> closed > open; open > halfOpen; halfOpen > closed
        a probe of the last half-open state does not count in the next
            calls FFFF 0, call slow 5, calls F 5, call a 15, end slow S 15, end a S 15, call b 15, call c 15
            -> closed > open; open > halfOpen; halfOpen > open; open > halfOpen; c refused for 10.0
        each key has a circuit of its own
            calls FFFF 0 key x, call a 1 key x, call b 1 key y, calls FFFF 1 key y
            -> closed > open; a refused for 4.0; closed > open
        """
    )

    private let start = ContinuousClock.now

    private static func events(of rule: RuleScript) throws -> [Event] {
        func result(_ letter: Character) -> Bool? { letter == "I" ? nil : letter == "F" }
        return try rule.steps.flatMap { step -> [Event] in
            let key = step.firstIndex(of: "key").map { step[$0 + 1] } ?? ""
            let time = try #require(Double(step[step[0] == "end" ? 3 : 2]))
            return switch step[0] {
            case "calls": calls(step[1].map(result), at: time, key: key)
            case "call": [.call(step[1], at: time, key: key)]
            default: [.end(step[1], step[2].first.flatMap(result), at: time, key: key)]
            }
        }
    }

    private static func machine(_ rule: RuleScript? = nil) -> CircuitBreakerMachine {
        let rules = CircuitBreakerMachine.Rules(
            failureRate: rule?.setting("rate", 0.5) ?? 0.5,
            minimumCalls: rule?.setting("minimum", 4) ?? 4,
            window: .seconds(10),
            openTime: .seconds(5),
            longestOpenTime: .seconds(30),
            growth: rule?.setting("growth", 2.0) ?? 2,
            jitter: rule?.setting("jitter", 0.0) ?? 0,
            probes: rule?.setting("probes", 2) ?? 2
        )
        return CircuitBreakerMachine(rules, capacity: 1024)
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

    @Test(arguments: rows) func rule(_ row: RuleScript) throws {
        var machine = Self.machine(row)
        #expect(run(try Self.events(of: row), on: &machine).joined(separator: "; ") == row.effects)
    }

    @Test func idleCircuitsAreForgottenAndOpenOnesAndThoseInUseAreNot() {
        var machine = Self.machine()
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
        var machine = Self.machine()
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
