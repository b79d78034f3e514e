import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuPolicies

/// Each row is a rule.
struct ConcurrencyLimitMachineTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var limit = 1
        var maximumWaiting = 100
        let events: [Event]
        let expected: [String]
    }

    enum Event: Sendable {
        case acquire(String, _ priority: UInt8 = 0, key: String = "")
        case release(key: String = "")
        case cancel(String)
    }

    private static let overtaking: [Event] =
        [.acquire("a"), .acquire("low", 1)] + (0..<20).map { .acquire("h\($0)", 9) }

    static let rows = [
        Row(
            testDescription: "as many as the limit proceed, and others wait",
            limit: 2,
            events: [.acquire("a"), .acquire("b"), .acquire("c")],
            expected: ["a proceeds", "b proceeds", "c waits"]
        ),
        Row(
            testDescription: "a permit that is released goes to the oldest",
            events: [.acquire("a"), .acquire("b"), .acquire("c"), .release(), .release(), .release()],
            expected: ["a proceeds", "b waits", "c waits", "release: b", "release: c", "release"]
        ),
        Row(
            testDescription: "a permit that nobody waits for is free",
            events: [.acquire("a"), .release(), .acquire("b"), .acquire("c")],
            expected: ["a proceeds", "release", "b proceeds", "c waits"]
        ),
        Row(
            testDescription: "a higher priority goes first, and equal ones in their order",
            events: [
                .acquire("a"), .acquire("b", 1), .acquire("c", 5), .acquire("d", 9), .acquire("e", 5), .release(),
                .release(), .release(), .release(),
            ],
            expected: [
                "a proceeds", "b waits", "c waits", "d waits", "e waits", "release: d", "release: c", "release: e",
                "release: b",
            ]
        ),
        Row(
            testDescription: "after seven permits passed over the longest waiting, that is next",
            events: overtaking + Array(repeating: .release(), count: 9),
            expected: ["a proceeds", "low waits"] + (0..<20).map { "h\($0) waits" }
                + (0..<7).map { "release: h\($0)" } + ["release: low", "release: h7"]
        ),
        Row(
            testDescription: "the seven are counted anew once the longest waiting had its turn",
            events: overtaking + Array(repeating: .release(), count: 8) + [.acquire("low2", 1)]
                + Array(repeating: .release(), count: 13) + [.release()],
            expected: ["a proceeds", "low waits"] + (0..<20).map { "h\($0) waits" }
                + (0..<7).map { "release: h\($0)" } + ["release: low", "low2 waits"]
                + (7..<20).map { "release: h\($0)" } + ["release: low2"]
        ),
        Row(
            testDescription: "each of the longest waiting is passed over by seven",
            events: [.acquire("a"), .acquire("low", 1), .acquire("low2", 1)] + (0..<14).map { .acquire("h\($0)", 9) }
                + Array(repeating: .release(), count: 16),
            expected: ["a proceeds", "low waits", "low2 waits"] + (0..<14).map { "h\($0) waits" }
                + (0..<7).map { "release: h\($0)" } + ["release: low"] + (7..<14).map { "release: h\($0)" }
                + ["release: low2"]
        ),
        Row(
            testDescription: "a full queue refuses, whatever the priority",
            maximumWaiting: 1,
            events: [.acquire("a"), .acquire("b"), .acquire("c", 9), .release(), .acquire("d")],
            expected: ["a proceeds", "b waits", "c refused", "release: b", "d waits"]
        ),
        Row(
            testDescription: "no queue refuses all that would wait",
            maximumWaiting: 0,
            events: [.acquire("a"), .acquire("b"), .release(), .acquire("c")],
            expected: ["a proceeds", "b refused", "release", "c proceeds"]
        ),
        Row(
            testDescription: "a cancelled request frees its place, once",
            maximumWaiting: 2,
            events: [
                .acquire("a"), .acquire("b"), .acquire("c", 5), .cancel("b"), .cancel("b"), .acquire("d"), .cancel("c"),
                .release(), .release(),
            ],
            expected: [
                "a proceeds", "b waits", "c waits", "b gone", "b not found", "d waits", "c gone", "release: d",
                "release",
            ]
        ),
        Row(
            testDescription: "a request that has its permit cannot be cancelled any more, and its release passes it on",
            events: [
                .acquire("a"), .acquire("b"), .acquire("c"), .release(), .cancel("b"), .release(), .cancel("a"),
            ],
            expected: [
                "a proceeds", "b waits", "c waits", "release: b", "b not found", "release: c", "a not found",
            ]
        ),
        Row(
            testDescription: "each key has permits and a queue of its own",
            events: [
                .acquire("a", key: "x"), .acquire("b", key: "y"), .acquire("c", key: "x"), .acquire("d", key: "y"),
                .release(key: "y"), .release(key: "x"),
            ],
            expected: ["a proceeds", "b proceeds", "c waits", "d waits", "release: d", "release: c"]
        ),
        Row(
            testDescription: "a limit of less than one is one",
            limit: -5,
            events: [.acquire("a"), .acquire("b")],
            expected: ["a proceeds", "b waits"]
        ),
        Row(
            testDescription: "a release too many makes no permit",
            events: [.release(), .acquire("a"), .release(), .release(), .acquire("b"), .acquire("c")],
            expected: ["release", "a proceeds", "release", "release", "b proceeds", "c waits"]
        ),
    ]

    private let now = ContinuousClock.now

    @Test(arguments: rows) func rule(row: Row) {
        var machine = ConcurrencyLimitMachine<String>(limit: row.limit, maximumWaiting: row.maximumWaiting)
        var ids: [String: Int] = [:]
        var log: [String] = []
        for event in row.events {
            switch event {
            case .acquire(let name, let priority, let key):
                switch machine.acquire(key, priority: priority, at: now, waiter: name) {
                case .proceed: log.append("\(name) proceeds")
                case .wait(let id, _):
                    ids[name] = id
                    log.append("\(name) waits")
                case .refuse: log.append("\(name) refused")
                }
            case .release(let key):
                log.append((["release:"] + machine.release(key)).joined(separator: " "))
                if log.last == "release:" { log[log.count - 1] = "release" }
            case .cancel(let name):
                log.append("\(name) " + (machine.cancel(ids[name] ?? 0) == nil ? "not found" : "gone"))
            }
        }
        #expect(log == row.expected)
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
