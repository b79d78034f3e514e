import PiuPiuAsync
import TestSupport
import Testing

/// Runs the trees of many seeds, some at the same time, and returns even if one of them never ends.
final class TreeTrial: Sendable {
    private struct State {
        var next: UInt64
        var left: UInt64
        var finished: UInt64 = 0
        var running: [UInt64: Duration] = [:]
        var problems: [String] = []
    }

    private let state: Locked<State>
    private let ended = Gate()
    private let clock: TransferClock

    /// Creates a trial.
    ///
    /// - Parameters:
    ///   - first: The first seed.
    ///   - count: How many seeds follow each other.
    ///   - clock: What the time of each tree is measured with.
    init(first: UInt64, count: UInt64, clock: any Clock<Duration> = ContinuousClock()) {
        state = Locked(State(next: first, left: count))
        self.clock = TransferClock(clock)
    }

    /// How many trees have ended.
    var finishedCount: UInt64 { state.withLock { $0.finished } }

    /// Runs the trees.
    ///
    /// - Parameters:
    ///   - workers: How many run at the same time.
    ///   - limit: How long one may take; the first that takes longer ends the trial.
    ///   - tree: Runs one tree, and tells what was wrong with it.
    /// - Returns: What was wrong, with seeds.
    func run(
        workers: Int,
        perTree limit: Duration,
        _ tree: @escaping @Sendable (UInt64) async -> [String]
    ) async -> [String] {
        // Not parts of this task, which would have to wait for one that hangs.
        for _ in 0..<workers {
            Task {
                while let seed = self.begin() { self.end(seed, await tree(seed)) }
            }
        }
        let watch = Task {
            while true {
                try await self.clock.sleep(.seconds(1))
                if self.stop(limit) { return }
            }
        }
        // Throws if the time limit of the test cancels it.
        do { try await ended.wait() } catch { _ = stop(.zero) }
        watch.cancel()
        return state.withLock { $0.problems }
    }

    private func begin() -> UInt64? {
        state.withLock { state in
            guard state.left > 0 else { return nil }
            defer { state.next &+= 1 }
            state.left -= 1
            state.running[state.next] = clock.now()
            return state.next
        }
    }

    private func end(_ seed: UInt64, _ problems: [String]) {
        let isLast = state.withLock { state in
            state.running[seed] = nil
            state.finished += 1
            state.problems += problems.map { "seed \(seed): \($0)" }
            return state.left == 0 && state.running.isEmpty
        }
        if isLast { ended.open() }
    }

    /// Ends the trial if a tree has taken too long.
    private func stop(_ limit: Duration) -> Bool {
        let hasStopped = state.withLock { state in
            let now = clock.now()
            let late = state.running.filter { now - $0.value >= limit }.keys.sorted()
            guard !late.isEmpty else { return false }
            state.left = 0
            state.problems += late.map { "seed \($0): it does not end, or something is left behind" }
            return true
        }
        if hasStopped { ended.open() }
        return hasStopped
    }
}
