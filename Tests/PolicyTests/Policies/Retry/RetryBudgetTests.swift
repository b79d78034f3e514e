import PiuPiuAsync
import SuiteSupport
import Testing

@testable import PiuPiuPolicies

struct RetryBudgetMachineTests {
    private static let start = ContinuousClock.now

    private static func withdrawals(_ machine: inout RetryBudgetMachine, at time: Duration = .zero) -> Int {
        var count = 0
        while machine.withdraw(at: start.advanced(by: time)), count < 3_000_000 { count += 1 }
        return count
    }

    @Test(
        arguments: [(0.2, 5, 1), (0.2, 4, 0), (0.1, 10, 1), (0.1, 9, 0), (1, 3, 3), (2, 3, 6)] as [(Double, Int, Int)]
    )
    func callsAddAFractionOfAToken(_ row: (Double, Int, Int)) {
        var machine = RetryBudgetMachine(ratio: row.0, perSecond: 0)
        for _ in 0..<row.1 { machine.deposit() }
        #expect(Self.withdrawals(&machine) == row.2)
        #expect(Self.withdrawals(&machine, at: .seconds(1000)) == 0)
    }

    @Test func tenThousandCallsAddNoMoreAndNoLessThanTheirShare() {
        var machine = RetryBudgetMachine(ratio: 0.2, perSecond: 0)
        var count = 0
        for _ in 0..<10_000 {
            machine.deposit()
            count += Self.withdrawals(&machine)
        }
        #expect(count == 2000)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var ratio = 0.0
        let perSecond: Double
        /// The times in seconds, and how many tokens there are then.
        let tokens: [(time: Double, count: Int)]
    }

    static let rows = [
        Row(testDescription: "it begins with those of one second", ratio: 0.2, perSecond: 10, tokens: [(0, 10)]),
        Row(testDescription: "seconds add tokens", perSecond: 10, tokens: [(0, 10), (0.099, 0), (0.1, 1), (1.1, 10)]),
        Row(testDescription: "a quiet hour adds those of ten seconds", perSecond: 10, tokens: [(0, 10), (3600, 100)]),
        Row(testDescription: "a slow rate is a rate", perSecond: 0.05, tokens: [(0, 1), (19, 0), (20, 1), (1000, 1)]),
        Row(testDescription: "going back adds none", perSecond: 10, tokens: [(100, 10), (0, 0), (100, 0), (101, 10)]),
    ]

    @Test(arguments: rows) func secondsAddTokens(_ row: Row) {
        var machine = RetryBudgetMachine(ratio: row.ratio, perSecond: row.perSecond)
        for (time, count) in row.tokens {
            #expect(Self.withdrawals(&machine, at: .milliseconds(Int(time * 1000))) == count, "at \(time) s")
        }
    }

    @Test func manyCallsAddTheTokensOfAThousand() {
        var machine = RetryBudgetMachine(ratio: 0.2, perSecond: 0)
        for _ in 0..<100_000 { machine.deposit() }
        #expect(Self.withdrawals(&machine) == 200)
        var small = RetryBudgetMachine(ratio: 0.001, perSecond: 0)
        for _ in 0..<100_000 { small.deposit() }
        #expect(Self.withdrawals(&small) == 10)
    }

    @Test func theTokensOfCallsAreTakenFirst() {
        var machine = RetryBudgetMachine(ratio: 1, perSecond: 1)
        machine.deposit()
        let isTaken = machine.withdraw(at: Self.start)
        #expect(isTaken)
        machine.deposit()
        #expect(Self.withdrawals(&machine) == 2)
    }

    @Test func aClockThatGoesBackTakesNothingAway() {
        var machine = RetryBudgetMachine(ratio: 0, perSecond: 10)
        let isTaken = machine.withdraw(at: Self.start.advanced(by: .seconds(100)))
        #expect(isTaken)
        #expect(Self.withdrawals(&machine) == 9)
    }

    @Test(arguments: [Double.nan, -1, -Double.infinity, 0])
    func numbersThatAreNotPositiveAddNothing(_ number: Double) {
        var machine = RetryBudgetMachine(ratio: number, perSecond: number)
        for _ in 0..<100 { machine.deposit() }
        #expect(Self.withdrawals(&machine) == 0)
        #expect(Self.withdrawals(&machine, at: .seconds(1000)) == 0)
    }

    @Test(arguments: [Double.infinity, Double.greatestFiniteMagnitude])
    func hugeNumbersAreLimited(_ number: Double) {
        var machine = RetryBudgetMachine(ratio: number, perSecond: 0)
        machine.deposit()
        #expect(Self.withdrawals(&machine) == 1000)
        var fast = RetryBudgetMachine(ratio: 0, perSecond: number)
        #expect(Self.withdrawals(&fast) == 1_000_000)
    }
}

struct RetryBudgetTests {
    @Test func allWhoShareItTakeFromTheSameTokens() async {
        let budget = RetryBudget(ratio: 1, perSecond: 0)
        let now = ContinuousClock.now
        let taken = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var count = 0
                    for _ in 0..<1000 {
                        budget.deposit()
                        if budget.withdraw(at: now) { count += 1 }
                        if budget.withdraw(at: now) { count += 1 }
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
        #expect(taken == 4000)
    }

    @Test func eachPolicyHasOneOfItsOwn() {
        let first = RetryPolicy()
        let copy = first
        #expect(first.budget === copy.budget)
        #expect(first.budget != nil && first.budget !== RetryPolicy().budget)
    }
}
