import Futuristics
import Testing

struct PromiseTests {
    private let journal = Journal()

    @Test func aPromiseIsPendingUntilItIsFulfilled() throws {
        let promise = Promise<Int>()
        #expect(promise.isPending)
        #expect(promise.future.state.isPending)
        #expect(!promise.future.state.isFulfilled && !promise.future.state.isRejected)
        promise.fulfill(1)
        #expect(!promise.isPending)
        #expect(promise.future.state.isFulfilled && !promise.future.state.isRejected)
        guard case .fulfilled(1) = promise.future.state else {
            Issue.record("\(promise.future.state)")
            return
        }
    }

    @Test func aPromiseIsPendingUntilItIsRejected() {
        let promise = Promise<Int>()
        promise.reject(Failure(number: 2))
        #expect(!promise.isPending)
        #expect(promise.future.state.isRejected && !promise.future.state.isFulfilled)
        guard case .rejected(let error) = promise.future.state else {
            Issue.record("\(promise.future.state)")
            return
        }
        #expect(error as? Failure == Failure(number: 2))
    }

    @Test func laterEndsAreIgnored() async throws {
        let fulfilled = Promise<Int>()
        fulfilled.future.onSuccess { journal("success", $0) }.onFailure { _ in journal("failure") }
        fulfilled.fulfill(1)
        fulfilled.fulfill(2)
        fulfilled.reject(Failure())
        fulfilled.resolve { 3 }
        fulfilled.ensureResolution()
        #expect(try fulfilled.future.result() == 1)

        let rejected = Promise<Int>()
        rejected.future.onSuccess { journal("success", $0) }.onFailure { journal("failure", $0) }
        rejected.reject(Failure(number: 1))
        rejected.reject(Failure(number: 2))
        rejected.fulfill(3)
        #expect(throws: Failure(number: 1)) { try rejected.future.result() }
        #expect(await journal.entries(2) == ["success 1", "failure Failure(number: 1)"])
    }

    @Test func fulfillAndRejectReturnTheFuture() {
        let promise = Promise<Int>()
        #expect(promise.fulfill(1) === promise.future)
        #expect(promise.reject(Failure()) === promise.future)
        #expect(promise.resolve { 2 } === promise.future)
        #expect(promise.resolveWith { 2 } === promise.future)
    }

    @Test func resolveFulfillsWithTheValueOfAClosure() throws {
        #expect(try Promise<Int>().resolve { 4 }.result() == 4)
        #expect(try Promise<Int>().resolveWith { 5 }.result() == 5)
    }

    @Test func resolveRejectsWithTheErrorOfAClosure() {
        #expect(throws: Failure(number: 6)) { try Promise<Int>().resolve { throw Failure(number: 6) }.result() }
        #expect(throws: Failure(number: 7)) { try Promise<Int>().resolveWith { throw Failure(number: 7) }.result() }
    }

    @Test func resultThrowsWhileTheFutureIsPending() {
        let promise = Promise<Int>()
        #expect(throws: FutureError.stillPending) { try promise.future.result() }
    }

    @Test func ensureResolutionRejectsAPendingPromise() async {
        func work(_ promise: Promise<Int>, _ value: Int?) {
            defer { promise.ensureResolution() }
            if let value { promise.fulfill(value) }
        }
        for value in [nil, 1] {
            let promise = Promise<Int>()
            promise.future.onSuccess { journal($0) }.onFailure { journal($0) }
            work(promise, value)
        }
        #expect(await journal.entries(2) == ["unresolved", "1"])
    }

    @Test func handlersOfAReleasedPromiseNeverRunAndAreReleased() {
        final class Token {
            let journal: Journal
            init(_ journal: Journal) { self.journal = journal }
            deinit { journal("released") }
        }
        let future: Future<Int>
        var promise: Promise<Int>?
        do {
            let created = Promise<Int>()
            future = created.future
            promise = created
        }
        #expect(promise?.isPending == true)
        do {
            let token = Token(journal)
            future.onSuccess { _ in journal("success", token) }.finally { journal("finally") }
        }
        #expect(journal.entries.isEmpty)
        promise = nil
        future.onFailure { _ in journal("failure") }.finally { journal("finally") }
        #expect(future.state.isPending)
        #expect(journal.entries == ["released"])
    }

    @Test func handlersAreReleasedAfterTheyRan() async {
        final class Token: Sendable {
            let journal: Journal
            init(_ journal: Journal) { self.journal = journal }
            deinit { journal("released") }
        }
        for isFulfilled in [true, false] {
            let journal = Journal()
            let promise = Promise<Int>()
            do {
                let token = Token(journal)
                promise.future.onSuccess { _ in journal("success", token.journal === journal) }
            }
            #expect(journal.entries.isEmpty)
            if isFulfilled { promise.fulfill(1) } else { promise.reject(Failure()) }
            let expected = isFulfilled ? ["success true", "released"] : ["released"]
            #expect(await journal.entries(expected.count) == expected)
        }
    }
}
