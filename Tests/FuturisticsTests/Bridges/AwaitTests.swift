import Futuristics
import Testing

/// The functions that block, which must not be called in asynchronous code.
@Suite(.timeLimit(.generous)) struct AwaitTests {
    @Test func awaitReturnsTheValue() async throws {
        let values = await onThread { () -> [Int?] in
            let promise = Promise<Int>()
            DispatchQueue.global().async { promise.fulfill(1) }
            return [try? promise.future.await(), try? promise.future.await()]
        }
        #expect(values == [1, 1])
    }

    @Test func awaitThrowsTheError() async {
        let errors = await onThread { () -> [Error?] in
            let promise = Promise<Int>()
            DispatchQueue.global().async { promise.reject(Failure(number: 3)) }
            return [self.error { try promise.future.await() }, self.error { try promise.future.await() }]
        }
        #expect(errors.map { $0 as? Failure } == [Failure(number: 3), Failure(number: 3)])
    }

    @Test func awaitWaitsForTheMainQueueToo() async {
        let value = await onThread { try? onMainQueue { 5 }().await() }
        #expect(value == 5)
    }

    @Test func awaitOfSeveralWaitsForAllWhateverTheirEnd() async {
        let journal = Journal()
        let isEnded = await onThread { () -> [Bool] in
            let promises = (0..<5).map { _ in Promise<Int>() }
            let futures = promises.map(\.future)
            for (number, promise) in promises.enumerated() {
                DispatchQueue.global().async {
                    if number == 2 { promise.reject(Failure()) } else { promise.fulfill(number) }
                }
            }
            do {
                try `await`(futures[0], futures[1], futures[2])
                try `await`(futures)
                try Futuristics.await(futures[3], futures[4])
            } catch {
                journal("error", error)
            }
            return futures.map { !$0.state.isPending }
        }
        #expect(isEnded == Array(repeating: true, count: 5))
        #expect(journal.entries.isEmpty)
    }

    @Test func theMainThreadIsRefused() async {
        let errors = await onMain { () -> [Error?] in
            let pending = Promise<Int>()
            let ended = Promise<Int>().fulfill(1)
            return [
                self.error { try pending.future.await() }, self.error { try ended.await() },
                self.error { try `await`(ended) },
                self.error { try `await`([ended]) }, self.error { try `await`([Future<Int>]()) },
            ]
        }
        #expect(errors.map { $0 as? FutureError } == Array(repeating: .blocksMainThread, count: 5))
    }

    @Test func aReleasedPromiseIsNotWaitedFor() async {
        let errors = await onThread { () -> [Error?] in
            var promise: Promise<Int>? = Promise()
            let future = promise?.future ?? Promise<Int>().fulfill(1)
            let end = DispatchSemaphore(value: 0)
            let error = Shared<Error?>(nil)
            Thread.detachNewThread {
                error.value = self.error { try future.await() }
                end.signal()
            }
            promise = nil
            end.wait()
            return [error.value, self.error { try future.await() }, self.error { try `await`(future) }]
        }
        #expect(errors.map { $0 as? FutureError } == [.unresolved, .unresolved, .unresolved])
    }

    private func error<Value>(of body: () throws -> Value) -> Error? {
        do {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }
}
