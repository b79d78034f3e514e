import Futuristics
import Testing

@Suite(.timeLimit(.generous)) struct ExecutionContextTests {
    @Sendable private func fail(_ number: Int) throws -> Int { throw Failure(number: number) }

    // MARK: The main queue

    @Test func onMainQueueCallsAtOnceOnTheMainThread() async {
        let state = await onMain { () -> (String?, Bool) in
            var isCalled = false
            let future = onMainQueue { (number: Int) -> String in
                isCalled = isOnMainQueue
                return "\(number)"
            }(4)
            return (try? future.result(), isCalled)
        }
        #expect(state.0 == "4")
        #expect(state.1)
    }

    @Test func onMainQueueCallsLaterFromAnotherThread() async throws {
        let journal = Journal()
        let function = onMainQueue { (number: Int) -> Int in
            journal("function", isOnMainQueue)
            return number
        }
        let futures = await onMain { () -> Future<Int> in
            // The main thread is busy until the other thread has the future.
            let done = DispatchSemaphore(value: 0)
            let future = Shared<Future<Int>?>(nil)
            Thread.detachNewThread {
                future.value = function(4)
                done.signal()
            }
            done.wait()
            journal("returned", future.value?.state.isPending ?? false)
            return future.value ?? Promise<Int>().future
        }
        #expect(try await futures.value == 4)
        #expect(journal.entries == ["returned true", "function true"])
    }

    @Test func onMainQueueRejectsWithTheErrorThatIsThrown() async {
        let throwing = onMainQueue(fail)
        let error = await onMain { () -> Error? in
            do {
                _ = try throwing(3).result()
                return nil
            } catch {
                return error
            }
        }
        #expect(error as? Failure == Failure(number: 3))
        await #expect(throws: Failure(number: 4)) { try await throwing(4).value }
    }

    @Test func onMainQueueTakesFunctionsWithoutParameters() async throws {
        let function = onMainQueue { isOnMainQueue }
        #expect(try await function().value)
        let isFulfilled = await onMain { function().state.isPending == false }
        #expect(isFulfilled)
        let later = onMainQueue(after: 0.001)({ isOnMainQueue })
        #expect(try await later().value)
    }

    // MARK: Other queues

    @Test func onBackgroundQueueNeverCallsAtOnce() async throws {
        let future = await onMain { () -> Future<Bool> in onBackgroundQueue { isOnMainQueue }() }
        #expect(try await future.value == false)
        let quality = try await onBackgroundQueue { Thread.current.qualityOfService }().value
        #expect(quality == .userInitiated || quality == .default)
        await #expect(throws: Failure(number: 3)) { try await onBackgroundQueue(fail)(3).value }
    }

    @Test func onQueueCallsOnTheQueue() async throws {
        let queue = NamedQueue.make("mine")
        let name = { @Sendable (prefix: String) -> String in prefix + (NamedQueue.current ?? "none") }
        #expect(try await onQueue(queue)(name)("a ").value == "a mine")
        #expect(try await onQueue(queue, closure: name)("b ").value == "b mine")
        #expect(try await onQueue(queue, after: nil)(name)("c ").value == "c mine")
        #expect(try await onQueue(queue, after: 0.001)(name)("d ").value == "d mine")
        #expect(try await onQueue(queue)({ NamedQueue.current })().value == "mine")
        await #expect(throws: Failure(number: 3)) { try await onQueue(queue)(fail)(3).value }
    }

    @Test func onQueueCallsAtOnceOnTheMainQueueIfItIsCalledThere() async throws {
        let values = await onMain {
            [try? onQueue(.main)({ 1 })().result(), try? onQueue(.main)({ $0 + 1 })(1).result()]
        }
        #expect(values == [1, 2])
        let later = await onThread { onQueue(.main)({ isOnMainQueue })() }
        #expect(try await later.value)
    }

    // MARK: Delays

    @Test(arguments: 0..<3)
    func aDelayIsWaitedFor(context: Int) async throws {
        let queue = NamedQueue.make("mine")
        let delay = 0.05
        let work = { @Sendable () -> DispatchTime in .now() }
        let begin = DispatchTime.now()
        let future = await onMain { () -> Future<DispatchTime> in
            let future =
                switch context {
                case 0: onMainQueue(after: delay)(work)()
                case 1: onBackgroundQueue(after: delay)(work)()
                default: onQueue(queue, after: delay)(work)()
                }
            #expect(future.state.isPending)
            return future
        }
        let end = try await future.value
        #expect(end.uptimeNanoseconds - begin.uptimeNanoseconds >= 50_000_000)
    }

    @Test func aDelayedContextDelaysHandlers() async {
        let journal = Journal()
        await onMain {
            let future = Promise<Int>().fulfill(1)
            future.onSuccess(onMainQueue(after: 0.01)) { journal("main", $0, isOnMainQueue) }
            future.onSuccess(onMainQueue(after: nil)) { journal("without", $0) }
            future.finally(onMainQueue(after: 0)) { journal("soon", isOnMainQueue) }
            journal("end")
        }
        #expect(await journal.entries(4) == ["end", "without 1", "soon true", "main 1 true"])
    }

    @Test(arguments: [-1, -Double.infinity, 0])
    func aDelayThatIsNotPositiveIsNone(delay: Double) async throws {
        #expect(try await onBackgroundQueue(after: delay)({ 1 })().value == 1)
        #expect(try await onMainQueue(after: delay)({ 1 })().value == 1)
    }

    @Test(arguments: [Double.nan, .infinity, .greatestFiniteMagnitude])
    func aDelayWithoutAnEndNeverCalls(delay: Double) {
        #expect(onBackgroundQueue(after: delay)({ 1 })().state.isPending)
        #expect(onMainQueue(after: delay)({ 1 })().state.isPending)
    }
}
