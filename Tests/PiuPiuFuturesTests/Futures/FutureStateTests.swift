import Testing

@testable import PiuPiuFutures

struct FutureStateTests {
    private typealias State = FutureState<Int, String, Int, String>

    /// The value in a box, because an expectation cannot change a variable.
    private final class Machine {
        private var state = State("work")

        var outcome: State.Outcome? { state.outcome }
        var status: FutureStatus { state.status }
        var isCreated: Bool { state.isCreated }

        func claimWork(receiver: String? = nil) -> String? { state.claimWork(for: FutureRun(), receiver) }
        func abandon() -> String? { state.abandon() }
        func add(_ run: FutureRun) -> Bool { state.add(run) }
        /// What the first end leaves to do; `nil` for every later one.
        func finish(_ outcome: State.Outcome) -> State.End? {
            let isFirst = state.outcome == nil
            var end = State.End()
            _ = state.finish(outcome, &end)
            return isFirst ? end : nil
        }
        func wait(_ waiter: Int) -> State.Outcome? { state.wait(waiter) }
        func update(_ task: TransferTask, isStage: Bool = false) -> State.UpdateAction? {
            state.update(task, isStage: isStage)
        }
        func nextDelivery() -> State.DeliveryStep? { state.nextDelivery() }
        func successThrew(_ error: any Error) { state.successThrew(error) }

        func set(_ change: (inout FutureHandlers<Int>) -> Void) -> (isUndelivered: Bool, replaced: State.Handlers?) {
            let replaced = state.setHandler(change)
            return (state.isUndelivered, replaced)
        }
        var isUndelivered: Bool { state.isUndelivered }
    }

    private static let request = UUID()

    private static func update(_ count: Int64, of id: UUID = request) -> TransferTask {
        var progress = TransferProgress(direction: .receiving)
        progress.bytesReceived = count
        return TransferTask(id: id, progress: progress)
    }

    /// A state with all handlers.
    private static func observed() -> Machine {
        let state = Machine()
        _ = state.set { $0 = all() }
        return state
    }

    private static func all() -> FutureHandlers<Int> {
        FutureHandlers(success: { _ in }, error: { _ in }, cancellation: {}, completion: {}, updated: { _ in })
    }

    /// What would run on the main actor now.
    private static func delivered(_ state: Machine) -> [String] {
        var steps: [String] = []
        while let step = state.nextDelivery() {
            switch step {
            case .update(let task, _): steps.append("update \(task.countOfBytesReceived)")
            case .success(let value, _): steps.append("success \(value)")
            case .error(let error, _): steps.append("error \(error)")
            case .cancellation: steps.append("cancellation")
            case .completion(let handlers): steps.append(handlers.completion == nil ? "end" : "completion")
            }
        }
        return steps
    }

    // MARK: Phases

    @Test func workIsHandedOutOnce() {
        let state = Machine()
        #expect(state.status == .created)
        #expect(state.isCreated)
        #expect(state.claimWork() == "work")
        #expect(state.status == .started)
        #expect(!state.isCreated)
        #expect(state.claimWork() == nil)
        _ = state.finish(.success(1))
        #expect(state.claimWork() == nil)
    }

    @Test func theFirstEndCounts() throws {
        let ends: [(Result<Int, any Error>, FutureStatus)] = [
            (.success(1), .success), (.failure(Failure()), .error), (.failure(CancellationError()), .cancelled),
        ]
        for isStarted in [false, true] {
            for (first, status) in ends {
                for (second, _) in ends {
                    let state = Machine()
                    if isStarted { _ = state.claimWork() }
                    #expect(state.outcome == nil)
                    let action = try #require(state.finish(first))
                    if case .created(let work) = action.phase {
                        #expect(work == "work")
                        #expect(!isStarted)
                    } else {
                        #expect(isStarted)
                    }
                    #expect(state.status == status)
                    #expect(state.finish(second) == nil)
                    #expect(state.status == status)
                }
            }
        }
    }

    @Test func anEarlierEndIsTheOutcomeOfALaterOne() throws {
        var state = State("work")
        var end = State.End()
        let outcomes = [state.finish(.success(1), &end), state.finish(.failure(Failure()), &end)]
        #expect(try outcomes.map { try $0.get() } == [1, 1])
    }

    @Test func theEndHandsOutRunsAndFollowers() throws {
        let state = Machine()
        _ = state.claimWork(receiver: "child")
        for waiter in 1...3 { #expect(state.wait(waiter) == nil) }
        #expect(state.add(FutureRun()))
        #expect(state.claimWork(receiver: "other child") == nil)
        let action = try #require(state.finish(.success(5)))
        var followers: [String] = []
        for follower in action.followers {
            switch follower {
            case .waiter(let number): followers.append("waiter \(number)")
            case .receiver(let name): followers.append(name)
            case .run: followers.append("run")
            }
        }
        #expect(followers == ["waiter 1", "waiter 2", "waiter 3", "run", "other child"])
        #expect(action.run != nil && action.receiver == "child")
        #expect(try state.wait(4)?.get() == 5)
        #expect(!state.add(FutureRun()))
    }

    @Test func aCancelledFutureKeepsItsFollowersForTheEnd() {
        var state = State("work")
        let unstarted = state.cancel()
        #expect(unstarted == nil)
        #expect(state.status == .created)
        _ = state.claimWork(for: FutureRun(), "child")
        _ = state.wait(1)
        let (run, second) = (state.cancel(), state.cancel())
        #expect(run != nil && second == nil)
        #expect(state.status == .cancelled)
        var end = State.End()
        let outcome = state.finish(.success(1), &end)
        #expect(throws: CancellationError.self) { try outcome.get() }
        #expect(end.run != nil && end.receiver == "child")
        guard case .waiter(1)? = end.followers.first else { return #expect(Bool(false), "the waiter was forgotten") }
    }

    @Test func anAbandonedFutureIsCancelled() {
        let state = Machine()
        #expect(state.abandon() == "work")
        #expect(state.status == .cancelled)
        #expect(state.abandon() == nil)
        let started = Machine()
        _ = started.claimWork()
        #expect(started.abandon() == nil)
        #expect(started.status == .started)
    }

    // MARK: Delivery

    @Test func outcomesComeInOrder() throws {
        let cases: [(Result<Int, any Error>, String)] = [
            (.success(1), "success 1"), (.failure(Failure(number: 2)), "error 2"),
            (.failure(CancellationError()), "cancellation"),
        ]
        for (outcome, event) in cases {
            let state = Self.observed()
            _ = state.claimWork()
            #expect(state.update(Self.update(3))?.schedulesDelivery == true)
            #expect(state.update(Self.update(4))?.schedulesDelivery == false)
            #expect(!state.isUndelivered)
            _ = state.finish(outcome)
            #expect(state.isUndelivered)
            #expect(Self.delivered(state) == ["update 4", event, "completion"])
            #expect(!state.isUndelivered)
            #expect(Self.delivered(state) == [])
        }
    }

    @Test func onlyTheNewestUpdateIsDelivered() throws {
        let state = Self.observed()
        _ = state.claimWork()
        #expect(try #require(state.update(Self.update(1))).schedulesDelivery)
        let second = try #require(state.update(Self.update(2)))
        #expect(!second.schedulesDelivery)
        #expect(second.replaced?.countOfBytesReceived == 1)
        #expect(Self.delivered(state) == ["update 2"])
        #expect(try #require(state.update(Self.update(3))).schedulesDelivery)
        #expect(Self.delivered(state) == ["update 3"])
        _ = state.finish(.success(1))
        #expect(state.update(Self.update(4)) == nil)
        #expect(Self.delivered(state) == ["success 1", "completion"])
        #expect(state.update(Self.update(5)) == nil)
    }

    @Test func stagesAreDeliveredBesideEachOther() throws {
        let state = Self.observed()
        _ = state.claimWork()
        #expect(try #require(state.update(Self.update(1), isStage: true)).schedulesDelivery)
        for count in 2...9 as ClosedRange<Int64> { _ = state.update(Self.update(count)) }
        #expect(try #require(state.update(Self.update(10), isStage: true)).schedulesDelivery == false)
        // A task shows its newest state.
        #expect(Self.delivered(state) == ["update 10", "update 10", "update 10"])
        _ = state.update(Self.update(11), isStage: true)
        #expect(Self.delivered(state) == ["update 11"])
    }

    @Test func theNewestUpdateOfEachRequestIsDelivered() throws {
        let state = Self.observed()
        _ = state.claimWork()
        let other = UUID()
        for (count, id) in [(1, Self.request), (2, other), (3, Self.request)] as [(Int64, UUID)] {
            _ = state.update(Self.update(count, of: id))
        }
        #expect(Self.delivered(state) == ["update 3", "update 2"])
        // One that says it is another request each time does not fill the memory.
        for count in 1...150 as ClosedRange<Int64> { _ = state.update(Self.update(count, of: UUID())) }
        #expect(Self.delivered(state) == (51...150).map { "update \($0)" })
    }

    @Test func updatesThatNobodyWantsArePassedOn() throws {
        let state = Machine()
        _ = state.claimWork(receiver: "a")
        _ = state.claimWork(receiver: "b")
        let action = try #require(state.update(Self.update(1)))
        #expect(action.receivers == ["a", "b"])
        #expect(!action.schedulesDelivery)
        #expect(Self.delivered(state) == [])
    }

    @Test func aThrowInSuccessGoesToErrorAndThenCompletion() throws {
        let state = Self.observed()
        _ = state.finish(.success(1))
        guard case .success(1, _)? = state.nextDelivery() else {
            Issue.record("no success")
            return
        }
        state.successThrew(Failure(number: 9))
        #expect(state.status == .started)
        #expect(try #require(state.outcome).get() == 1)
        #expect(Self.delivered(state) == ["error 9", "completion"])
        #expect(state.status == .error)
    }

    @Test func aThrowInSuccessWithoutAnErrorHandlerIsDropped() {
        let state = Machine()
        _ = state.set {
            $0.success = { _ in }
            $0.completion = {}
        }
        _ = state.finish(.success(1))
        _ = state.nextDelivery()
        state.successThrew(Failure(number: 9))
        #expect(Self.delivered(state) == ["completion"])
    }

    @Test func handlersAreHandedOutAtTheEnd() throws {
        let state = Self.observed()
        _ = state.finish(.success(1))
        _ = state.nextDelivery()
        guard case .completion(let handlers)? = state.nextDelivery() else {
            Issue.record("no completion")
            return
        }
        #expect(handlers.success != nil && handlers.error != nil && handlers.cancellation != nil)
        // None is left behind: one that is set now does not replace any.
        #expect(state.set { $0.error = { _ in } }.replaced == nil)
    }

    // MARK: Handlers that are late

    @Test func handlersSetAfterTheEndRun() {
        let state = Machine()
        _ = state.finish(.success(1))
        #expect(state.set { $0.success = { _ in } }.isUndelivered)
        #expect(state.set { $0.completion = {} }.isUndelivered)
        #expect(Self.delivered(state) == ["success 1", "completion"])
    }

    @Test func handlersSetOneByOneAfterTheEndAllRun() {
        let state = Machine()
        _ = state.finish(.success(1))
        #expect(state.set { $0.error = { _ in } }.isUndelivered)
        #expect(Self.delivered(state) == ["end"])
        #expect(state.set { $0.success = { _ in } }.isUndelivered)
        #expect(Self.delivered(state) == ["success 1", "end"])
        #expect(state.set { $0.completion = {} }.isUndelivered)
        #expect(Self.delivered(state) == ["completion"])
    }

    @Test func nothingRunsAfterCompletionAndNothingTwice() {
        let state = Machine()
        _ = state.set { $0.success = { _ in } }
        _ = state.finish(.success(1))
        #expect(Self.delivered(state) == ["success 1", "end"])
        #expect(state.set { $0.success = { _ in } }.isUndelivered)
        #expect(Self.delivered(state) == ["end"])
        _ = state.set { $0.completion = {} }
        #expect(Self.delivered(state) == ["completion"])
        #expect(!state.set { $0 = Self.all() }.isUndelivered)
        #expect(Self.delivered(state) == [])
    }

    @Test func anErrorHandlerSetAfterAThrowInSuccessRunsOnce() {
        let state = Machine()
        _ = state.set { $0.success = { _ in } }
        _ = state.finish(.success(1))
        _ = state.nextDelivery()
        state.successThrew(Failure(number: 3))
        #expect(Self.delivered(state) == ["end"])
        for expected in [["error 3", "end"], ["end"]] {
            #expect(state.set { $0.error = { _ in } }.isUndelivered)
            #expect(Self.delivered(state) == expected)
        }
    }

    @Test func aHandlerReplacesTheOneBefore() {
        let state = Self.observed()
        #expect(state.set { $0.success = nil }.replaced?.success != nil)
        _ = state.finish(.success(1))
        #expect(Self.delivered(state) == ["completion"])
    }
}
