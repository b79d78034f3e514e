import TestSupport
import Testing

@testable import Futuristics

/// The table of states, cell by cell.
struct FutureMachineTests {
    /// The value in a box, because an expectation cannot change a variable.
    private final class Machine {
        private typealias Value = FutureMachine<Int, String, String>
        private var machine = Value()

        var value: Int? { value(machine.outcome) }
        func end(_ result: Result<Int, any Error>) -> [String]? { machine.end(result)?.values.sorted() }
        func nextHandlers() -> [String] { machine.nextHandlers() }
        func abandon() -> (handlers: [String], waiters: [String])? {
            machine.abandon().map { ($0.handlers, $0.waiters.values.sorted()) }
        }
        func add(_ handler: String) -> Int? { value(machine.add(handler)) }
        func wait(_ waiter: String, _ id: UUID) throws -> Int? { try machine.wait(waiter, id)?.get() }
        func removeWaiter(_ id: UUID) -> String? { machine.removeWaiter(id) }

        private func value(_ outcome: Value.Outcome?) -> Int? { outcome.map { (try? $0.get()) ?? -1 } }
    }

    private func ended(_ value: Int = 1) -> Machine {
        let machine = Machine()
        _ = machine.end(.success(value))
        _ = machine.nextHandlers()
        return machine
    }

    private func abandoned() -> Machine {
        let machine = Machine()
        _ = machine.abandon()
        return machine
    }

    @Test func aPendingFutureKeepsHandlersInOrder() {
        let machine = Machine()
        for handler in ["a", "b", "c"] { #expect(machine.add(handler) == nil) }
        _ = machine.end(.success(1))
        #expect(machine.nextHandlers() == ["a", "b", "c"])
        #expect(machine.value == 1)
    }

    @Test func onlyTheFirstEndCounts() {
        let machine = Machine()
        #expect(machine.end(.success(1)) != nil)
        #expect(machine.end(.success(2)) == nil)
        #expect(machine.end(.failure(Failure())) == nil)
        #expect(machine.value == 1)
    }

    @Test func anEndedFutureDeliversToALateHandler() {
        let machine = ended(7)
        #expect(machine.add("late") == 7)
        // Another thread delivers already.
        #expect(machine.add("later") == nil)
        #expect(machine.nextHandlers() == ["late", "later"])
        #expect(machine.end(.success(8)) == nil)
    }

    @Test func aHandlerThatIsAddedWhileOthersRunFollowsThem() throws {
        let machine = Machine()
        _ = machine.add("a")
        _ = machine.end(.success(7))
        #expect(machine.nextHandlers() == ["a"])
        #expect(machine.add("b") == nil)
        #expect(try machine.wait("waiter", UUID()) == 7)
        #expect(machine.nextHandlers() == ["b"])
        #expect(machine.add("c") == nil)
        #expect(machine.nextHandlers() == ["c"])
        #expect(machine.nextHandlers().isEmpty)
        #expect(machine.add("d") == 7)
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

    @Test func anEndedFutureReturnsItsOutcomeToAWaiter() throws {
        let machine = ended(7)
        let number = UUID()
        #expect(try machine.wait("late", number) == 7)
        #expect(machine.removeWaiter(number) == nil)
    }

    @Test func anEndedFutureCannotBeAbandoned() {
        let machine = ended()
        #expect(machine.abandon() == nil)
        #expect(machine.value == 1)
    }

    @Test func waitersAreHandedOutOnce() throws {
        let machine = Machine()
        let (first, second) = (UUID(), UUID())
        #expect(try machine.wait("first", first) == nil)
        #expect(try machine.wait("second", second) == nil)
        #expect(machine.removeWaiter(first) == "first")
        #expect(machine.removeWaiter(first) == nil)
        #expect(machine.end(.success(1)) == ["second"])
        #expect(machine.removeWaiter(second) == nil)
    }

    @Test func abandoningHandsOutEverythingOnce() throws {
        let machine = Machine()
        _ = machine.add("handler")
        _ = try machine.wait("waiter", UUID())
        let observers = try #require(machine.abandon())
        #expect(observers == (["handler"], ["waiter"]))
        #expect(machine.abandon() == nil)
        #expect(machine.value == nil)
    }

    @Test func anAbandonedFutureNeverEnds() {
        let machine = abandoned()
        #expect(machine.end(.success(1)) == nil)
        #expect(machine.value == nil)
    }

    @Test func anAbandonedFutureKeepsNothing() {
        let machine = abandoned()
        #expect(machine.add("handler") == nil)
        let number = UUID()
        #expect(throws: FutureError.unresolved) { try machine.wait("waiter", number) }
        #expect(machine.removeWaiter(number) == nil)
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
