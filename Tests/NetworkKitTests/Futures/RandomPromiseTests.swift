import NetworkKit
import TestSupport
import Testing

/// Chains of promises and futures made at random, the same ones each time.
@Suite(.timeLimit(.minutes(10)))
struct RandomPromiseTests {
    /// How a promise ends.
    enum End: Equatable {
        case success(Int)
        case failure(Int)
        case error(Int)
        case cancelled

        var events: [String] {
            switch self {
            case .success(let value): ["success \(value)", "completion"]
            case .failure(let value): ["failure \(value)", "completion"]
            case .error(let number): ["error \(number)", "completion"]
            case .cancelled: ["completion"]
            }
        }
    }

    struct Numbered: Error { var number: Int }

    /// What a chain's callbacks tell.
    final class Record: @unchecked Sendable {
        private let lock = NSLock()
        private var all: [String] = []
        private var isDone = false
        private var waiter: CheckedContinuation<Void, Never>?
        private static let main: DispatchSpecificKey<Bool> = {
            let key = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: key, value: true)
            return key
        }()

        static var isOnMain: Bool { DispatchQueue.getSpecific(key: main) == true }

        var events: [String] { lock.withLock { all } }

        func add(_ event: String) {
            lock.withLock { all.append(event) }
        }

        func end() {
            let waiter = lock.withLock { () -> CheckedContinuation<Void, Never>? in
                isDone = true
                defer { self.waiter = nil }
                return self.waiter
            }
            waiter?.resume()
        }

        func wait() async {
            await withCheckedContinuation { continuation in
                let isDone = lock.withLock { () -> Bool in
                    if !self.isDone { waiter = continuation }
                    return self.isDone
                }
                if isDone { continuation.resume() }
            }
        }
    }

    /// Makes chains and says how they end.
    struct Maker {
        var random: SeededRandom
        let record: Record
        let isFromMain: Bool

        typealias Part = (promise: Promise<Int, Int>, end: End)

        mutating func part(_ depth: Int) -> Part { depth == 0 ? leaf() : node(depth - 1) }

        private func noted() -> () -> Void {
            let (record, isFromMain) = (record, isFromMain)
            return { if Record.isOnMain != isFromMain { record.add("a callback on the wrong thread") } }
        }

        private mutating func leaf() -> Part {
            let value = random.below(100)
            let end = random.element(of: [End.success(value), .failure(value), .error(value), .cancelled])
            let (isLater, throwing, note) = (random.picks(50), random.picks(50), noted())
            let promise = Promise<Int, Int> { promise in
                note()
                let finish = {
                    switch end {
                    case .success(let value): promise.succeed(with: value)
                    case .failure(let value): promise.fail(with: value)
                    case .error(let number): promise.catch(Numbered(number: number))
                    case .cancelled: promise.cancel()
                    }
                    // Later ends do nothing.
                    promise.succeed(with: -1)
                    promise.fail(with: -1)
                    promise.catch(Numbered(number: -1))
                }
                if case .error(let number) = end, throwing { throw Numbered(number: number) }
                if isLater { DispatchQueue.global().async { finish() } } else { finish() }
            }
            return (promise, end)
        }

        private mutating func node(_ depth: Int) -> Part {
            let (promise, end) = part(depth)
            let (change, note) = (random.below(50), noted())
            switch (random.below(7), end) {
            case (0, _):
                let next = promise.then { value -> Int in
                    note()
                    return value + change
                }
                if case .success(let value) = end { return (next, .success(value + change)) }
                return (next, end)
            case (1, _):
                let next = promise.then { _ -> Int in throw Numbered(number: change) }
                if case .success = end { return (next, .error(change)) }
                return (next, end)
            case (2, _):
                let next = promise.thenFailure { value -> Int in
                    note()
                    return value + change
                }
                if case .failure(let value) = end { return (next, .failure(value + change)) }
                return (next, end)
            case (3, _):
                let next = promise.thenFailure { _ -> Int in throw Numbered(number: change) }
                if case .failure = end { return (next, .error(change)) }
                return (next, end)
            case (4, _): return (Promise<Int, Int> { promise.fulfill($0) }, end)
            case (5, _):
                // A future, whose value becomes a success again.
                let future = promise.future { value -> Int in
                    note()
                    return value * 2
                }
                let next = Promise<Int, Int> { next in
                    future.success { next.succeed(with: $0) }.error { next.catch($0) }
                        .completion { if future.status == .cancelled { next.cancel() } }.send()
                }
                if case .failure(let value) = end { return (next, .success(value * 2)) }
                return (next, end)
            default:
                let future = promise.future { value -> Error in
                    note()
                    return Numbered(number: value)
                }
                let next = Promise<Int, Int> { next in
                    future.replace { value in ResponseFuture<Int> { $0.succeed(with: value + change) } }
                        .success { next.succeed(with: $0) }.error { next.catch($0) }
                        .completion { next.cancel() }.send()
                }
                switch end {
                case .success(let value): return (next, .success(value + change))
                case .failure(let value): return (next, .error(value))
                default: return (next, end)
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func anyChainEndsOnceAsItHasTo(isFromMain: Bool) async {
        for seed in 1...UInt64(rounds(1500)) {
            let record = Record()
            var maker = Maker(random: SeededRandom(seed: seed), record: record, isFromMain: isFromMain)
            let depth = maker.random.below(7)
            let (promise, end) = maker.part(depth)
            let observed =
                promise
                .success { record.add("success \($0)") }
                .failure { record.add("failure \($0)") }
                .error { record.add("error \(($0 as? Numbered)?.number ?? -2)") }
                .completion {
                    record.add("completion")
                    record.end()
                }
            if isFromMain {
                await withCheckedContinuation { continuation in
                    DispatchQueue.main.async {
                        observed.send()
                        continuation.resume()
                    }
                }
            } else {
                observed.send()
            }
            await record.wait()
            #expect(record.events == end.events, "seed \(seed)")
        }
    }
}
