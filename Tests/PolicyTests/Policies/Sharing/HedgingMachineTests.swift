import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

struct HedgingMachineTests {
    private static let now = ContinuousClock.now

    struct Row: CustomTestStringConvertible, Sendable {
        let rule: String
        let delay: Hedging.Delay
        let samples: [Int]
        let expected: Duration?

        init(_ rule: String, _ delay: Hedging.Delay, _ samples: [Int], _ expected: Duration?) {
            (self.rule, self.delay, self.samples, self.expected) = (rule, delay, samples, expected)
        }

        var testDescription: String { rule }
    }

    private func delay(_ key: String, _ machine: HedgingMachine) -> Duration? {
        var machine = machine
        return machine.delay(for: key, at: Self.now)
    }

    private static let hundred = Array(1...100)

    static let rows = [
        Row("fixed needs no samples", .fixed(.seconds(2)), [], .seconds(2)),
        Row("fixed ignores samples", .fixed(.seconds(2)), hundred, .seconds(2)),
        Row("a negative delay is none", .fixed(.seconds(-2)), [], .zero),
        Row("a delay is limited", .fixed(.seconds(Int64.max)), [], .seconds(1_000_000_000)),
        Row("too few samples", .percentile(), Array(1...19), nil),
        Row("enough samples", .percentile(), Array(1...20), .milliseconds(19)),
        Row("as many as one says", .percentile(minimumSamples: 3), [50, 50], nil),
        Row("at least one sample", .percentile(minimumSamples: -3), [], nil),
        Row("one sample", .percentile(minimumSamples: 0), [50], .milliseconds(50)),
        Row(
            "at most the window",
            .percentile(minimumSamples: .max),
            Array(repeating: 50, count: 256),
            .milliseconds(50)
        ),
        Row("95th by default", .percentile(), hundred, .milliseconds(95)),
        Row("another percentile", .percentile(0.5), hundred, .milliseconds(50)),
        Row("nan is the default", .percentile(.nan), hundred, .milliseconds(95)),
        Row("above one", .percentile(.infinity), hundred, .milliseconds(100)),
        Row("below zero", .percentile(-.infinity), hundred, .milliseconds(10)),
        Row("not below the minimum", .percentile(minimum: .seconds(1)), hundred, .seconds(1)),
        Row("not above the maximum", .percentile(maximum: .milliseconds(20)), hundred, .milliseconds(20)),
        Row("10 ms by default", .percentile(0), hundred, .milliseconds(10)),
        Row("10 s by default", .percentile(1), Array(repeating: 60_000, count: 20), .seconds(10)),
        Row("a negative minimum", .percentile(0, minimum: .seconds(-1)), hundred, .milliseconds(1)),
        Row(
            "a maximum below the minimum",
            .percentile(minimum: .seconds(2), maximum: .seconds(1)),
            hundred,
            .seconds(2)
        ),
        Row("a huge maximum", .percentile(maximum: .seconds(Int64.max)), hundred, .milliseconds(95)),
    ]

    @Test(arguments: rows) func rule(_ row: Row) {
        var machine = HedgingMachine(delay: row.delay)
        for sample in row.samples { machine.record(.milliseconds(sample), for: "a", at: Self.now) }
        #expect(delay("a", machine) == row.expected)
    }

    @Test func eachDestinationHasItsOwnLatency() {
        var machine = HedgingMachine(delay: .percentile(minimumSamples: 1))
        machine.record(.seconds(1), for: "a", at: Self.now)
        machine.record(.seconds(2), for: "b", at: Self.now)
        #expect(["a", "b", "c"].map { delay($0, machine) } == [.seconds(1), .seconds(2), nil])
    }

    @Test func theDestinationThatWasIdleLongestIsForgotten() {
        var machine = HedgingMachine(delay: .percentile(minimumSamples: 1))
        for index in 0..<256 { machine.record(.seconds(1), for: "\(index)", at: Self.now) }
        machine.record(.seconds(1), for: "0", at: Self.now)
        machine.record(.seconds(1), for: "another", at: Self.now)
        #expect(machine.count == 256)
        let isKept = ["0", "1", "2", "another"].map { delay($0, machine) != nil }
        #expect(isKept == [true, false, true, true])
    }

    @Test func nothingIsKeptThatIsNotNeeded() {
        var machine = HedgingMachine(delay: .fixed(.seconds(1)))
        machine.record(.seconds(1), for: "a", at: Self.now)
        #expect(machine.count == 0)
        machine = HedgingMachine(delay: .percentile())
        machine.record(.seconds(1), for: String(repeating: "a", count: 1025), at: Self.now)
        #expect(machine.count == 0)
    }

    // MARK: Two attempts

    struct RaceRow: CustomTestStringConvertible, Sendable {
        let rule: String
        let script: String
        let effects: String

        init(_ rule: String, _ script: String, _ effects: String) {
            (self.rule, self.script, self.effects) = (rule, script, effects)
        }

        var testDescription: String { rule }
    }

    /// `1+` is a good outcome of the first attempt, `2-` a bad one of the second.
    static let races = [
        RaceRow("a quick answer is the result", "1+", "first 1+"),
        RaceRow("a quick failure is the result", "1-", "first 1-"),
        RaceRow("a slow first is hedged", "due", "hedge"),
        RaceRow("a slow first is not hedged without a token", "refused, 1+", "refused, first 1+"),
        RaceRow("a failure without a token is the result", "refused, 1-", "refused, first 1-"),
        RaceRow("there is one hedge", "due, due, 1+", "hedge, refused, first 1+"),
        RaceRow("the first wins", "due, 1+", "hedge, first 1+"),
        RaceRow("the hedge wins", "due, 2+", "hedge, hedge 2+"),
        RaceRow("a failed first waits for the hedge", "due, 1-", "hedge, wait"),
        RaceRow("the hedge stands in for a failed first", "due, 1-, 2+", "hedge, wait, hedge 2+ without 1-"),
        RaceRow("a failed hedge waits for the first", "due, 2-", "hedge, wait"),
        RaceRow("the first stands in for a failed hedge", "due, 2-, 1+", "hedge, wait, first 1+"),
        RaceRow("both fail, the first earlier", "due, 1-, 2-", "hedge, wait, first 1- without 2-"),
        RaceRow("both fail, the hedge earlier", "due, 2-, 1-", "hedge, wait, first 1-"),
        RaceRow("no hedge after the end", "1+, due", "first 1+, refused"),
        RaceRow("what comes after the end is ignored", "due, 1+, 2+", "hedge, first 1+, wait"),
        RaceRow("a first after the end is ignored", "due, 2+, 1+", "hedge, hedge 2+, wait"),
        RaceRow("a hedge that was not sent is ignored", "2+, 1+", "wait, first 1+"),
        RaceRow("an attempt ends once", "due, 1-, 1+, 2+", "hedge, wait, wait, hedge 2+ without 1-"),
        RaceRow("a good hedge follows a first that is not kept", "due, 1~, 2+", "hedge, wait, hedge 2+"),
        RaceRow("a bad hedge follows a first that is not kept", "due, 1~, 2-", "hedge, wait, hedge 2-"),
        RaceRow("a hedge ends once", "due, 2-, 2+, 1+", "hedge, wait, wait, first 1+"),
    ]

    @Test(arguments: races) func race(_ row: RaceRow) {
        var race = HedgeRace<String>()
        var effects: [String] = []
        for step in row.script.components(separatedBy: ", ") {
            switch step {
            case "due", "refused": effects.append(race.hedge { step == "due" } ? "hedge" : "refused")
            default:
                let finish = race.end(
                    step.hasPrefix("1") ? .first : .hedge,
                    with: step,
                    isGood: step.hasSuffix("+"),
                    isKept: !step.hasSuffix("~")
                )
                effects.append(
                    finish.map { "\($0.winner) \($0.outcome)" + ($0.discarded.map { " without \($0)" } ?? "") }
                        ?? "wait"
                )
            }
        }
        #expect(effects.joined(separator: ", ") == row.effects)
        #expect(race.isHedged == effects.contains("hedge"))
    }

    @Test func aTokenIsTakenOnlyForAHedge() {
        var tokens = 0
        let take = {
            tokens += 1
            return true
        }
        var over = HedgeRace<String>()
        _ = over.end(.first, with: "", isGood: true)
        let isHedgedLate = over.hedge(if: take)
        #expect(!isHedgedLate)
        #expect(tokens == 0)
        var race = HedgeRace<String>()
        let answers = [race.hedge(if: take), race.hedge(if: take)]
        #expect(answers == [true, false])
        #expect(tokens == 1)
    }
}
