import PiuPiuAsync

/// Takes down what closures tell, on any thread, so that a test can wait for it.
package final class Journal: Sendable {
    private struct State {
        var entries: [String] = []
        var offMain: [String] = []
        var waiters: [(isDue: @Sendable ([String]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    package init() {}

    /// Everything that was taken down, in order.
    package var entries: [String] { state.withLock { $0.entries } }

    /// What was not taken down on the main thread.
    package var offMain: [String] { state.withLock { $0.offMain } }

    /// Takes something down.
    package func callAsFunction(_ items: Any...) {
        let entry = items.map { "\($0)" }.joined(separator: " ")
        let isMain = DispatchQueue.isMain
        let due = state.withLock { state in
            state.entries.append(entry)
            if !isMain { state.offMain.append(entry) }
            let entries = state.entries
            defer { state.waiters.removeAll { $0.isDue(entries) } }
            return state.waiters.filter { $0.isDue(entries) }.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Waits until something was taken down.
    ///
    /// - Parameters:
    ///   - entry: What to wait for.
    ///   - count: How often it has to have been taken down.
    /// - Returns: Everything that was taken down, in order.
    package func entries(until entry: String, _ count: Int = 1) async -> [String] {
        await wait { $0.count { $0 == entry } >= count }
        return entries
    }

    /// Waits until there are a number of entries, and returns all of them.
    package func entries(_ count: Int) async -> [String] {
        await wait { $0.count >= count }
        return entries
    }

    /// Waits until something was taken down, and forgets everything.
    ///
    /// - Parameter entry: What to wait for.
    /// - Returns: Everything that was taken down, in order.
    package func take(until entry: String) async -> [String] {
        await wait { $0.contains(entry) }
        return state.withLock { state in
            defer { state.entries = [] }
            return state.entries
        }
    }

    private func wait(until isDue: @escaping @Sendable ([String]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isDueNow = state.withLock { state in
                if isDue(state.entries) { return true }
                state.waiters.append((isDue, continuation))
                return false
            }
            if isDueNow { continuation.resume() }
        }
    }
}
