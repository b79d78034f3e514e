import Futuristics
import Testing

/// Where and when handlers run, as in Futuristics 0.2.0-alpha to 0.2.4: a handler is passed through the future's own queue to
/// its execution context, whatever thread ends the promise, and whether it is added before or after.
@Suite(.timeLimit(.generous)) struct DeliveryTests {
    enum Context: CaseIterable {
        case none, main, mainSoon, mainAsQueue, mainStored, onMain, background, queue, onQueue, own

        /// The place where a handler with the context runs.
        var place: String {
            switch self {
            case .none, .main, .mainSoon, .mainAsQueue, .mainStored, .onMain: "main"
            case .queue, .onQueue: "queue"
            case .background, .own: "background"
            }
        }

        func addHandlers(to future: Future<Int>, _ queue: DispatchQueue, _ note: @escaping (String) -> Void) {
            let value = { (_: Int) in note("success") }
            let error = { (_: Error) in note("failure") }
            let end = { note("finally") }
            let stored: ExecutionContext = onMainQueue
            switch self {
            case .none: future.onSuccess { value($0) }.onFailure { error($0) }.finally { end() }
            case .main:
                future.onSuccess(onMainQueue) { value($0) }.onFailure(onMainQueue) { error($0) }
                    .finally(onMainQueue) { end() }
            case .mainSoon:
                future.onSuccess(onMainQueue(after: 0)) { value($0) }.onFailure(onMainQueue(after: 0)) { error($0) }
                    .finally(onMainQueue(after: 0)) { end() }
            case .mainAsQueue:
                future.onSuccess(Futuristics.onQueue(.main)) { value($0) }
                    .onFailure(Futuristics.onQueue(.main)) { error($0) }.finally(Futuristics.onQueue(.main)) { end() }
            case .mainStored:
                future.onSuccess(stored) { value($0) }.onFailure(stored) { error($0) }.finally(stored) { end() }
            case .onMain:
                future.onSuccess(on: .main) { value($0) }.onFailure(on: .main) { error($0) }.finally(on: .main) {
                    end()
                }
            case .background:
                future.onSuccess(onBackgroundQueue) { value($0) }.onFailure(onBackgroundQueue) { error($0) }
                    .finally(onBackgroundQueue) { end() }
            case .queue:
                future.onSuccess(Futuristics.onQueue(queue)) { value($0) }
                    .onFailure(Futuristics.onQueue(queue)) { error($0) }.finally(Futuristics.onQueue(queue)) { end() }
            case .onQueue:
                future.onSuccess(on: queue) { value($0) }.onFailure(on: queue) { error($0) }.finally(on: queue) {
                    end()
                }
            case .own:
                future.onSuccess(inPlace) { value($0) }.onFailure(inPlace) { error($0) }.finally(inPlace) { end() }
            }
        }
    }

    /// The thread that ends the promise and adds the handlers, the context, and whether the promise is ended first.
    struct Row: CustomTestStringConvertible {
        var isOnMain: Bool
        var context: Context
        var endsBefore: Bool

        static let all = [true, false].flatMap { isOnMain in
            Context.allCases.flatMap { context in
                [true, false].map { Row(isOnMain: isOnMain, context: context, endsBefore: $0) }
            }
        }

        var testDescription: String {
            "\(isOnMain ? "main" : "another") thread, \(context), \(endsBefore ? "ended before" : "ended after")"
        }
    }

    @Test(arguments: Row.all) func aHandlerRunsInItsContextLater(_ row: Row) async {
        for (outcome, end) in [
            ("success", { (promise: Promise<Int>) in promise.fulfill(1) }), ("failure", { $0.reject(Failure()) }),
        ] {
            let journal = Journal()
            let note = { (name: String) in
                journal(name, isInCall ? "inside" : isOnMainQueue ? "main" : NamedQueue.current ?? "background")
            }
            let body = {
                markCall {
                    let promise = Promise<Int>()
                    let queue = NamedQueue.make("queue")
                    if row.endsBefore { _ = end(promise) }
                    row.context.addHandlers(to: promise.future, queue, note)
                    if !row.endsBefore { _ = end(promise) }
                }
            }
            if row.isOnMain { await onMain(body) } else { await onThread(body) }
            let entries = await journal.entries(2)
            let expected = [outcome, "finally"].map { "\($0) \(row.context.place)" }
            // Two functions on the global queue run in any order.
            let isSorted = row.context == .background
            #expect((isSorted ? entries.sorted() : entries) == (isSorted ? expected.sorted() : expected))
        }
    }

    @Test(arguments: [true, false], [true, false])
    func handlersOfDifferentContextsAreCalledInOrder(onMain isOnMain: Bool, endsBefore: Bool) async {
        let journal = Journal()
        let body = {
            let promise = Promise<Int>()
            let stored: ExecutionContext = onMainQueue
            if endsBefore { promise.fulfill(1) }
            promise.future.onSuccess { _ in journal(1) }.onSuccess(onQueue(.main)) { _ in journal(2) }
                .finally { journal(3) }.onSuccess(stored) { _ in journal(4) }.finally(on: .main) { journal(5) }
            if !endsBefore { promise.fulfill(1) }
        }
        if isOnMain { await onMain(body) } else { await onThread(body) }
        #expect(await journal.entries(5) == ["1", "2", "3", "4", "5"])
    }
}
