import PiuPiuClassic
import TestSupport
import Testing

@Suite(.timeLimit(.generous))
struct ResponseFutureTests {
    private let journal = Journal()

    @Test func aValueIsDeliveredOnTheMainThread() async {
        let future = ResponseFuture<Int>(action: { $0.succeed(with: 7) })
        #expect(future.status == .created)
        #expect(await future.events() == ["response 7 true", "completion true"])
        #expect(future.status == .success)
        #expect(await ResponseFuture(result: 8).events() == ["response 8 true", "completion true"])
    }

    @Test func anErrorIsDeliveredOnTheMainThread() async {
        let failed = ResponseFuture<Int>(action: { $0.fail(with: Failure()) })
        #expect(await failed.events() == ["error failure true", "completion true"])
        #expect(failed.status == .error)
        let thrown = ResponseFuture<Int>(action: { _ in throw Failure() })
        #expect(await thrown.events() == ["error failure true", "completion true"])
    }

    @Test func whatAResponseHandlerThrowsIsAnError() async {
        let future = ResponseFuture<Int>(action: { $0.succeed(with: 7) })
            .recorded(in: journal)
            .response({ _ in throw Failure() })
        future.send()
        #expect(await journal.wait(for: "completion true") == ["error failure true", "completion true"])
        #expect(future.status == .error)
    }

    @Test func theFirstEndCounts() async {
        let future = ResponseFuture<Int>(action: { future in
            future.succeed(with: 1)
            future.succeed(with: 2)
            future.fail(with: Failure())
            future.cancel()
            throw Failure()
        })
        #expect(await future.events(journal) == ["response 1 true", "completion true"])
        future.succeed(with: 3)
        future.send()
        await MainThread.run {}
        #expect(journal.entries.isEmpty)
        #expect(future.status == .success)
    }

    @Test func nothingRunsBeforeItIsSentAndNothingTwice() async {
        let future = ResponseFuture<Int>(action: { future in
            self.journal("action")
            DispatchQueue.global().async { future.succeed(with: 7) }
        }).recorded(in: journal)
        await MainThread.run {}
        #expect(journal.entries.isEmpty)
        #expect(future.send() === future)
        #expect(future.start() === future)
        #expect(await journal.wait(for: "completion true") == ["action", "response 7 true", "completion true"])
    }

    @Test func handlersNeverRunInsideSend() async {
        await MainThread.run {
            ResponseFuture<Int>(action: { future in
                self.journal("action", MainThread.isCurrent)
                future.succeed(with: 7)
            }).recorded(in: self.journal).send()
            self.journal("sent")
        }
        let entries = await journal.wait(for: "completion true")
        #expect(entries == ["action true", "sent", "response 7 true", "completion true"])
    }

    @Test func cancellingIsToldOnce() async {
        let future = ResponseFuture<Int>(action: { _ in }).recorded(in: journal)
        future.send()
        future.cancel()
        future.cancel()
        future.succeed(with: 7)
        #expect(await journal.wait(for: "completion true") == ["cancellation true", "completion true"])
        #expect(future.status == .cancelled)
        let error = ResponseFuture<Int>(action: { $0.fail(with: CancellationError()) })
        #expect(await error.events() == ["cancellation true", "completion true"])
    }

    @Test func whatIsCancelledBeforeItIsSentNeverRuns() async {
        let future = ResponseFuture<Int>(action: { _ in self.journal("action") }).recorded(in: journal)
        future.cancel()
        #expect(await journal.wait(for: "completion true") == ["cancellation true", "completion true"])
        future.send()
        await MainThread.run {}
        #expect(journal.entries.isEmpty)
    }

    @Test func thereIsOneHandlerForEachEvent() async {
        let future = ResponseFuture<Int>(action: { $0.succeed(with: 7) })
            .response({ _ in self.journal("replaced") })
            .success({ _ in self.journal("success") })
            .completion({ self.journal("completion") })
        future.send()
        #expect(await journal.wait(for: "completion") == ["success", "completion"])
    }

    private final class Token {}

    /// Sets handlers that own a token.
    ///
    /// - Returns: Whether the token is there.
    private func giveToken(to future: ResponseFuture<Int>) -> () -> Bool {
        let owned = Token()
        _ = future.response({ [owned] _ in _ = owned })
            .error({ [owned] _ in _ = owned })
            .completion({ [owned] in self.journal("completion", type(of: owned)) })
        return { [weak owned] in owned != nil }
    }

    @Test func handlersAreReleasedAfterTheyRan() async {
        let future = ResponseFuture<Int>(action: { $0.succeed(with: 7) })
        let isThere = giveToken(to: future)
        #expect(isThere())
        future.send()
        await journal.wait(for: "completion Token")
        while isThere() { await Task.yield() }
    }

    @Test func anUnsentFutureIsReleased() async {
        weak var released: ResponseFuture<Int>?
        do {
            let future = ResponseFuture<Int>(action: { _ in self.journal("action") }).recorded(in: journal)
            released = future
        }
        #expect(released == nil)
        await MainThread.run {}
        #expect(journal.entries.isEmpty)
    }

    @Test func itIsFulfilledWithAnotherFuture() async {
        let inner = ResponseFuture<Int>(action: { future in
            self.journal("action")
            future.succeed(with: 7)
        })
        let outer = ResponseFuture<Int>(action: { $0.fulfill(with: inner) })
        #expect(await outer.events(journal) == ["action", "response 7 true", "completion true"])
        let failing = ResponseFuture<Int>(action: { future in
            ResponseFuture<Int>(action: { _ in throw Failure() }).fulfill(future)
        })
        #expect(await failing.events() == ["error failure true", "completion true"])
    }

    @Test func cancellingGoesThroughFulfill() async {
        let inner = ResponseFuture<Int>(action: { _ in self.journal("action") })
            .cancellation({ self.journal("inner") })
        let outer = ResponseFuture<Int>(action: { $0.fulfill(with: inner) }).recorded(in: journal)
        outer.send()
        await journal.wait(for: "action")
        outer.cancel()
        let entries = await journal.wait(for: "completion true")
        #expect(entries.contains("cancellation true"))
        if !entries.contains("inner") { await journal.wait(for: "inner") }
        #expect(inner.status == .cancelled)
    }

    @Test func itCanBeAwaited() async throws {
        let future = ResponseFuture<Int>(action: { $0.succeed(with: 7) })
        #expect(try await future.fetchResult() == 7)
        #expect(try await future.fetchResult() == 7)
        await #expect(throws: Failure.self) {
            try await ResponseFuture<Int>(action: { _ in throw Failure() }).fetchResult()
        }
        let endless = ResponseFuture<Int>(action: { _ in self.journal("action") })
        let task = Task { try await endless.fetchResult() }
        await journal.wait(for: "action")
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(endless.status == .cancelled)
    }

    /// As code that knows nothing of concurrency does it: plain functions, which may be called too.
    private func sendWithVariables() throws {
        let response: ResponseFuture<Int>.SuccessHandler = { self.journal("response", $0) }
        let error: ResponseFuture<Int>.ErrorHandler = { self.journal("error", $0) }
        let completion: ResponseFuture<Int>.CompletionHandler = { self.journal("completion") }
        let action: ResponseFuture<Int>.ActionCallback = { $0.succeed(with: 7) }
        try response(8)
        error(Failure())
        ResponseFuture(action: action).response(response).error(error).completion(completion).send()
    }

    @Test func handlersMayBeKeptInVariables() async throws {
        try sendWithVariables()
        #expect(await journal.wait(for: "completion") == ["response 8", "error failure", "response 7", "completion"])
    }
}
