import TestSupport
import Testing

@testable import Futuristics

@Sendable private func double(_ number: Int) throws -> Int { number * 2 }
@Sendable private func text(_ number: Int) -> String { "\(number)" }
@Sendable private func fail(_ number: Int) throws -> Int { throw Failure(number: number) }
@Sendable private func later(_ number: Int) -> Future<Int> {
    let promise = Promise<Int>()
    DispatchQueue.global().async { promise.fulfill(number + 1) }
    return promise.future
}
@Sendable private func rejected(_ number: Int) -> Future<Int> { Promise<Int>().reject(Failure(number: number)) }

@Suite(.timeLimit(.generous)) struct CompositionTests {
    private let journal = Journal()

    // MARK: Functions

    @Test func functionsAreCalledOneAfterTheOther() throws {
        let composed = double >>> text
        #expect(try composed(100) == "200")
        let three = double >>> double >>> text
        #expect(try three(1) == "4")
    }

    @Test func aFunctionThatThrowsEndsTheComposition() {
        let composed =
            double >>> fail >>> { (number: Int) -> Int in
                journal("called")
                return number
            }
        #expect(throws: Failure(number: 4)) { try composed(2) }
        #expect(journal.entries.isEmpty)
    }

    @Test func aValueIsPiped() throws {
        #expect(try (100 |> double) == 200)
        #expect(try (100 |> double |> text) == "200")
        #expect(throws: Failure(number: 100)) { try 100 |> fail }
    }

    // MARK: Futures

    @Test func futuresAreComposed() async throws {
        let composed =
            onMainQueue(double) >>> later >>> onBackgroundQueue(double) >>> later >>> later >>> onMainQueue(text)
        #expect(try await composed(443).value == "1776")
    }

    @Test func aRejectedFutureEndsTheComposition() async {
        let composed =
            later >>> rejected >>> { (number: Int) -> Future<Int> in
                journal("called")
                return later(number)
            }
        await #expect(throws: Failure(number: 888)) { try await composed(887).value }
        #expect(journal.entries.isEmpty)
    }

    @Test func aFirstFunctionThatIsRejectedEndsTheComposition() async {
        let composed = rejected >>> later
        await #expect(throws: Failure(number: 1)) { try await composed(1).value }
    }

    /// A stage behind a future runs on the main queue, never inside the call.
    ///
    /// It makes no difference which thread calls, and whether the future ends before or after. In Futuristics 0.2, stages are
    /// handlers: `bind` in `Source/FutureComposition.swift`.
    @Test(arguments: [true, false], [true, false])
    func aStageBehindAFutureRunsOnTheMainQueueLater(onMain isOnMain: Bool, endsBefore: Bool) async {
        let promise = Promise<Int>()
        let first = { (_: Int) in promise.future }
        let stage = { (number: Int) -> Int in
            journal("stage", isInCall, isOnMainQueue)
            return number
        }
        let futureStage = { (number: Int) in Promise<Int>().fulfill(stage(number)) }
        let body = {
            markCall {
                if endsBefore { promise.fulfill(1) }
                _ = [(first >>> stage)(1), (first >>> futureStage)(1), promise.future |> futureStage]
                if !endsBefore { promise.fulfill(1) }
            }
        }
        if isOnMain { await onMain(body) } else { await onThread(body) }
        #expect(await journal.entries(3) == Array(repeating: "stage false true", count: 3))
    }

    @MainActor @Test func aFunctionBeforeAWrappedFunctionRunsAtOnceOnTheMainThread() throws {
        #expect(try (double >>> onMainQueue(text))(1).result() == "2")
    }

    @Test func aStageBeginsOnTheMainQueue() async throws {
        let queue = NamedQueue.make("stage")
        let first = onQueue(queue)({ (number: Int) in number })
        let place = { (_: Int) in isOnMainQueue }
        let futurePlace = { (_: Int) in Promise<Bool>().fulfill(isOnMainQueue) }
        #expect(try await (first >>> futurePlace)(1).value)
        #expect(try await (first >>> place)(1).value)
        #expect(try await (first(1) |> futurePlace).value)
        // Not on a thread that has the value already.
        let now = { (number: Int) in Promise<Int>().fulfill(number) }
        let future = await onThread { (now >>> futurePlace)(1) }
        #expect(try await future.value)
        let onBackground = now >>> onBackgroundQueue { (_: Int) in isOnMainQueue }
        #expect(try await onBackground(1).value == false)
    }

    /// On the main actor, so that nothing ends before it is observed: an observer of an ended future is called at once.
    @MainActor @Test func aCompositionEndsOnTheMainQueue() async {
        let queue = NamedQueue.make("last")
        func note<A>(_ future: Future<A>) {
            future.observe { _ in journal(isOnMainQueue) }
        }
        note((later >>> onQueue(queue)({ (number: Int) in number }))(1))
        note((later >>> later >>> onQueue(queue)(fail))(1))
        note((rejected >>> later)(1))
        note(onQueue(queue)(fail)(1) |> later)
        #expect(await journal.entries(4) == Array(repeating: "true", count: 4))
    }

    @Test func aValueIsPipedIntoFutures() async throws {
        let four = 100 |> later |> onBackgroundQueue(double) |> later
        #expect(try await four.value == 203)
        let composed = onBackgroundQueue(double) >>> onBackgroundQueue(double)
        #expect(try await (100 |> composed).value == 400)
        await #expect(throws: Failure(number: 7)) { try await (7 |> rejected |> later).value }
        await #expect(throws: Failure(number: 8)) { try await (7 |> later |> rejected).value }
    }

    // MARK: Mixed

    @Test func aFunctionMayComeBeforeAFuture() async throws {
        let composed = double >>> later
        let future: Future<Int> = composed(2)
        #expect(try await future.value == 5)
        let failing = fail >>> later
        let failed: Future<Int> = failing(3)
        #expect(throws: Failure(number: 3)) { try failed.result() }
    }

    @Test func aFunctionMayComeAfterAFuture() async throws {
        let composed = later >>> double >>> text
        #expect(try await composed(2).value == "6")
        await #expect(throws: Failure(number: 3)) { try await (later >>> fail)(2).value }
        let skipping =
            rejected >>> { (number: Int) -> Int in
                journal("called")
                return number
            }
        await #expect(throws: Failure(number: 2)) { try await skipping(2).value }
        #expect(journal.entries.isEmpty)
    }

    @Test func everyMixtureIsAFuture() async throws {
        let mixed = double >>> double >>> later >>> double >>> later >>> later >>> double >>> double
        #expect(try await mixed(1).value == 48)
        let nested = double >>> (later >>> (double >>> (later >>> double)))
        #expect(try await nested(1).value == 14)
    }

    @Test func aCompositionMayBeCalledAnyNumberOfTimes() async throws {
        let composed = double >>> later >>> double
        let values = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<200 { group.addTask { try await composed(number).value } }
            var values: [Int] = []
            for try await value in group { values.append(value) }
            return values
        }
        #expect(values.sorted() == (0..<200).map { ($0 * 2 + 1) * 2 })
    }

    @Test func methodsOfAPlainClassAreComposed() async throws {
        final class Parser {
            var count = 0
            func parse(_ text: String) throws -> Any { Int(text) as Any }
            func number(_ value: Any) throws -> Int {
                count += 1
                guard let number = value as? Int else { throw Failure() }
                return number
            }
            func run(_ text: String) -> Future<Int> {
                text |> onBackgroundQueue(self.parse >>> self.number)
            }
        }
        let parser = Parser()
        #expect(try await parser.run("4").value == 4)
        await #expect(throws: Failure()) { try await parser.run("four").value }
        #expect(parser.count == 2)
    }

    @Test func aThousandCompositionsOfTenStagesEnd() async throws {
        let stage = onBackgroundQueue { (number: Int) in number + 1 }
        for round in 0..<rounds(1000) {
            let five = stage >>> stage >>> stage >>> stage >>> stage
            let ten = five >>> stage >>> stage >>> stage >>> stage >>> stage
            let value = try await ten(round).value
            #expect(value == round + 10)
        }
    }

    @Test func aThousandCompositionsOfTenStagesEndAtTheSameTime() async throws {
        let stage = onBackgroundQueue { (number: Int) in number + 1 }
        let ten = (0..<9).reduce(stage) { composed, _ in composed >>> stage }
        let futures = (0..<1000).map { ten($0) }
        for (number, future) in futures.enumerated() {
            let value = try await future.value
            #expect(value == number + 10)
        }
    }
}
