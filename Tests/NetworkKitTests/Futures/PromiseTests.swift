import NetworkKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PromiseTests {
    private let journal = Journal()

    enum End: String, CaseIterable, CustomTestStringConvertible {
        case success, failure, error, thrown, cancel

        var testDescription: String { rawValue }

        /// A promise that ends like this when it is sent.
        func promise(_ journal: Journal) -> Promise<Int, String> {
            Promise<Int, String> { promise in
                journal("action")
                switch self {
                case .success: promise.succeed(with: 1)
                case .failure: promise.fail(with: "a")
                case .error: promise.catch(Failure(number: 2))
                case .thrown: throw Failure(number: 2)
                case .cancel: promise.cancel()
                }
            }
        }

        /// What the callbacks tell.
        var events: [String] {
            switch self {
            case .success: return ["success 1", "completion"]
            case .failure: return ["failure a", "completion"]
            case .error, .thrown: return ["error Failure(number: 2)", "completion"]
            case .cancel: return ["completion"]
            }
        }

        var status: Promise<Int, String>.Status {
            switch self {
            case .success: return .success
            case .failure: return .failure
            case .error, .thrown, .cancel: return .error
            }
        }
    }

    @MainActor
    @Test(arguments: End.allCases)
    func endsOnce(as end: End) async {
        let promise = end.promise(journal).record(journal)
        await MainActor.drain()
        #expect(journal.entries.isEmpty)
        #expect(promise.status == .created)

        promise.send()
        #expect(journal.entries == ["action"])
        // No handler of the promise is called for a cancellation.
        let status = end == .cancel ? end.status : .started
        #expect(promise.status == status)

        // What comes later is ignored.
        promise.succeed(with: 3)
        promise.fail(with: "b")
        promise.catch(Failure(number: 4))
        promise.cancel()
        promise.send().start()
        #expect(promise.status == status)
        await journal.wait()
        await MainActor.drain()
        #expect(promise.status == end.status)
        #expect(journal.entries == ["action"] + end.events)
        #expect(journal.offMain.isEmpty)
    }

    @Test func itIsStartedUntilItEnds() async {
        let promise = Promise<Int, String> { promise in journal("action", promise.status) }
        promise.record(journal).send()
        #expect(promise.status == .started)
        promise.fail(with: "a")
        #expect(await journal.wait() == ["action started", "failure a", "completion"])
    }

    @Test func whatSuccessAndFailureThrowReachesTheErrorCallback() async {
        for end in [End.success, .failure] {
            let journal = Journal()
            let promise = end.promise(Journal())
                .success { _ in throw Failure(number: 5) }
                .failure { _ in throw Failure(number: 5) }
                .error { journal("error \($0)") }
                .completion { journal("completion") }
                .send()
            #expect(await journal.wait() == ["error Failure(number: 5)", "completion"])
            #expect(promise.status == .error)
        }
    }

    @Test func callbacksAreIndependentOfTheirOrder() async {
        End.failure.promise(Journal())
            .completion { journal("completion") }
            .failure { journal("first \($0)") }
            .success { journal("success \($0)") }
            .failure { journal("second \($0)") }
            .send()
        #expect(await journal.wait() == ["second a", "completion"])
    }

    @Test func callbacksThatTheActionSetsReplaceTheOnesBefore() async {
        let derived = Promise<Int, String> { promise in
            _ = promise.failure { journal("action's failure \($0)") }
            promise.fail(with: "a")
        }.record(journal, "parent ").then { $0 }
        // Nothing keeps the first promise but the one that derives from it.
        derived.record(journal).send()
        #expect(await journal.wait() == ["action's failure a", "parent completion", "failure a", "completion"])
    }

    // MARK: Operators

    @Test(arguments: End.allCases)
    func thenTransformsSuccess(_ end: End) async {
        end.promise(Journal()).record(journal, "parent ").then { value -> Double in
            journal("then \(value)")
            return 2.5
        }.record(journal).send()
        let entries = await journal.wait()
        let parents = end.events.map { "parent " + $0 }
        // The callbacks of the first promise may come before or after the closure.
        #expect(entries.filter { $0.hasPrefix("parent ") } == parents)
        let rest = entries.filter { !$0.hasPrefix("parent ") }
        #expect(rest == (end == .success ? ["then 1", "success 2.5", "completion"] : end.events))
        #expect(entries.last == "completion")
    }

    @Test(arguments: End.allCases)
    func thenFailureTransformsFailure(_ end: End) async {
        end.promise(Journal()).thenFailure { value -> Double in
            journal("thenFailure \(value)")
            return 2.5
        }.record(journal).send()
        let expected = end == .failure ? ["thenFailure a", "failure 2.5", "completion"] : end.events
        #expect(await journal.wait() == expected)
    }

    @Test func whatTransformationsThrowIsTheError() async {
        for end in [End.success, .failure] {
            let journal = Journal()
            let promise = end.promise(Journal())
                .then { _ -> Int in throw Failure(number: 6) }
                .thenFailure { _ -> Int in throw Failure(number: 6) }
                .record(journal)
                .send()
            #expect(await journal.wait() == ["error Failure(number: 6)", "completion"])
            #expect(promise.status == .error)
        }
    }

    @Test func theStatusOfADerivedPromiseTellsFailureFromSuccess() async {
        let failed = End.failure.promise(Journal()).then { $0 }.record(journal).send()
        await journal.wait()
        #expect(failed.status == .failure)
    }

    @Test(arguments: End.allCases)
    func futureWithAnError(_ end: End) async {
        end.promise(Journal()).future { value in
            journal("future \(value)")
            return Failure(number: 7)
        }.record(journal).send()
        switch end {
        case .success: #expect(await journal.wait() == ["response 1", "completion"])
        case .failure: #expect(await journal.wait() == ["future a", "error Failure(number: 7)", "completion"])
        default: #expect(await journal.wait() == end.events)
        }
    }

    @Test(arguments: End.allCases)
    func futureWithAValue(_ end: End) async {
        end.promise(Journal()).future { value in
            journal("future \(value)")
            return 8
        }.record(journal).send()
        switch end {
        case .success: #expect(await journal.wait() == ["response 1", "completion"])
        case .failure: #expect(await journal.wait() == ["future a", "response 8", "completion"])
        default: #expect(await journal.wait() == end.events)
        }
    }

    @Test func futureWhoseClosureOnlyThrows() async {
        End.failure.promise(Journal()).future { _ in throw Failure(number: 9) }.record(journal).send()
        #expect(await journal.wait() == ["error Failure(number: 9)", "completion"])
    }

    @Test(arguments: End.allCases)
    func fulfillEndsTheOtherPromise(_ end: End) async {
        let promise = Promise<Int, String> { promise in
            end.promise(Journal()).fulfill(promise)
        }.record(journal).send()
        #expect(await journal.wait() == end.events)
        #expect(promise.status == end.status)
    }

    @Test func cancellingEndsTheRequest() async {
        let dispatcher = HangingDispatcher()
        let promise = dispatcher.network.make(BasicRequest(method: .get, path: "/"))
            .then { $0.statusCode }
            .thenFailure { $0.error }
            .record(journal)
            .send()
        await dispatcher.gate.arrival()
        promise.cancel()
        await dispatcher.cancels.reach(1)
        await journal.wait()
        await MainActor.drain()
        #expect(journal.entries == ["completion"])
        #expect(promise.status == .error)
    }
}
