import PiuPiuAsync
import SuiteSupport
import TestSupport
import Testing

@testable import PiuPiuPolicies

struct LimitTableTests {
    /// A state that is like new from a time on.
    private struct State: LimitState {
        var value = 0
        var isInUse = false
        var newAt: ContinuousClock.Instant

        func isLikeNew(at now: ContinuousClock.Instant) -> Bool { newAt <= now }
    }

    private let start = ContinuousClock.now
    private let never = ContinuousClock.now + .seconds(1_000_000)

    private func use(
        _ table: inout LimitTable<State>,
        _ key: String,
        at seconds: Int = 0,
        newAt: ContinuousClock.Instant? = nil,
        isInUse: Bool = false
    ) -> Int {
        table.withState(of: key, at: start + .seconds(seconds), initial: State(newAt: newAt ?? never)) { state in
            state.value += 1
            state.isInUse = isInUse
            return state.value
        }
    }

    @Test func aKeyKeepsItsState() {
        var table = LimitTable<State>()
        #expect(["a", "b", "a", "a", "b"].map { use(&table, $0) } == [1, 1, 2, 3, 2])
        #expect(table.withExistingState(of: "a") { $0.value } == 3)
        #expect(table.withExistingState(of: "b") { $0.value } == 2)
        #expect(table.withExistingState(of: "c") { $0.value } == nil)
        #expect(table.count == 2)
    }

    @Test func aFullTableForgetsTheLeastRecentlyUsed() {
        var table = LimitTable<State>(capacity: 3)
        for key in ["a", "b", "c", "a", "d"] { _ = use(&table, key) }
        #expect(["a", "b", "c", "d"].map { table.contains($0) } == [true, false, true, true])
        #expect(use(&table, "a") == 3)
        #expect(use(&table, "b") == 1)
        #expect(["a", "b", "c", "d"].map { table.contains($0) } == [true, true, false, true])
    }

    @Test func aStateInUseIsNotForgotten() {
        var table = LimitTable<State>(capacity: 2)
        for key in ["a", "b"] { _ = use(&table, key, newAt: start, isInUse: true) }
        for key in ["c", "d", "e", "f"] { _ = use(&table, key) }
        #expect(table.contains("a") && table.contains("b"))
        // Those in use and the capacity.
        #expect(table.count <= 4)
        for key in ["a", "b"] { table.withExistingState(of: key) { $0.isInUse = false } }
        for key in 0..<20 { _ = use(&table, "\(key)") }
        #expect(!table.contains("a") && !table.contains("b"))
    }

    @Test func aTableThatGrewBeyondItsCapacityShrinksAgain() {
        var table = LimitTable<State>(capacity: 10)
        for key in 0..<1000 { _ = use(&table, "\(key)", isInUse: true) }
        #expect(table.count == 1000)
        for key in 0..<1000 { table.withExistingState(of: "\(key)") { $0.isInUse = false } }
        for key in 0..<200 { _ = use(&table, "new \(key)") }
        #expect(table.count == 10)
        #expect((190..<200).allSatisfy { table.contains("new \($0)") })
    }

    @Test func statesThatAreLikeNewAreDroppedByAndBy() {
        var table = LimitTable<State>(capacity: 1000)
        for key in 0..<100 { _ = use(&table, "\(key)", newAt: start + .seconds(10)) }
        #expect(table.count == 100)
        _ = use(&table, "a", at: 10)
        #expect(table.count == 99)
        for _ in 0..<60 { _ = use(&table, "a", at: 10) }
        #expect(table.count == 1)
        #expect(use(&table, "a", at: 10) == 62)
    }

    @Test func theOrderSurvivesRandomUse() {
        var table = LimitTable<State>(capacity: 8)
        var model: [String] = []
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let key = "\(Int.random(in: 0..<20, using: &random))"
            let isKnown = model.contains(key)
            model.removeAll { $0 == key }
            if !isKnown, model.count == 8 { model.removeFirst() }
            model.append(key)
            #expect((use(&table, key) > 1) == isKnown)
            #expect(table.count == model.count)
        }
        #expect(model.allSatisfy { table.contains($0) })
    }

    @Test func aCapacityOfLessThanOneIsOne() {
        var table = LimitTable<State>(capacity: -3)
        for key in ["a", "b"] { _ = use(&table, key) }
        #expect(table.count == 1)
        #expect(table.contains("b"))
    }
}
