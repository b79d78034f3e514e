import PiuPiuAsync

/// Takes down what closures tell, on any thread, so that a test can wait for it.
final class Journal: Sendable {
    private struct State {
        var taken: [String] = []
        var waiters: [(entry: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    /// Everything that was taken down.
    var entries: [String] { state.withLock { $0.taken } }

    /// Takes something down.
    func callAsFunction(_ items: Any...) {
        let entry = items.map { "\($0)" }.joined(separator: " ")
        let due = state.withLock { state in
            state.taken.append(entry)
            defer { state.waiters.removeAll { $0.entry == entry } }
            return state.waiters.filter { $0.entry == entry }.map { $0.continuation }
        }
        for waiter in due { waiter.resume() }
    }

    /// Waits until something was taken down, and forgets everything.
    ///
    /// - Parameter entry: What to wait for.
    /// - Returns: Everything that was taken down, in order.
    @discardableResult
    func wait(for entry: String) async -> [String] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if !state.taken.contains(entry) { state.waiters.append((entry, continuation)) }
                return state.taken.contains(entry)
            }
            if isThere { continuation.resume() }
        }
        return state.withLock { state in
            defer { state.taken = [] }
            return state.taken
        }
    }

    /// As an expectation of XCTest.
    func fulfill() {
        self("fulfill")
    }
}
