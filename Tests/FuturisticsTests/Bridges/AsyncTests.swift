import TestSupport
import Testing

@testable import Futuristics

@Suite(.timeLimit(.generous)) struct AsyncTests {
    private let journal = Journal()

    @Test func valueWaitsForTheEnd() async throws {
        let promise = Promise<Int>()
        let future = promise.future
        let tasks = (0..<10).map { _ in Task { try await future.value } }
        promise.fulfill(3)
        for task in tasks { #expect(try await task.value == 3) }
        #expect(try await future.value == 3)
        await #expect(throws: Failure(number: 1)) {
            try await Promise<Int>().reject(Failure(number: 1)).value
        }
    }

    @Test func handlersOnTheMainQueueRunBeforeATaskOfTheMainActorIsResumed() async throws {
        let promise = Promise<Int>()
        let future = promise.future
        let task = Task { @MainActor () -> [String] in
            _ = try await future.value
            return journal.entries
        }
        future.onSuccess { _ in journal("handler") }
        while future.machine.withLock({ $0.observers.waiters.isEmpty }) { await Task.yield() }
        promise.fulfill(1)
        #expect(try await task.value == ["handler"])
    }

    @Test func cancellingATaskEndsOnlyItsWaiting() async throws {
        let promise = Promise<Int>()
        let future = promise.future
        let waiting = Gate()
        let task = Task { () -> Int in
            async let value = future.value
            waiting.open()
            return try await value
        }
        let other = Task { try await future.value }
        try await waiting.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(promise.isPending)
        promise.fulfill(2)
        #expect(try await other.value == 2)
    }

    @Test func aCancelledTaskDoesNotWait() async throws {
        let pending = Promise<Int>()
        let ended = Promise<Int>().fulfill(1)
        let task = Task { () -> (Bool, Int?) in
            withUnsafeCurrentTask { $0?.cancel() }
            var isCancelled = false
            do {
                _ = try await pending.future.value
            } catch {
                isCancelled = error is CancellationError
            }
            return (isCancelled, try? await ended.value)
        }
        let (isCancelled, value) = await task.value
        #expect(isCancelled)
        #expect(value == 1)
    }

    @Test func aReleasedPromiseIsNotWaitedFor() async throws {
        var promise: Promise<Int>? = Promise()
        let future = try #require(promise?.future)
        let task = Task { try await future.value }
        promise = nil
        await #expect(throws: FutureError.unresolved) { try await task.value }
        await #expect(throws: FutureError.unresolved) { try await future.value }
    }

    @Test func aReleasedPromiseEndsTheWaitingForWhatFollowsIt() async throws {
        let composed = { (_: Int) in Promise<Int>().future } >>> onBackgroundQueue { (number: Int) in number }
        await #expect(throws: FutureError.unresolved) { try await composed(1).value }
    }

    // MARK: From asynchronous functions

    @Test func aFutureOfAnAsynchronousFunctionBeginsAtOnce() async throws {
        let gate = Gate()
        let future = Future { () async throws -> Int in
            try await gate.wait()
            return 4
        }
        // Nobody asked for the value.
        await gate.arrival()
        #expect(future.state.isPending)
        gate.open()
        #expect(try await future.value == 4)
    }

    @Test func anErrorOfAnAsynchronousFunctionRejects() async {
        let future = Future<Int> { throw Failure(number: 5) }
        future.onFailure { journal($0) }
        await #expect(throws: Failure(number: 5)) { try await future.value }
        #expect(await journal.entries(1) == ["Failure(number: 5)"])
    }

    @Test func releasingAFutureDoesNotCancelItsFunction() async throws {
        let gate = Gate()
        do {
            _ = Future { () async throws -> Int in
                try await gate.wait()
                journal(Task.isCancelled)
                return 1
            }
        }
        await gate.arrival()
        gate.open()
        #expect(await journal.entries(1) == ["false"])
    }
}
