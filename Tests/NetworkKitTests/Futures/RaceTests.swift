import NetworkKit
import TestSupport
import Testing

/// Ends of one future or promise on many threads at once.
@Suite(.timeLimit(.minutes(5)))
struct RaceTests {
    @Test func onlyOneEndOfAPromiseCounts() async {
        for round in 0..<rounds(200) {
            let journal = Journal()
            let promise = Promise<Int, Int> { promise in
                DispatchQueue.concurrentPerform(iterations: 4) { index in
                    switch (index + round) % 4 {
                    case 0: promise.succeed(with: 1)
                    case 1: promise.fail(with: 2)
                    case 2: promise.catch(Failure(number: 3))
                    default: promise.cancel()
                    }
                }
            }
            let derived = promise.record(journal, "parent ").then { $0 }.record(journal)
            DispatchQueue.concurrentPerform(iterations: 2) { _ in derived.send() }
            await journal.wait()
            let status: [Promise<Int, Int>.Status: [String]] = [
                .success: ["success 1"], .failure: ["failure 2"],
            ]
            let expected =
                status[promise.status]
                ?? (journal.entries.contains("error Failure(number: 3)") ? ["error Failure(number: 3)"] : [])
            let events = journal.entries.filter { !$0.hasPrefix("parent ") }
            #expect(events == expected + ["completion"])
            let parents = journal.entries.filter { $0.hasPrefix("parent ") }
            #expect(parents == (expected + ["completion"]).map { "parent " + $0 })
            #expect(derived.status == promise.status)
        }
    }

    @Test func callbacksThatAreSetWhileItEndsRunAtMostOnce() async {
        for _ in 0..<rounds(200) {
            let journal = Journal()
            let promise = Promise<Int, Int> { _ in }.completion { journal("completion") }.send()
            DispatchQueue.concurrentPerform(iterations: 3) { index in
                switch index {
                case 0: promise.succeed(with: 1)
                case 1: _ = promise.success { journal("success \($0)") }
                default: _ = promise.failure { journal("failure \($0)") }
                }
            }
            await journal.wait()
            await MainActor.drain()
            #expect(journal.entries.last == "completion")
            #expect(journal.entries.count <= 2)
            #expect(!journal.entries.contains("failure 1"))
        }
    }
}
