import PiuPiuAsync
import PiuPiuFutures
import TestSupport

/// A random chain of operators with futures at its ends, and how it may end.
struct RandomTree {
    enum Outcome: Hashable {
        case value(Int)
        case error(Int)
        case cancelled
        /// Only when it is cancelled.
        case never
    }

    /// A future and how it may end; `nil` if there are too many outcomes to list.
    struct Part {
        let future: ResponseFuture<Int>
        let outcomes: Set<Outcome>?
    }

    private var random: SeededRandom
    private let lives: Lives
    private var nodes = 0
    /// Where the tree's callbacks run.
    let threads = CallbackThreads()
    /// What inner futures told that have handlers.
    private(set) var recorders: [FutureEvents] = []

    init(seed: UInt64, lives: Lives) {
        random = SeededRandom(seed: seed)
        self.lives = lives
    }

    mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// Makes a future.
    ///
    /// - Parameter depth: How many operators may be on the way to its end.
    /// - Returns: The future, and how it may end.
    mutating func part(_ depth: Int) -> Part {
        nodes += 1
        let part = depth == 0 || nodes > 12 || number(5) == 0 ? leaf() : node(depth - 1)
        guard number(4) == 0 else { return part }
        let events = FutureEvents()
        recorders.append(events)
        return Part(future: events.record(part.future, token: lives.token()), outcomes: part.outcomes)
    }

    // MARK: Ends

    private mutating func leaf() -> Part {
        let value = number(100)
        let token = lives.token()
        let turns = number(4)
        let threads = threads
        switch number(14) {
        case 0, 1: return Part(future: ResponseFuture(result: value), outcomes: [.value(value)])
        case 2, 3, 4:
            return Part(future: Self.asynchronous(turns, token) { value }, outcomes: [.value(value)])
        case 5:
            return Part(
                future: ResponseFuture { [token] in
                    threads.note()
                    $0.succeed(with: value + token.zero)
                },
                outcomes: [.value(value)]
            )
        case 6:
            return Part(
                future: ResponseFuture { future in
                    threads.note()
                    Task.detached {
                        for _ in 0..<turns { await Task.yield() }
                        future.succeed(with: value + token.zero)
                        future.cancel()
                    }
                },
                outcomes: [.value(value)]
            )
        case 7:
            return Part(
                future: Self.asynchronous(turns, token) { throw Failure(number: value) },
                outcomes: [.error(value)]
            )
        case 8:
            return Part(
                future: ResponseFuture<Int> { _ in
                    threads.note()
                    throw Failure(number: value + token.zero)
                },
                outcomes: [.error(value)]
            )
        case 9:
            return Part(
                future: Self.asynchronous(turns, token) { throw CancellationError() },
                outcomes: [.cancelled]
            )
        case 10:
            return Part(
                future: ResponseFuture<Int> { future in
                    threads.note()
                    _ = token
                    future.cancel()
                    future.succeed(with: value)
                },
                outcomes: [.cancelled]
            )
        case 11:
            return Part(
                future: ResponseFuture<Int> { _ in
                    threads.note()
                    _ = token
                },
                outcomes: [.never]
            )
        case 12:
            let gate = Gate()
            return Part(
                future: ResponseFuture<Int> {
                    try await gate.wait()
                    return token.zero
                },
                outcomes: [.never]
            )
        default:
            let future = ResponseFuture(result: value)
            future.send()
            return Part(future: future, outcomes: [.value(value)])
        }
    }

    private static func asynchronous(
        _ turns: Int,
        _ token: LifeToken,
        _ body: @escaping @Sendable () throws -> Int
    ) -> ResponseFuture<Int> {
        ResponseFuture {
            for _ in 0..<turns { await Task.yield() }
            return try body() + token.zero
        }
    }

    // MARK: Operators

    private mutating func node(_ depth: Int) -> Part {
        let threads = threads
        switch number(16) {
        case 0: return Self.map(part(depth), { .value($0 + 1) }) { $0.then { $0 + 1 } }
        case 1: return Self.map(part(depth), { .value($0 + 2) }) { $0.then(on: .global()) { $0 + 2 } }
        case 2: return Self.map(part(depth), { .error($0) }) { $0.then { throw Failure(number: $0) } }
        case 3:
            let inner = part(depth)
            return Part(
                future: inner.future.thenResult(Int.self) {
                    threads.note()
                    return Self.flat($0)
                },
                outcomes: Self.safe(inner.outcomes)
            )
        case 4:
            let inner = part(depth)
            return Part(future: inner.future.safeResult().then { Self.flat($0) }, outcomes: Self.safe(inner.outcomes))
        case 5:
            let inner = part(depth)
            return Part(
                future: ResponseFuture {
                    threads.note()
                    inner.future.fulfill($0)
                },
                outcomes: inner.outcomes
            )
        case 6, 7, 8, 9, 10: return series(depth)
        case 11, 12, 13, 14: return parallel(depth)
        default:
            let parts = (0..<number(4)).map { _ in part(depth) }
            let outcomes = parts.reduce([.value(0)] as Set<Outcome>?) { Self.together($0, $1.outcomes, +) }
            let all = ResponseFuture<[Int]>(childFutures: parts.map(\.future))
            return Part(future: all.then { $0.reduce(0, +) }, outcomes: outcomes)
        }
    }

    private mutating func series(_ depth: Int) -> Part {
        let first = part(depth)
        let second = number(4) == 0 ? nil : part(depth)
        let following = second?.future
        let threads = threads
        let next: @Sendable () -> ResponseFuture<Int>? = {
            threads.note()
            return following
        }
        let future: ResponseFuture<Int>
        var outcomes: Set<Outcome>? = second == nil ? [.cancelled] : second?.outcomes
        var isReplaced = false
        switch number(6) {
        case 0:
            future = first.future.replace(Int.self) { _ in next() }
            isReplaced = true
        case 1: future = first.future.seriesJoin(Int.self) { _ in next() }.then { $0.0 + $0.1 }
        case 2:
            future = first.future.seriesNullableJoin(Int.self) { _ in next() }.then { $0.0 + ($0.1 ?? 0) }
            if second == nil { outcomes = [.value(0)] }
        case 3:
            future = first.future.safeSeriesJoin(Int.self) { _ in next() }.then { $0.0 + Self.flat($0.1) }
            outcomes = Self.safe(outcomes)
        case 4:
            future = first.future.safeSeriesNullableJoin(Int.self) { _ in next() }
                .then { $0.0 + ($0.1.map(Self.flat) ?? 0) }
            outcomes = second == nil ? [.value(0)] : Self.safe(outcomes)
        default:
            future = first.future.then { [$0] }.addingSeriesResult { _ in next() }.then { $0.reduce(0, +) }
        }
        guard let firsts = first.outcomes else { return Part(future: future, outcomes: nil) }
        var all: Set<Outcome> = []
        for outcome in firsts {
            guard case .value(let value) = outcome else {
                all.insert(outcome)
                continue
            }
            guard let outcomes else { return Part(future: future, outcomes: nil) }
            for outcome in outcomes {
                if case .value(let other) = outcome {
                    all.insert(.value(isReplaced ? other : value + other))
                } else {
                    all.insert(outcome)
                }
            }
        }
        return Part(future: future, outcomes: Self.certain(all))
    }

    private mutating func parallel(_ depth: Int) -> Part {
        let left = part(depth)
        switch number(5) {
        case 0:
            let right = part(depth)
            return Part(
                future: left.future.parallelJoin(Int.self) { right.future }.then { $0.0 + $0.1 },
                outcomes: Self.together(left.outcomes, right.outcomes, +)
            )
        case 1:
            let right = part(depth)
            return Part(
                future: left.future.parallelNullableJoin(Int.self) { right.future }.then { $0.0 + ($0.1 ?? 0) },
                outcomes: Self.together(left.outcomes, right.outcomes, +)
            )
        case 2:
            return Part(
                future: left.future.parallelNullableJoin(Int.self) { nil }.then { $0.0 + ($0.1 ?? 0) },
                outcomes: left.outcomes
            )
        case 3:
            let right = part(depth)
            return Part(
                future: left.future.safeParallelJoin(Int.self) { right.future }.then { $0.0 + Self.flat($0.1) },
                outcomes: Self.together(left.outcomes, Self.safe(right.outcomes), +)
            )
        default:
            let right = part(depth)
            return Part(
                future: left.future.safeParallelNullableJoin(Int.self) { right.future }
                    .then { $0.0 + ($0.1.map(Self.flat) ?? 0) },
                outcomes: Self.together(left.outcomes, Self.safe(right.outcomes), +)
            )
        }
    }

    // MARK: The model

    private static func flat(_ result: Result<Int, any Error>) -> Int {
        switch result {
        case .success(let value): value
        case .failure(let error): 1000 + ((error as? Failure)?.number ?? -1_000_000)
        }
    }

    private static func map(
        _ part: Part,
        _ change: (Int) -> Outcome,
        _ make: (ResponseFuture<Int>) -> ResponseFuture<Int>
    ) -> Part {
        let outcomes =
            (part.outcomes?.map { outcome -> Outcome in
                if case .value(let value) = outcome { change(value) } else { outcome }
            }).map { Set($0) }
        return Part(future: make(part.future), outcomes: outcomes)
    }

    private static func safe(_ outcomes: Set<Outcome>?) -> Set<Outcome>? {
        (outcomes?.map { outcome -> Outcome in
            if case .error(let number) = outcome { .value(1000 + number) } else { outcome }
        }).map { Set($0) }
    }

    /// How two things may end that are done at the same time.
    private static func together(
        _ left: Set<Outcome>?,
        _ right: Set<Outcome>?,
        _ combine: (Int, Int) -> Int
    ) -> Set<Outcome>? {
        guard let left, let right else { return nil }
        var all: Set<Outcome> = []
        for left in left {
            for right in right {
                switch (left, right) {
                case (.value(let left), .value(let right)): all.insert(.value(combine(left, right)))
                case (.never, .value), (.value, .never), (.never, .never): all.insert(.never)
                // Whichever comes first.
                default: for outcome in [left, right] where outcome.isFailure { all.insert(outcome) }
                }
            }
        }
        return certain(all)
    }

    private static func certain(_ outcomes: Set<Outcome>) -> Set<Outcome>? { outcomes.count > 20 ? nil : outcomes }
}

extension RandomTree.Outcome {
    var isFailure: Bool {
        switch self {
        case .error, .cancelled: true
        case .value, .never: false
        }
    }

    /// What handlers tell.
    var event: String {
        switch self {
        case .value(let value): "success \(value)"
        case .error(let number): "error \(number)"
        case .cancelled: "cancellation"
        case .never: "never"
        }
    }
}

/// Where the callbacks of a tree run, which depends on the thread that starts the tree.
final class CallbackThreads: Sendable {
    private let state = Locked((isFromMain: false, wrong: 0))

    /// Whether the main thread starts the tree.
    var isFromMain: Bool {
        get { state.withLock { $0.isFromMain } }
        set { state.withLock { $0.isFromMain = newValue } }
    }

    /// How many callbacks ran on a thread that they were not to run on.
    var wrong: Int { state.withLock { $0.wrong } }

    /// Notes that a callback runs.
    func note() {
        let isMain = DispatchQueue.isMain
        state.withLock { if $0.isFromMain != isMain { $0.wrong += 1 } }
    }
}

extension LifeToken {
    /// Nothing, for closures that keep the token.
    var zero: Int { 0 }
}
