import PiuPiuAsync
import PiuPiuFutures
import TestSupport
import Testing

@Suite(.timeLimit(.generous)) struct ResponseFutureTests {
    private let events = FutureEvents()

    // MARK: Starting

    // B1, rule 16
    @Test func nothingRunsBeforeSend() async throws {
        let runs = Tally()
        let futures = [
            ResponseFuture<Int> { future in
                runs.add()
                future.succeed(with: 1)
            },
            ResponseFuture<Int> {
                runs.add()
                return 1
            },
        ]
        for future in futures {
            let events = FutureEvents()
            let chain = events.record(future.then { $0 + 1 })
            await MainActor.drain()
            #expect(future.status == .created && chain.status == .created && events.all.isEmpty)
        }
        #expect(runs.count == 0)
        for future in futures { #expect(try await future.fetchResult() == 1) }
        #expect(runs.count == 2)
    }

    // B1, rule 6
    @MainActor @Test func sendNeverCallsBack() async {
        let futures = [
            ResponseFuture(result: 1), ResponseFuture { $0.succeed(with: 1) }, ResponseFuture { throw Failure() },
            ResponseFuture { $0.cancel() }, ResponseFuture { () async in 1 },
        ]
        for future in futures {
            let events = FutureEvents()
            events.record(future).send()
            #expect(events.all.isEmpty)
            await events.completions()
            #expect(events.all.count == 2)
            #expect(events.all.last == "completion")
        }
    }

    // K4, B10
    @Test func sendingAgainDoesNothing() async throws {
        let runs = Tally()
        let future = events.record(
            ResponseFuture<Int> { future in
                runs.add()
                future.succeed(with: 1)
            }
        )
        future.send()
        future.start()
        await events.completions()
        future.send()
        await MainActor.drain()
        #expect(events.all == ["success 1", "completion"])
        #expect(runs.count == 1)
        #expect(future.status == .success)
    }

    // B2, rule 5
    @Test func handlersRunOnTheMainActor() async {
        let ends = Tally()
        ResponseFuture<Int> { future in Task.detached { future.succeed(with: 1) } }
            .success { _ in #expect(DispatchQueue.isMain) }
            .completion {
                #expect(DispatchQueue.isMain)
                ends.add()
            }
            .send()
        await ends.reach(1)
    }

    @Test func aSynchronousRootRunsInsideSend() async {
        let threads = Locked<[ObjectIdentifier]>([])
        let root = ResponseFuture<Int> { future in
            threads.withLock { $0.append(ObjectIdentifier(Thread.current)) }
            future.succeed(with: 1)
        }
        let chain = events.record(root.then { $0 + 1 }.then { $0 + 1 })
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                chain.send()
                #expect(threads.withLock { $0 } == [ObjectIdentifier(Thread.current)])
                #expect(root.status == .success)
                continuation.resume()
            }
        }
        await events.completions()
        #expect(events.all == ["success 3", "completion"])
    }

    @Test func aSynchronousRootMayCancelItsChain() async {
        let runs = Tally()
        let whole = Locked<ResponseFuture<Int>?>(nil)
        let root = ResponseFuture<Int> { future in
            whole.withLock { $0 }?.cancel()
            future.succeed(with: 1)
        }
        let chain = events.record(
            root.then { value in
                runs.add()
                return value
            }
        )
        whole.withLock { $0 = chain }
        chain.send()
        #expect(root.status == .cancelled)
        whole.withLock { $0 = nil }
        await events.completions()
        #expect(chain.status == .cancelled)
        #expect(events.all == ["cancellation", "completion"])
        #expect(runs.count == 0)
    }

    // MARK: Ending

    // B2, B3, B4, rule 1
    @Test func completionIsOnceAndLast() async {
        let cases: [(ResponseFuture<Int>, String, FutureStatus)] = [
            (ResponseFuture(result: 1), "success 1", .success),
            (ResponseFuture { () async throws in throw Failure() }, "error 0", .error),
            (ResponseFuture<Int> { _ in throw Failure(number: 1) }, "error 1", .error),
            (ResponseFuture { $0.complete(with: .failure(Failure(number: 2))) }, "error 2", .error),
            (ResponseFuture { $0.cancel() }, "cancellation", .cancelled),
            (ResponseFuture { $0.fail(with: CancellationError()) }, "cancellation", .cancelled),
            (ResponseFuture { () async throws in throw CancellationError() }, "cancellation", .cancelled),
        ]
        for (future, event, status) in cases {
            #expect(await FutureEvents.all(of: future) == [event, "completion"])
            #expect(future.status == status)
        }
    }

    /// As in PiuPiu 1: `status` changes between the handler of the outcome and `completion`.
    @Test(arguments: ["success", "error", "late", "cancellation"])
    func theStatusChangesAfterTheHandlerOfTheOutcome(_ outcome: String) async {
        let ends = Tally()
        let future = ResponseFuture<Int> { future in
            switch outcome {
            case "error": future.fail(with: Failure())
            case "cancellation": future.cancel()
            default: future.succeed(with: 1)
            }
        }
        let final: FutureStatus =
            switch outcome {
            case "success": .success
            case "cancellation": .cancelled
            default: .error
            }
        await MainActor.run {
            let note = { @MainActor @Sendable (name: String) in events.add("\(name) \(future.status)") }
            future.success { _ in
                note("handler")
                if outcome == "late" { throw Failure() }
            }
            .error { _ in note("handler") }.cancellation { note("handler") }
            .completion {
                note("completion")
                ends.add()
            }
            .send()
            note("sent")
        }
        await ends.reach(1)
        let handlers = Array(repeating: "handler started", count: outcome == "late" ? 2 : 1)
        #expect(events.all == ["sent started"] + handlers + ["completion \(final)"])
        #expect(future.status == final)
        // A handler that is set later does not take the status back.
        await MainActor.run {
            _ = future.success { _ in }
            #expect(future.status == final)
        }
        let silent = ResponseFuture(result: 1)
        silent.send()
        #expect(silent.status == .success)
    }

    // K4, K22, B8, B9, B11, rule 1
    @Test func onlyTheFirstEndCounts() async {
        let ends: [(@Sendable (ResponseFuture<Int>) -> Void, String)] = [
            ({ $0.succeed(with: 1) }, "success 1"), ({ $0.fail(with: Failure(number: 2)) }, "error 2"),
            ({ $0.cancel() }, "cancellation"),
        ]
        for (first, event) in ends {
            for (second, _) in ends {
                let events = FutureEvents()
                let future = events.record(
                    ResponseFuture<Int> { future in
                        first(future)
                        second(future)
                        throw Failure(number: 9)
                    }
                )
                future.send()
                future.send()
                await events.completions()
                second(future)
                await MainActor.drain()
                #expect(events.all == [event, "completion"])
            }
        }
    }

    // K4, K7, rule 1
    @Test func ofManyEndsAtOnceOneCounts() async {
        for round in 0..<rounds(200) {
            let events = FutureEvents()
            let future = events.record(ResponseFuture<Int> { _ in })
            future.send()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { future.succeed(with: round) }
                group.addTask { future.fail(with: Failure(number: round)) }
                group.addTask { future.cancel() }
            }
            await events.completions()
            #expect(events.all.count == 2)
            #expect(events.all.last == "completion")
        }
    }

    // B12
    @Test func cancellingBeforeSendIsTheEnd() async {
        let runs = Tally()
        for isSent in [false, true] {
            let events = FutureEvents()
            let future = events.record(ResponseFuture<Int> { _ in runs.add() })
            future.cancel()
            if isSent { future.send() }
            await events.completions()
            future.send()
            future.cancel()
            await MainActor.drain()
            #expect(events.all == ["cancellation", "completion"])
            #expect(future.status == .cancelled)
        }
        #expect(runs.count == 0)
    }

    // K4, rule 3
    @Test func cancellingWhileWorkRunsCancelsIt() async {
        let work = HangingWork()
        let future = events.record(work.future())
        future.send()
        await work.starts.reach(1)
        future.cancel()
        await events.completions()
        await work.cancels.reach(1)
        #expect(events.all == ["cancellation", "completion"])
    }

    @Test func cancellingAfterTheEndDoesNothing() async {
        let future = events.record(ResponseFuture(result: 1))
        future.send()
        future.cancel()
        await events.completions()
        future.cancel()
        await MainActor.drain()
        #expect(events.all == ["success 1", "completion"])
        #expect(future.status == .success)
    }

    @Test func anyErrorOfCancelledWorkIsACancellation() async {
        let gate = Gate()
        let inner = ResponseFuture<Int> {
            do {
                try await gate.wait()
            } catch {
                throw Failure()
            }
            return 1
        }
        let outer = events.record(inner.then { $0 })
        outer.send()
        await gate.arrival()
        outer.cancel()
        await events.completions()
        #expect(events.all == ["cancellation", "completion"])
        await #expect(throws: CancellationError.self) { try await inner.fetchResult() }
    }

    // MARK: Handlers

    // B5, rule 7
    @Test func aThrowInSuccessGoesToErrorAndThenCompletion() async {
        let future = events.record(ResponseFuture(result: 1)).success { _ in throw Failure(number: 4) }
        future.send()
        await events.completions()
        #expect(events.all == ["error 4", "completion"])
        #expect(future.status == .error)
    }

    // B14
    @Test func aHandlerReplacesTheOneBefore() async {
        events.record(ResponseFuture(result: 1))
            .success { _ in events.add("second") }
            .send()
        events.record(ResponseFuture<Int> { _ in throw Failure(number: 3) })
            .result { events.add("\($0)") }
            .send()
        await events.completions(of: 2)
        #expect(events.all.sorted() == ["completion", "completion", "failure(3)", "second"])
    }

    @Test func handlersSetAfterTheEndRun() async {
        let future = ResponseFuture(result: 1)
        future.send()
        events.record(future).send()
        await events.completions()
        #expect(events.all == ["success 1", "completion"])
    }

    // K7
    @Test func handlersSetWhileTheFutureEndsAllRun() async {
        for _ in 0..<rounds(300) {
            let events = FutureEvents()
            let future = ResponseFuture<Int> { () async in 1 }
            future.send()
            await Task.yield()
            _ = events.record(future)
            await events.completions()
            #expect(events.all == ["success 1", "completion"])
        }
    }

    // B16, B17
    @Test func aParentsHandlersRunBeforeTheChilds() async {
        let cases: [(ResponseFuture<Int>, String, String)] = [
            (ResponseFuture(result: 1), "success 1", "success 2"),
            (ResponseFuture<Int> { _ in throw Failure(number: 5) }, "error 5", "error 5"),
            (ResponseFuture<Int> { $0.cancel() }, "cancellation", "cancellation"),
        ]
        for (parent, event, childEvent) in cases {
            let events = FutureEvents()
            events.record(events.record(parent, "parent ").then { $0 + 1 }, "child ").send()
            await events.completions(of: 2)
            #expect(
                events.all == [
                    "parent \(event)", "parent completion", "child \(childEvent)", "child completion",
                ]
            )
        }
    }

    @Test func aParentsHandlersRunBeforeTheChildsAlsoWhereItWasStartedItself() async {
        for _ in 0..<rounds(200) {
            let events = FutureEvents()
            let gate = Gate()
            let parent = events.record(
                ResponseFuture<Int> {
                    try await gate.wait()
                    return 1
                },
                "parent "
            )
            parent.send()
            events.record(parent.then { $0 + 1 }, "child ").send()
            gate.open()
            await events.completions(of: 2)
            #expect(events.all == ["parent success 1", "parent completion", "child success 2", "child completion"])
        }
    }

    @Test func aParentsHandlersRunBeforeTheChildsWhicheverIsCancelled() async {
        for cancelsParent in [false, true] {
            for _ in 0..<rounds(50) {
                let events = FutureEvents()
                let work = HangingWork()
                let parent = events.record(work.future(), "parent ")
                let child = events.record(parent.then { $0 + 1 }, "child ")
                child.send()
                await work.gate.arrival()
                if cancelsParent { parent.cancel() } else { child.cancel() }
                await events.completions(of: 2)
                #expect(
                    events.all == [
                        "parent cancellation", "parent completion", "child cancellation", "child completion",
                    ]
                )
            }
        }
    }
}
