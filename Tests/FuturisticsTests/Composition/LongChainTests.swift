import Futuristics
import TestSupport
import Testing

/// Long chains, on a stack that has no room for as many nested calls.
@Suite(.timeLimit(.generous), .serialized) struct LongChainTests {
    private static let longest = rounds(100_000)
    /// Enough to overflow the stack, and a tenth of the time under a sanitizer.
    private static let length = 10_000
    private static let stackSize = 1024 * 1024

    private let stage = { @Sendable (number: Int) -> Future<Int> in Promise<Int>().fulfill(number + 1) }
    private let function = { @Sendable (number: Int) throws -> Int in number + 1 }

    @Test func aLongCompositionOfFuturesIsCalledAndReleased() async throws {
        let future = await onThread(stackSize: Self.stackSize) { () -> Future<Int> in
            let chain = (1..<Self.longest).reduce(stage) { chain, _ in chain >>> stage }
            return chain(0)
        }
        #expect(try await future.value == Self.longest)
    }

    @Test func aLongCompositionFromTheRightIsCalledAndReleased() async throws {
        let future = await onThread(stackSize: Self.stackSize) { () -> Future<Int> in
            let chain = (1..<Self.length).reduce(stage) { chain, _ in stage >>> chain }
            return chain(0)
        }
        #expect(try await future.value == Self.length)
    }

    @Test func aLongMixedCompositionIsCalledAndReleased() async throws {
        let futures = await onThread(stackSize: Self.stackSize) { () -> [Future<Int>] in
            let fromLeft = (1..<Self.length).reduce(stage) { chain, _ in chain >>> function }
            let fromRight = (1..<Self.length).reduce(stage) { chain, _ in function >>> chain }
            return [fromLeft(0), fromRight(0)]
        }
        for future in futures { #expect(try await future.value == Self.length) }
    }

    @Test func aLongCompositionOfFunctionsIsCalledAndReleased() async {
        let values = await onThread(stackSize: Self.stackSize) { () -> [Int?] in
            let chain = (1..<Self.longest).reduce(function) { chain, _ in chain >>> function }
            let reversed = (1..<Self.longest).reduce(function) { chain, _ in function >>> chain }
            return [try? chain(0), try? reversed(0)]
        }
        #expect(values == [Self.longest, Self.longest])
    }

    @Test func anErrorLeavesALongCompositionOfFunctions() async {
        let error = await onThread(stackSize: Self.stackSize) { () -> Failure? in
            let first = { (number: Int) throws -> Int in throw Failure(number: number) }
            let chain = (1..<10_000).reduce(first) { chain, _ in chain >>> function }
            do {
                _ = try chain(3)
                return nil
            } catch {
                return error as? Failure
            }
        }
        #expect(error == Failure(number: 3))
    }

    @Test func aLongCompositionThatWaitsEnds() async throws {
        let promise = Promise<Int>()
        let future = await onThread(stackSize: Self.stackSize) { () -> Future<Int> in
            return (1..<Self.length).reduce({ (_: Int) in promise.future }) { chain, _ in chain >>> stage }(0)
        }
        #expect(future.state.isPending)
        await onThread(stackSize: Self.stackSize) { _ = promise.fulfill(1) }
        #expect(try await future.value == Self.length)
    }

    @Test func aLongCompositionThatIsRejectedEnds() async {
        let promise = Promise<Int>()
        let future = await onThread(stackSize: Self.stackSize) { () -> Future<Int> in
            return (1..<Self.length).reduce({ (_: Int) in promise.future }) { chain, _ in chain >>> stage }(0)
        }
        await onThread(stackSize: Self.stackSize) { _ = promise.reject(Failure(number: 9)) }
        await #expect(throws: Failure(number: 9)) { try await future.value }
    }

    @Test func aLongCompositionWhosePromiseIsReleasedIsReleased() async {
        let journal = Journal()
        final class Token: Sendable {
            let journal: Journal
            init(_ journal: Journal) { self.journal = journal }
            deinit { journal("released") }
        }
        await onThread(stackSize: Self.stackSize) {
            let token = Token(journal)
            let stage = { (number: Int) -> Future<Int> in
                _ = token
                return Promise<Int>().fulfill(number)
            }
            let future = (1..<Self.length).reduce({ (_: Int) in Promise<Int>().future }) { chain, _ in chain >>> stage
            }(0)
            #expect(future.state.isPending)
        }
        #expect(await journal.entries(1) == ["released"])
    }

    @Test func aLongChainOfPromisesEnds() async throws {
        let future = await onThread(stackSize: Self.stackSize) { () -> Future<Int> in
            let first = Promise<Int>()
            var last = first
            for _ in 1..<Self.longest {
                let next = Promise<Int>()
                last.future.onSuccess(inPlace) { next.fulfill($0 + 1) }
                last = next
            }
            first.fulfill(1)
            return last.future
        }
        #expect(try await future.value == Self.longest)
    }

    @Test func aLongChainOfPromisesIsReleasedUnended() async {
        await onThread(stackSize: Self.stackSize) {
            let first = Promise<Int>()
            var last = first
            for _ in 1..<Self.length {
                let next = Promise<Int>()
                last.future.onSuccess(inPlace) { next.fulfill($0) }
                last = next
            }
        }
    }

    @Test(arguments: [true, false]) func aFutureMayHaveManyHandlers(inPlace isInPlace: Bool) async throws {
        let end = Promise<Void>()
        await onThread(stackSize: Self.stackSize) {
            let count = Shared(0)
            let promise = Promise<Int>()
            let add = { @Sendable (number: Int) in
                count.change { $0 += number }
                if count.value == Self.longest { end.fulfill(()) }
            }
            for _ in 0..<Self.longest {
                if isInPlace {
                    promise.future.onSuccess(inPlace, successHandler: add)
                } else {
                    promise.future.onSuccess { add($0) }
                }
            }
            promise.fulfill(1)
        }
        try await end.future.value
    }

    @Test func aLongPipeEnds() async throws {
        let future = await onThread(stackSize: Self.stackSize) { () -> Future<Int> in
            let promise = Promise<Int>()
            let end = (0..<Self.length).reduce(promise.future) { future, _ in future |> stage }
            promise.fulfill(0)
            return end
        }
        #expect(try await future.value == Self.length)
    }

    @Test func aThreadThatWaitsInANestedCompositionFirstRunsWhatItDeferred() async {
        let values = await onThread { () -> [Int?] in
            var values: [Int?] = []
            let same = { (number: Int) throws -> Int in number }
            func nest(_ depth: Int) -> Future<Int> {
                if depth > 0 { return (same >>> nest)(depth - 1) }
                // Deep enough that calls are deferred, and this future could only be ended by this thread.
                values.append(try? (same >>> { Promise<Int>().fulfill($0) })(5).await())
                return Promise<Int>().fulfill(0)
            }
            for depth in 90..<100 { _ = nest(depth) }
            return values
        }
        #expect(values == Array(repeating: 5, count: 10))
    }
}
