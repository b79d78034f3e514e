import TestSupport
import Testing

@testable import Futuristics

/// The table of states, cell by cell.
struct FutureMachineTests {
    typealias Machine = FutureMachine<Int, String, String>

    private func value(_ outcome: Machine.Outcome?) -> Int? { try? outcome?.get() }

    private func ended(_ value: Int = 1) -> Machine {
        var machine = Machine()
        _ = machine.end(.success(value))
        _ = machine.nextHandlers()
        return machine
    }

    private func abandoned() -> Machine {
        var machine = Machine()
        _ = machine.abandon()
        return machine
    }

    @Test func aPendingFutureKeepsHandlersInOrder() {
        var machine = Machine()
        for handler in ["a", "b", "c"] {
            let outcome = machine.add(handler)
            #expect(outcome == nil)
        }
        _ = machine.end(.success(1))
        let handlers = machine.nextHandlers()
        #expect(handlers == ["a", "b", "c"])
        #expect(value(machine.outcome) == 1)
    }

    @Test func onlyTheFirstEndCounts() {
        var machine = Machine()
        let first = machine.end(.success(1))
        let second = machine.end(.success(2))
        let third = machine.end(.failure(Failure()))
        #expect(first != nil)
        #expect(second == nil)
        #expect(third == nil)
        #expect(value(machine.outcome) == 1)
    }

    @Test func anEndedFutureDeliversToALateHandler() {
        var machine = ended(7)
        let outcome = machine.add("late")
        #expect(value(outcome) == 7)
        // Another thread delivers already.
        let next = machine.add("later")
        #expect(next == nil)
        let handlers = machine.nextHandlers()
        #expect(handlers == ["late", "later"])
        let again = machine.end(.success(8))
        #expect(again == nil)
    }

    @Test func aHandlerThatIsAddedWhileOthersRunFollowsThem() {
        var machine = Machine()
        _ = machine.add("a")
        _ = machine.end(.success(7))
        let first = machine.nextHandlers()
        #expect(first == ["a"])
        let outcome = machine.add("b")
        #expect(outcome == nil)
        let waited = machine.wait("waiter", UUID())
        #expect(value(waited) == 7)
        let more = machine.nextHandlers()
        #expect(more == ["b"])
        let late = machine.add("c")
        #expect(late == nil)
        let last = machine.nextHandlers()
        #expect(last == ["c"])
        let none = machine.nextHandlers()
        #expect(none.isEmpty)
        let again = machine.add("d")
        #expect(value(again) == 7)
    }

    @Test func handlersKeepTheirOrderWhoeverEndsThePromise() async {
        for round in 0..<rounds(2000) {
            let journal = Journal()
            let promise = Promise<Int>()
            let isReady = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                isReady.wait()
                promise.fulfill(round)
            }
            promise.future.onSuccess(inPlace) { _ in journal("1") }
            isReady.signal()
            promise.future.onSuccess(inPlace) { _ in journal("2") }.finally(inPlace) { journal("3") }
            let entries = await journal.entries(3)
            #expect(entries == ["1", "2", "3"])
        }
    }

    @Test func anEndedFutureReturnsItsOutcomeToAWaiter() {
        var machine = ended(7)
        let number = UUID()
        let outcome = machine.wait("late", number)
        #expect(value(outcome) == 7)
        let waiter = machine.removeWaiter(number)
        #expect(waiter == nil)
    }

    @Test func anEndedFutureCannotBeAbandoned() {
        var machine = ended()
        let observers = machine.abandon()
        #expect(observers == nil)
        #expect(value(machine.outcome) == 1)
    }

    @Test func waitersAreHandedOutOnce() {
        var machine = Machine()
        let first = UUID()
        let second = UUID()
        for (name, id) in [("first", first), ("second", second)] {
            let outcome = machine.wait(name, id)
            #expect(outcome == nil)
        }
        let removed = machine.removeWaiter(first)
        let removedAgain = machine.removeWaiter(first)
        #expect(removed == "first")
        #expect(removedAgain == nil)
        let waiters = machine.end(.success(1))
        #expect(waiters?.values.sorted() == ["second"])
        let removedLate = machine.removeWaiter(second)
        #expect(removedLate == nil)
    }

    @Test func abandoningHandsOutEverythingOnce() {
        var machine = Machine()
        _ = machine.add("handler")
        _ = machine.wait("waiter", UUID())
        let observers = machine.abandon()
        let again = machine.abandon()
        #expect(observers?.handlers == ["handler"])
        #expect(observers?.waiters.values.sorted() == ["waiter"])
        #expect(again == nil)
        #expect(machine.outcome == nil)
    }

    @Test func anAbandonedFutureNeverEnds() {
        var machine = abandoned()
        let waiters = machine.end(.success(1))
        #expect(waiters == nil)
        #expect(machine.outcome == nil)
    }

    @Test func anAbandonedFutureKeepsNothing() {
        var machine = abandoned()
        let outcome = machine.add("handler")
        #expect(outcome == nil)
        let number = UUID()
        let end = machine.wait("waiter", number)
        #expect(throws: FutureError.unresolved) { try end?.get() }
        let waiter = machine.removeWaiter(number)
        #expect(waiter == nil)
    }

    @Test func releasingAPromiseResumesItsWaiters() {
        let journal = Journal()
        let future: Future<Int>
        do {
            let promise = Promise<Int>()
            future = promise.future
            future.wait(UUID()) { journal($0) }
            #expect(journal.entries.isEmpty)
        }
        #expect(journal.entries == ["failure(Futuristics.FutureError.unresolved)"])
        #expect(future.state.isPending)
    }
}
