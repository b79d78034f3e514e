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

    @Test func itBeginsWithTheTokensOfOneSecond() {
        var machine = RetryBudgetMachine(ratio: 0.2, perSecond: 10)
        #expect(Self.withdrawals(&machine) == 10)
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

    @Test func secondsAddTokens() {
        var machine = RetryBudgetMachine(ratio: 0, perSecond: 10)
        #expect(Self.withdrawals(&machine) == 10)
        #expect(Self.withdrawals(&machine, at: .milliseconds(99)) == 0)
        #expect(Self.withdrawals(&machine, at: .milliseconds(100)) == 1)
        #expect(Self.withdrawals(&machine, at: .milliseconds(1100)) == 10)
    }

    @Test func aQuietHourAddsTheTokensOfTenSeconds() {
        var machine = RetryBudgetMachine(ratio: 0, perSecond: 10)
        #expect(Self.withdrawals(&machine) == 10)
        #expect(Self.withdrawals(&machine, at: .seconds(3600)) == 100)
    }

    @Test func manyCallsAddTheTokensOfAThousand() {
        var machine = RetryBudgetMachine(ratio: 0.2, perSecond: 0)
        for _ in 0..<100_000 { machine.deposit() }
        #expect(Self.withdrawals(&machine) == 200)
        var small = RetryBudgetMachine(ratio: 0.001, perSecond: 0)
        for _ in 0..<100_000 { small.deposit() }
        #expect(Self.withdrawals(&small) == 10)
    }

    @Test func aSlowRateIsARate() {
        var machine = RetryBudgetMachine(ratio: 0, perSecond: 0.05)
        #expect(Self.withdrawals(&machine) == 1)
        #expect(Self.withdrawals(&machine, at: .seconds(19)) == 0)
        #expect(Self.withdrawals(&machine, at: .seconds(20)) == 1)
        #expect(Self.withdrawals(&machine, at: .seconds(1000)) == 1)
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

    @Test func aClockThatGoesBackAddsNothing() {
        var machine = RetryBudgetMachine(ratio: 0, perSecond: 10)
        #expect(Self.withdrawals(&machine, at: .seconds(100)) == 10)
        #expect(Self.withdrawals(&machine) == 0)
        #expect(Self.withdrawals(&machine, at: .seconds(100)) == 0)
        #expect(Self.withdrawals(&machine, at: .seconds(101)) == 10)
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
