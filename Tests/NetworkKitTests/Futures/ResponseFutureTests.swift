import NetworkKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ResponseFutureTests {
    private let journal = Journal()
    private let dispatcher = HangingDispatcher()

    @MainActor
    @Test func nothingRunsBeforeItIsSent() async {
        let future = ResponseFuture<Int> { future in
            journal("action")
            future.succeed(with: 1)
        }.record(journal)
        await MainActor.drain()
        #expect(journal.entries.isEmpty)
        #expect(future.status == .created)

        future.send()
        // The action ran inside of `send()`, and the callbacks come later.
        #expect(journal.entries == ["action"])
        #expect(journal.offMain.isEmpty)
        #expect(await journal.wait() == ["action", "response 1", "completion"])
        #expect(journal.offMain.isEmpty)
        #expect(future.status == .success)
    }

    @Test func startIsTheSameAsSend() async {
        ResponseFuture<Int> { $0.succeed(with: 2) }.record(journal).start()
        #expect(await journal.wait() == ["response 2", "completion"])
        #expect(journal.offMain.isEmpty)
    }

    @Test func anErrorReachesTheErrorCallback() async {
        let future = ResponseFuture<Int> { $0.fail(with: Failure(number: 3)) }.record(journal).send()
        #expect(await journal.wait() == ["error Failure(number: 3)", "completion"])
        #expect(future.status == .error)
    }

    @Test func whatTheActionThrowsReachesTheErrorCallback() async {
        ResponseFuture<Int> { _ in throw Failure(number: 4) }.record(journal).send()
        #expect(await journal.wait() == ["error Failure(number: 4)", "completion"])
    }

    @Test func whatTheResponseCallbackThrowsReachesTheErrorCallback() async {
        let future = ResponseFuture<Int> { $0.succeed(with: 1) }.record(journal).success { _ in
            journal("success")
            throw Failure(number: 5)
        }.send()
        #expect(await journal.wait() == ["success", "error Failure(number: 5)", "completion"])
        #expect(future.status == .error)
    }

    @Test func theFirstEndCounts() async {
        let future = ResponseFuture<Int> { future in
            future.succeed(with: 1)
            future.succeed(with: 2)
            future.fail(with: Failure())
            future.cancel()
        }.record(journal).send()
        await journal.wait()
        await MainActor.drain()
        #expect(journal.entries == ["response 1", "completion"])
        #expect(future.status == .success)
    }

    @Test func sendingTwiceRunsItOnce() async {
        let future = ResponseFuture<Int> { future in
            journal("action")
            future.succeed(with: 1)
        }.record(journal)
        future.send()
        future.send().start()
        await journal.wait()
        future.send()
        await MainActor.drain()
        #expect(journal.entries == ["action", "response 1", "completion"])
        #expect(future.status == .success)
    }

    @Test func aReplacedCallbackIsNotCalled() async {
        ResponseFuture<Int> { $0.succeed(with: 1) }.record(journal, "first ").record(journal, "second ").send()
        await journal.wait(for: "second completion")
        #expect(journal.entries == ["second response 1", "second completion"])
    }

    // MARK: Cancelling

    @Test func cancellingEndsTheWorkAndOnlyCompletes() async {
        let future = dispatcher.future()
            .then { $0.statusCode.rawValue }
            .record(journal)
            .send()
        await dispatcher.gate.arrival()
        future.cancel()
        future.cancel()
        await dispatcher.cancels.reach(1)
        await journal.wait()
        await MainActor.drain()
        #expect(journal.entries == ["completion"])
        #expect(future.status == .cancelled)
    }

    @Test func cancellingBeforeItIsSentLeavesTheWorkOut() async {
        let future = ResponseFuture<Int> { _ in journal("action") }.record(journal)
        future.cancel()
        future.send()
        await journal.wait()
        await MainActor.drain()
        #expect(journal.entries == ["completion"])
    }

    // MARK: Operators

    @Test func thenTransformsAndParentsAreToldFirst() async {
        ResponseFuture<Int> { $0.succeed(with: 1) }.record(journal, "parent ")
            .then { "\($0 + 1)" }.record(journal).send()
        #expect(await journal.wait() == ["parent response 1", "parent completion", "response 2", "completion"])
        #expect(journal.offMain.isEmpty)
    }

    @Test func thenRunsOnceAndItsErrorEndsTheFuture() async {
        ResponseFuture<Int> { $0.succeed(with: 1) }.then { _ -> Int in
            journal("then")
            throw Failure(number: 6)
        }.record(journal).send()
        #expect(await journal.wait() == ["then", "error Failure(number: 6)", "completion"])
    }

    @Test func thenIsLeftOutAfterAnError() async {
        ResponseFuture<Int> { $0.fail(with: Failure(number: 7)) }.then { _ in journal("then") }.record(journal).send()
        #expect(await journal.wait() == ["error Failure(number: 7)", "completion"])
    }

    enum Operator: String, CaseIterable, CustomTestStringConvertible {
        case replace, join

        var testDescription: String { rawValue }

        /// The future that continues with another one, as text.
        func apply(
            _ future: ResponseFuture<Int>,
            _ other: @escaping @MainActor @Sendable (Int) throws -> ResponseFuture<String>?
        ) -> ResponseFuture<String> {
            switch self {
            case .replace: return future.replace(other)
            case .join: return future.join(other).then { "\($0.0)\($0.1)" }
            }
        }

        /// The text for 1 and "b".
        var both: String {
            switch self {
            case .replace: return "b"
            case .join: return "1b"
            }
        }
    }

    @Test(arguments: Operator.allCases)
    func continuesWithAnotherFuture(_ kind: Operator) async {
        kind.apply(ResponseFuture { $0.succeed(with: 1) }) { value in
            journal("callback \(value)")
            return ResponseFuture<String> { $0.succeed(with: "b") }
        }.record(journal).send()
        #expect(await journal.wait() == ["callback 1", "response \(kind.both)", "completion"])
        #expect(journal.offMain.isEmpty)
    }

    @Test(arguments: Operator.allCases)
    func failsWithTheOtherFuture(_ kind: Operator) async {
        kind.apply(ResponseFuture { $0.succeed(with: 1) }) { _ in
            ResponseFuture<String> { $0.fail(with: Failure(number: 8)) }
        }.record(journal).send()
        #expect(await journal.wait() == ["error Failure(number: 8)", "completion"])
    }

    @Test(arguments: Operator.allCases)
    func failsWithWhatTheCallbackThrows(_ kind: Operator) async {
        kind.apply(ResponseFuture { $0.succeed(with: 1) }) { _ in throw Failure(number: 9) }.record(journal).send()
        #expect(await journal.wait() == ["error Failure(number: 9)", "completion"])
    }

    @Test(arguments: Operator.allCases)
    func leavesTheOtherFutureOutAfterAnError(_ kind: Operator) async {
        kind.apply(ResponseFuture { $0.fail(with: Failure(number: 10)) }) { _ in
            journal("callback")
            return nil
        }.record(journal).send()
        #expect(await journal.wait() == ["error Failure(number: 10)", "completion"])
    }

    @Test(arguments: Operator.allCases)
    func withoutAnotherFuture(_ kind: Operator) async {
        kind.apply(ResponseFuture { $0.succeed(with: 1) }) { _ in nil }.record(journal).send()
        #expect(await journal.wait() == ["completion"])
    }

    @Test(arguments: Operator.allCases)
    func cancellingReachesTheOtherFuture(_ kind: Operator) async {
        let future = kind.apply(ResponseFuture { $0.succeed(with: 1) }) { _ in
            dispatcher.future().then { "\($0.statusCode)" }
        }.record(journal).send()
        await dispatcher.gate.arrival()
        future.cancel()
        await dispatcher.cancels.reach(1)
        #expect(await journal.wait() == ["completion"])
    }

    @Test func fulfillEndsTheOtherFuture() async {
        ResponseFuture<Int> { future in
            ResponseFuture<Int> { $0.succeed(with: 1) }.record(journal, "inner ").fulfill(future)
        }.record(journal).send()
        #expect(await journal.wait() == ["inner response 1", "inner completion", "response 1", "completion"])

        let failing = Journal()
        ResponseFuture<Int> { future in
            ResponseFuture<Int> { $0.fail(with: Failure()) }.fulfill(future)
        }.record(failing).send()
        #expect(await failing.wait() == ["error Failure(number: 0)", "completion"])
    }

    @Test func cancellingAFulfilledFutureEndsTheWork() async {
        let future = ResponseFuture<Response<Data?>> { future in
            dispatcher.future().fulfill(future)
        }.record(journal).send()
        await dispatcher.gate.arrival()
        future.cancel()
        await dispatcher.cancels.reach(1)
        #expect(await journal.wait() == ["completion"])
    }
}
