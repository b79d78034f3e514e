import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuPolicies

/// The rules of the machine, as scripts: `take a 5 x` is a request for the key `x` with the priority 5.
struct ConcurrencyLimitMachineTests {
    /// A text for each number, which is in the place of `#`.
    private static func each(_ numbers: Range<Int>, _ text: String) -> String {
        numbers.map { text.replacing("#", with: "\($0)") }.joined(separator: ", ")
    }

    static let rows = RuleScript.rules(
        """
        as many as the limit proceed, and others wait
            [limit 2] take a, take b, take c -> a proceeds, b proceeds, c waits
        a permit that is released goes to the oldest
            take a, take b, take c, release, release, release
            -> a proceeds, b waits, c waits, release: b, release: c, release
        a permit that nobody waits for is free
            take a, release, take b, take c -> a proceeds, release, b proceeds, c waits
        a higher priority goes first, and equal ones in their order
            take a, take b 1, take c 5, take d 9, take e 5, release, release, release, release
            -> a proceeds, b waits, c waits, d waits, e waits, release: d, release: c, release: e, release: b
        after seven permits passed over the longest waiting, that is next
            take a, take low 1, \(each(0..<20, "take h# 9")), \(each(0..<9, "release"))
            -> a proceeds, low waits, \(each(0..<20, "h# waits")), \(each(0..<7, "release: h#")), release: low, release: h7
        the seven are counted anew once the longest waiting had its turn
            take a, take low 1, \(each(0..<20, "take h# 9")), \(each(0..<8, "release")), take low2 1, \(each(0..<14, "release"))
            -> a proceeds, low waits, \(each(0..<20, "h# waits")), \(each(0..<7, "release: h#")), release: low,
            low2 waits, \(each(7..<20, "release: h#")), release: low2
        each of the longest waiting is passed over by seven
            take a, take low 1, take low2 1, \(each(0..<14, "take h# 9")), \(each(0..<16, "release"))
            -> a proceeds, low waits, low2 waits, \(each(0..<14, "h# waits")), \(each(0..<7, "release: h#")), release: low,
            \(each(7..<14, "release: h#")), release: low2
        a full queue refuses, whatever the priority
            [waiting 1] take a, take b, take c 9, release, take d -> a proceeds, b waits, c refused, release: b, d waits
        no queue refuses all that would wait
            [waiting 0] take a, take b, release, take c -> a proceeds, b refused, release, c proceeds
        a cancelled request frees its place, once
            [waiting 2] take a, take b, take c 5, cancel b, cancel b, take d, cancel c, release, release
            -> a proceeds, b waits, c waits, b gone, b not found, d waits, c gone, release: d, release
        a request that has its permit cannot be cancelled any more, and its release passes it on
            take a, take b, take c, release, cancel b, release, cancel a
            -> a proceeds, b waits, c waits, release: b, b not found, release: c, a not found
        each key has permits and a queue of its own
            take a 0 x, take b 0 y, take c 0 x, take d 0 y, release y, release x
            -> a proceeds, b proceeds, c waits, d waits, release: d, release: c
        a limit of less than one is one
            [limit -5] take a, take b -> a proceeds, b waits
        a release too many makes no permit
            release, take a, release, release, take b, take c
            -> release, a proceeds, release, release, b proceeds, c waits
        """
    )

    private let now = ContinuousClock.now

    @Test(arguments: rows) func rule(_ row: RuleScript) {
        var machine = ConcurrencyLimitMachine<String>(
            limit: row.setting("limit", 1),
            maximumWaiting: row.setting("waiting", 100)
        )
        var ids: [String: Int] = [:]
        var log: [String] = []
        for step in row.steps {
            switch step[0] {
            case "take":
                let (name, priority) = (step[1], step.dropFirst(2).first.flatMap { UInt8($0) } ?? 0)
                switch machine.acquire(step.count > 3 ? step[3] : "", priority: priority, at: now, waiter: name) {
                case .proceed: log.append("\(name) proceeds")
                case .wait(let id, _):
                    ids[name] = id
                    log.append("\(name) waits")
                case .refuse: log.append("\(name) refused")
                }
            case "release":
                let resumed = machine.release(step.count > 1 ? step[1] : "")
                log.append(resumed.isEmpty ? "release" : "release: " + resumed.joined(separator: " "))
            default: log.append("\(step[1]) " + (machine.cancel(ids[step[1]] ?? 0) == nil ? "not found" : "gone"))
            }
        }
        #expect(log.joined(separator: ", ") == row.effects)
    }

    @Test(arguments: [Int.min, 0, Int.max]) func extremeParametersDoNotTrap(number: Int) {
        var machine = ConcurrencyLimitMachine<Int>(limit: number, maximumWaiting: number)
        for count in 0..<5 { _ = machine.acquire("", priority: .max, at: now, waiter: count) }
        for _ in 0..<10 { _ = machine.release("") }
        #expect(machine.waitingCount == 0)
    }

    @Test func anAdaptiveLimitFollowsLatenciesAndIsNotForgotten() {
        let gradient = LatencyGradient(1...1000, initial: 100)
        var machine = ConcurrencyLimitMachine<Int>(gradient, maximumWaiting: 10)
        for waiter in 0..<102 { _ = machine.acquire("a", priority: 0, at: now, waiter: waiter) }
        #expect(machine.usage(of: "a") == (100, 100) && machine.waitingCount == 2)
        var granted: [Int] = []
        for _ in 0..<100 { granted += machine.record("a", latency: .milliseconds(50), isOverloaded: false) }
        // A window of short latencies allows two more, which waited.
        #expect(granted == [100, 101])
        #expect(machine.usage(of: "a") == (102, 102))
        for _ in 0..<102 { granted += machine.record("a", latency: .milliseconds(50), isOverloaded: true) }
        #expect(granted.count == 2)
        #expect(machine.usage(of: "a") == (102, 91))
        for _ in 0..<102 { #expect(machine.release("a") == []) }
        // An idle key with a limit of its own is kept.
        for _ in 0..<10 {
            _ = machine.acquire("b", priority: 0, at: now, waiter: 0)
            _ = machine.release("b")
        }
        #expect(machine.usage(of: "a") == (0, 91))
        #expect(machine.usage(of: "b") == (0, 100))
    }

    @Test func idleKeysAreForgottenAndOthersAreNot() {
        var machine = ConcurrencyLimitMachine<Int>(limit: 1, maximumWaiting: 1)
        for key in 0..<100 { _ = machine.acquire("\(key)", priority: 0, at: now, waiter: 0) }
        for key in 1..<100 { _ = machine.release("\(key)") }
        for _ in 0..<100 { _ = machine.acquire("0", priority: 0, at: now, waiter: 0) }
        #expect(machine.laneCount == 1)
        #expect(machine.usage(of: "0").inFlight == 1)
    }
}
