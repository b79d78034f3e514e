import Futuristics
import Testing

@Suite(.timeLimit(.generous)) struct FutureHandlerTests {
    private let journal = Journal()

    private func addHandlers(to future: Future<Int>, _ journal: Journal, _ when: String) {
        for number in 1...3 {
            future.onSuccess { journal(when, "success", number, $0) }
                .onFailure { journal(when, "failure", number, $0) }
                .finally { journal(when, "finally", number) }
        }
    }

    @Test func handlersRunInTheOrderInWhichTheyWereAdded() async {
        let promise = Promise<Int>()
        addHandlers(to: promise.future, journal, "before")
        #expect(journal.entries.isEmpty)
        promise.fulfill(5)
        addHandlers(to: promise.future, journal, "after")
        #expect(
            await journal.entries(12)
                == ["before", "after"].flatMap { when in
                    (1...3).flatMap { ["\(when) success \($0) 5", "\(when) finally \($0)"] }
                }
        )
    }

    @Test func aRejectedFutureRunsFailureHandlersOnly() async {
        let promise = Promise<Int>()
        addHandlers(to: promise.future, journal, "before")
        promise.reject(Failure())
        addHandlers(to: promise.future, journal, "after")
        #expect(
            await journal.entries(12)
                == ["before", "after"].flatMap { when in
                    (1...3).flatMap { ["\(when) failure \($0) Failure(number: 0)", "\(when) finally \($0)"] }
                }
        )
    }

    /// No annotation, and a variable that a handler changes: this must compile without a warning.
    private func countWithPlainState(_ end: @escaping ([Int]) -> Void) {
        final class Counter {
            var count = 0
            func add(_ number: Int) { count += number }
        }
        let counter = Counter()
        var sum = 0
        let promise = Promise<Int>()
        promise.future.onSuccess { counter.add($0) }.onSuccess(successHandler: counter.add).finally {
            sum += 1
            end([counter.count, sum])
        }
        promise.fulfill(2)
    }

    @Test func aPlainClassMayUseItsStateAndVariables() async {
        countWithPlainState { journal($0) }
        #expect(await journal.entries(1) == ["[4, 1]"])
    }

    private func changeValuesThatAreNotSendable(_ end: @escaping (String, Int?) -> Void) {
        final class Model {
            var name = "a"
        }
        let promise = Promise<Model>()
        let functions = Promise<() -> Int>()
        functions.fulfill { 3 }
        promise.future.onSuccess { $0.name = "b" }.onSuccess { end($0.name, try? functions.future.result()()) }
        promise.fulfill(Model())
    }

    @Test func aFutureMayHaveAValueThatIsNotSendable() async {
        changeValuesThatAreNotSendable { journal($0, $1 ?? 0) }
        #expect(await journal.entries(1) == ["b 3"])
    }

    /// State without protection, as with Futuristics 0.2.2: only the main thread touches it.
    private final class Totals {
        var values: [Int] = []
        var places: Set<Bool> = []
        var ends = 0

        func count(_ count: Int, _ end: Promise<Void>) {
            for number in 0..<count {
                let promise = Promise<Int>()
                promise.future.onSuccess { value in
                    self.values.append(value)
                    self.places.insert(isOnMainQueue)
                }
                .onFailure { _ in
                    self.values.append(-1)
                    self.places.insert(isOnMainQueue)
                }
                .finally {
                    self.ends += 1
                    if self.ends == count { end.fulfill(()) }
                }
                DispatchQueue.global().async {
                    if number.isMultiple(of: 5) { promise.reject(Failure()) } else { promise.fulfill(number) }
                }
            }
        }
    }

    @Test func futuresThatManyThreadsEndChangePlainState() async throws {
        let totals = Totals()
        let end = Promise<Void>()
        totals.count(5000, end)
        try await end.future.value
        #expect(totals.places == [true])
        #expect(totals.values.count == 5000)
        #expect(totals.values.filter { $0 < 0 }.count == 1000)
    }

    @Test func aHandlerMayAddHandlersWhichFollowIt() async {
        let promise = Promise<Int>()
        promise.future.onSuccess { _ in
            journal("outer")
            promise.future.onSuccess { _ in journal("inner") }
            journal("after")
        }
        promise.fulfill(1)
        #expect(await journal.entries(3) == ["outer", "after", "inner"])
    }

    @Test func tuplesAreDestructured() async {
        let promise = Promise<(Int, String)>()
        promise.future.onSuccess { number, text in journal(number, text) }
        promise.fulfill((1, "a"))
        #expect(await journal.entries(1) == ["1 a"])
    }

    // MARK: Contexts

    /// Code as users have it: a plain class, without annotations.
    final class Screen {
        private let journal: Journal
        private var name = ""

        init(_ journal: Journal) {
            self.journal = journal
        }

        func update(_ name: String) {
            self.name += name
        }

        func show(_ future: Future<String>) {
            var count = 0
            future.onSuccess(onMainQueue) { name in
                count += 1
                self.update(name)
            }
            .onSuccess(onMainQueue, successHandler: update)
            .onFailure(onMainQueue) { _ in self.name = "" }
            .finally(onMainQueue) { self.journal(self.name, count, isOnMainQueue) }
        }
    }

    @Test func aPlainClassMayUseItsStateOnTheMainQueue() async {
        let promise = Promise<String>()
        Screen(journal).show(promise.future)
        await onThread { _ = promise.fulfill("a") }
        #expect(await journal.entries(1) == ["aa 1 true"])
    }

    /// A context of a user: generic, as the document has it.
    private func recorded<A, B>(_ journal: Journal) -> (@escaping (A) throws -> B) -> (A) -> Future<B> {
        { closure in
            { input in
                journal("context")
                let promise = Promise<B>()
                return promise.resolve { try closure(input) }
            }
        }
    }

    @Test func aUserMayHaveContextsOfTheSameForm() async {
        func generic<A, B>(_ closure: @escaping (A) throws -> B) -> (A) -> Future<B> {
            { input in
                journal("generic")
                return Promise<B>().resolve { try closure(input) }
            }
        }
        func plain(_ task: @escaping () throws -> Void) -> () -> Future<Void> {
            {
                journal("plain")
                return Promise<Void>().resolve(task)
            }
        }
        let stored: ExecutionContext = { task in
            {
                journal("stored")
                return Promise<Void>().resolve(task)
            }
        }
        let promise = Promise<Int>()
        promise.future.onSuccess(generic) { journal("success", $0) }.onSuccess(plain) { journal("success", $0) }
            .onSuccess(stored) { journal("success", $0) }.onSuccess(recorded(journal)) { journal("success", $0) }
            .finally(generic) { journal("finally") }.finally(plain) { journal("finally") }
            .finally(stored) { journal("finally") }.finally(recorded(journal)) { journal("finally") }
        promise.fulfill(1)
        _ = await journal.entries(16)
        let rejected = Promise<Int>()
        rejected.future.onFailure(generic) { _ in journal("failure") }.onFailure(plain) { _ in journal("failure") }
            .onFailure(stored) { _ in journal("failure") }.onFailure(recorded(journal)) { _ in journal("failure") }
        rejected.reject(Failure())
        let contexts = ["generic", "plain", "stored", "context"]
        #expect(
            await journal.entries(24)
                == contexts.flatMap { [$0, "success 1"] } + contexts.flatMap { [$0, "finally"] }
                + contexts.flatMap { [$0, "failure"] }
        )
    }

    @Test func aContextMayBeAParameterWithADefault() async {
        func load(_ context: @escaping ExecutionContext = onMainQueue) -> Future<Int> {
            let promise = Promise<Int>()
            promise.future.onSuccess(context) { _ in journal(isOnMainQueue) }
                .onFailure(context) { _ in journal(isOnMainQueue) }
            return promise.fulfill(1)
        }
        await onThread { _ = load() }
        _ = await journal.entries(1)
        await onThread { _ = load(onBackgroundQueue) }
        #expect(await journal.entries(2) == ["true", "false"])
    }
}
