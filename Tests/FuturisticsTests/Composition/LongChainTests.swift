import Futuristics
import TestSupport
import Testing

/// Long chains, on a stack that has no room for as many nested calls.
@Suite(.timeLimit(.generous), .serialized) struct LongChainTests {
    private static let longest = rounds(100_000)
    /// Enough to overflow the stack, and a tenth of the time under a sanitizer.
    private static let length = 10_000
    private static let stackSize = 1024 * 1024

    private func now(_ number: Int) -> Future<Int> { Promise<Int>().fulfill(number + 1) }

    @Test func aLongCompositionOfFuturesIsCalledAndReleased() async throws {
        let future = await onThread(stackSize: Self.stackSize) { () -> Future<Int> in
            let stage = { (number: Int) -> Future<Int> in Promise<Int>().fulfill(number + 1) }
            let chain = (1..<Self.longest).reduce(stage) { chain, _ in chain >>> stage }
            return chain(0)
        }
        #expect(try await future.value == Self.longest)
    }

    @Test func aLongCompositionFromTheRightIsCalledAndReleased() async throws {
        let future = await onThread(stackSize: Self.stackSize) { () -> Future<Int> in
            let stage = { (number: Int) -> Future<Int> in Promise<Int>().fulfill(number + 1) }
            let chain = (1..<Self.length).reduce(stage) { chain, _ in stage >>> chain }
            return chain(0)
        }
        #expect(try await future.value == Self.length)
    }

    @Test func aLongCompositionEndsInsideTheCallOnTheMainThread() async {
        let values = await onMain { () -> [Int?] in
            let stage = { (number: Int) -> Future<Int> in Promise<Int>().fulfill(number + 1) }
            let chain = (1..<Self.length).reduce(stage) { chain, _ in chain >>> stage }
            let reversed = (1..<Self.length).reduce(stage) { chain, _ in stage >>> chain }
            return [try? chain(0).result(), try? reversed(0).result()]
        }
        #expect(values == [Self.length, Self.length])
    }

    @Test func aLongMixedCompositionIsCalledAndReleased() async throws {
        let futures = await onThread(stackSize: Self.stackSize) { () -> [Future<Int>] in
            let stage = { (number: Int) throws -> Int in number + 1 }
            let first = { (number: Int) -> Future<Int> in Promise<Int>().fulfill(number + 1) }
            let fromLeft = (1..<Self.length).reduce(first) { chain, _ in chain >>> stage }
            let fromRight = (1..<Self.length).reduce(first) { chain, _ in stage >>> chain }
            return [fromLeft(0), fromRight(0)]
        }
        for future in futures { #expect(try await future.value == Self.length) }
    }

    @Test func aLongCompositionOfFunctionsIsCalledAndReleased() async {
        let values = await onThread(stackSize: Self.stackSize) { () -> [Int?] in
            let stage = { (number: Int) throws -> Int in number + 1 }
            let chain = (1..<Self.longest).reduce(stage) { chain, _ in chain >>> stage }
            let reversed = (1..<Self.longest).reduce(stage) { chain, _ in stage >>> chain }
            return [try? chain(0), try? reversed(0)]
        }
        #expect(values == [Self.longest, Self.longest])
    }

    @Test func anErrorLeavesALongCompositionOfFunctions() async {
        let error = await onThread(stackSize: Self.stackSize) { () -> Failure? in
            let stage = { (number: Int) throws -> Int in number + 1 }
            let first = { (number: Int) throws -> Int in throw Failure(number: number) }
            let chain = (1..<10_000).reduce(first) { chain, _ in chain >>> stage }
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
            let stage = { (number: Int) -> Future<Int> in Promise<Int>().fulfill(number + 1) }
            return (1..<Self.length).reduce({ (_: Int) in promise.future }) { chain, _ in chain >>> stage }(0)
        }
        #expect(future.state.isPending)
        await onThread(stackSize: Self.stackSize) { _ = promise.fulfill(1) }
        #expect(try await future.value == Self.length)
    }

    @Test func aLongCompositionThatIsRejectedEnds() async {
        let promise = Promise<Int>()
        let future = await onThread(stackSize: Self.stackSize) { () -> Future<Int> in
            let stage = { (number: Int) -> Future<Int> in Promise<Int>().fulfill(number + 1) }
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

    @Test func aLongChainOfPromisesEnds() async {
        let counts = await onThread(stackSize: Self.stackSize) { () -> [Int] in
            var count = 0
            let first = Promise<Int>()
            var last = first
            for _ in 1..<Self.longest {
                let next = Promise<Int>()
                last.future.onSuccess(inPlace) {
                    count += 1
                    next.fulfill($0 + 1)
                }
                last = next
            }
            let end = last.future
            first.fulfill(1)
            return [count, (try? end.result()) ?? 0]
        }
        #expect(counts == [Self.longest - 1, Self.longest])
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

    @Test func aFutureMayHaveManyHandlers() async {
        let count = await onThread(stackSize: Self.stackSize) { () -> Int in
            var count = 0
            let promise = Promise<Int>()
            var future = promise.future
            for _ in 0..<Self.longest { future = future.onSuccess(inPlace) { count += $0 } }
            promise.fulfill(1)
            return count
        }
        #expect(count == Self.longest)
    }

    @Test func aLongPipeEnds() async throws {
        let future = await onThread(stackSize: Self.stackSize) { () -> Future<Int> in
            let promise = Promise<Int>()
            let stage = { (number: Int) -> Future<Int> in Promise<Int>().fulfill(number + 1) }
            let end = (0..<Self.length).reduce(promise.future) { future, _ in future |> stage }
            promise.fulfill(0)
            return end
        }
        #expect(try await future.value == Self.length)
    }

    @Test func aHandlerThatIsNestedTooDeeplyRunsBeforeTheOutermostCallReturns() {
        let journal = Journal()
        func nest(_ depth: Int) {
            let promise = Promise<Int>()
            promise.future.onSuccess(inPlace) { if $0 > 0 { nest($0 - 1) } else { journal("deepest") } }
            promise.fulfill(depth)
        }
        nest(1000)
        #expect(journal.entries == ["deepest"])
    }

    @Test func aThreadThatWaitsInANestedHandlerFirstRunsWhatItDeferred() async {
        let values = await onThread { () -> [Int?] in
            var values: [Int?] = []
            func nest(_ depth: Int) {
                let promise = Promise<Int>()
                promise.future.onSuccess(inPlace) {
                    guard $0 == 0 else { return nest($0 - 1) }
                    // Deep enough that handlers are deferred, and this future could only be ended by this thread.
                    let other = Promise<Int>()
                    let last = Promise<Int>()
                    other.future.onSuccess(inPlace) { last.fulfill($0) }
                    other.fulfill(5)
                    values.append(try? last.future.await())
                }
                promise.fulfill(depth)
            }
            for depth in 50..<80 { nest(depth) }
            return values
        }
        #expect(values == Array(repeating: 5, count: 30))
    }
}
