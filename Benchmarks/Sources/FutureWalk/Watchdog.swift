import PiuPiuFutures

/// Knows which walk is under way, counts walks and failures, and ends the program if a walk takes too long.
final class Watchdog: Sendable {
    private struct State {
        var walk = "none"
        var began = ContinuousClock.now
        var count = 0
        var failures = 0
    }

    private let limit: Duration
    private let isVerbose: Bool
    private let state = Locked(State())

    /// Creates a watchdog, which watches from now on.
    ///
    /// - Parameters:
    ///   - limit: How long a walk may take.
    ///   - isVerbose: Whether the name of each walk is printed before it begins.
    init(limit: Duration, isVerbose: Bool) {
        self.limit = limit
        self.isVerbose = isVerbose
        // A thread of its own, which runs even if every thread of the thread pool is blocked.
        Thread.detachNewThread { [self] in
            while true {
                Thread.sleep(forTimeInterval: 1)
                check()
            }
        }
    }

    /// The number of walks so far.
    var count: Int { state.withLock { $0.count } }

    /// The number of failures so far.
    var failures: Int { state.withLock { $0.failures } }

    /// A walk begins.
    func begin(_ walk: String) {
        state.withLock { state in
            state.walk = walk
            state.began = .now
            state.count += 1
        }
        guard isVerbose else { return }
        print(walk)
        // Before a crash can lose it.
        fflush(nil)
    }

    /// Something was not as expected in the walk under way.
    func fail(_ problem: String) {
        let walk = state.withLock { state in
            state.failures += 1
            return state.walk
        }
        print("FAILED  \(walk): \(problem)")
    }

    private func check() {
        let (walk, began, count) = state.withLock { ($0.walk, $0.began, $0.count) }
        guard began.duration(to: .now) > limit else { return }
        print("HANGS  \(walk), after \(count) walks: no end after \(limit)")
        exit(1)
    }
}
