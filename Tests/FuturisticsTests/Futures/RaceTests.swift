import Futuristics
import TestSupport
import Testing

/// Promises that several threads end while several others add handlers.
@Suite(.timeLimit(.generous)) struct RaceTests {
    private static let count = rounds(300)

    /// Runs closures on several threads at the same time.
    private func race(_ bodies: [() -> Void]) {
        DispatchQueue.concurrentPerform(iterations: bodies.count) { bodies[$0]() }
    }

    /// Counts how often each handler ran.
    private final class Counts: Sendable {
        private let counts: Shared<[Int]>
        let calls = Tally()

        init(_ count: Int) {
            counts = Shared(Array(repeating: 0, count: count))
        }

        func add(_ index: Int) {
            counts.change { $0[index] += 1 }
            calls.add()
        }

        var all: [Int] { counts.value }
    }

    // Success and finally handlers, and promises that are fulfilled on this thread, on a queue, or on the main queue.
    @Test(arguments: 0..<3)
    func eachHandlerRunsOnce(where place: Int) async {
        for round in 0..<Self.count {
            let counts = Counts(100)
            let promise = Promise<Int>()
            let end = { @Sendable in _ = promise.fulfill(round) }
            let adders = (0..<5).map { part in
                {
                    for index in (part * 10)..<(part * 10 + 10) {
                        promise.future.onSuccess { value in
                            #expect(value == round)
                            counts.add(index)
                        }
                        promise.future.finally { counts.add(50 + index) }
                    }
                }
            }
            let enders: [() -> Void] = [
                [end, { DispatchQueue.global().async(execute: end) }, { DispatchQueue.main.async(execute: end) }][place]
            ]
            race(adders.prefix(2) + enders + adders.suffix(3))
            await counts.calls.reach(100)
            #expect(counts.all == Array(repeating: 1, count: 100))
        }
    }

    @Test func handlersOnContextsRunOnce() async {
        let queue = DispatchQueue(label: "context")
        for round in 0..<Self.count / 3 {
            let counts = Counts(40)
            let promise = Promise<Int>()
            let add = { (part: Int) in
                {
                    for index in (part * 4)..<(part * 4 + 4) {
                        switch index % 4 {
                        case 0: promise.future.onSuccess(onMainQueue) { _ in counts.add(index) }
                        case 1: promise.future.onSuccess(onBackgroundQueue) { _ in counts.add(index) }
                        case 2: promise.future.onSuccess(onQueue(queue)) { _ in counts.add(index) }
                        default: promise.future.onSuccess(on: queue) { _ in counts.add(index) }
                        }
                    }
                }
            }
            race((0..<5).map(add) + [{ promise.fulfill(round) }] + (5..<10).map(add))
            await counts.calls.reach(40)
            #expect(counts.all == Array(repeating: 1, count: 40))
        }
    }

    @Test func oneEndCounts() async throws {
        for round in 0..<Self.count {
            let counts = Counts(20)
            let values = Shared<Set<Int>>([])
            let promise = Promise<Int>()
            let note = { (value: Int) in values.change { _ = $0.insert(value) } }
            var bodies: [() -> Void] = []
            for part in 0..<4 {
                bodies.append { promise.fulfill(part) }
                bodies.append { promise.reject(Failure(number: 10 + part)) }
                bodies.append { promise.resolve { 20 + part } }
                bodies.append {
                    for index in (part * 5)..<(part * 5 + 5) {
                        promise.future.onSuccess { note($0) }
                            .onFailure { note(($0 as? Failure)?.number ?? -1) }
                            .finally { counts.add(index) }
                    }
                }
            }
            race(round.isMultiple(of: 2) ? bodies : bodies.reversed())
            await counts.calls.reach(20)
            #expect(counts.all == Array(repeating: 1, count: 20))
            #expect(values.value.count == 1)
            do {
                let value = try promise.future.result()
                #expect(values.value == [value])
            } catch {
                #expect(values.value == [(error as? Failure)?.number ?? -1])
            }
        }
    }

    // Handlers on a released promise run never, and those on an ended one run once, whatever comes first.
    @Test func releasingAPromiseRacesWithHandlers() async {
        for round in 0..<Self.count {
            let counts = Counts(10)
            let futures = Shared<Promise<Int>?>(Promise())
            guard let future = futures.value?.future else { continue }
            race([
                { futures.value = nil },
                { for index in 0..<10 { future.finally { counts.add(index) } } },
                { if round.isMultiple(of: 2) { futures.value?.fulfill(1) } },
            ])
            let expected = future.state.isPending ? 0 : 1
            // What was added is on the main queue by now.
            await onMain {}
            #expect(counts.all == Array(repeating: expected, count: 10))
        }
    }

    @Test func waitersRaceWithTheEnd() async throws {
        for round in 0..<Self.count {
            let promise = Promise<Int>()
            let future = promise.future
            let values = try await withThrowingTaskGroup(of: Int?.self) { group in
                for index in 0..<8 {
                    group.addTask {
                        if index == 4 { promise.fulfill(round) }
                        return try await future.value
                    }
                    group.addTask {
                        let task = Task { try await future.value }
                        if index.isMultiple(of: 2) { task.cancel() }
                        // Either the value or a cancellation, but always an end.
                        return try? await task.value
                    }
                }
                var values: [Int?] = []
                for try await value in group { values.append(value) }
                return values
            }
            #expect(values.count == 16)
            #expect(values.compactMap { $0 }.allSatisfy { $0 == round })
            #expect(values.compactMap { $0 }.count >= 12)
        }
    }

    @Test func stateNeverGoesBack() async {
        for _ in 0..<Self.count {
            let promise = Promise<Int>()
            race([
                { promise.fulfill(1) },
                {
                    var hasEnded = false
                    for _ in 0..<rounds(200) {
                        let isPending = promise.future.state.isPending
                        #expect(!(hasEnded && isPending))
                        hasEnded = !isPending
                    }
                },
            ])
            #expect(!promise.isPending)
        }
    }
}
