/// Takes down what handlers tell, so that a test can wait for it.
@MainActor
final class Journal {
    private(set) var entries: [String] = []
    private var waiters: [(entry: String, continuation: CheckedContinuation<Void, Never>)] = []

    /// Takes something down.
    func callAsFunction(_ items: Any...) {
        let entry = items.map { "\($0)" }.joined(separator: " ")
        entries.append(entry)
        let due = waiters.filter { $0.entry == entry }
        waiters.removeAll { $0.entry == entry }
        for waiter in due { waiter.continuation.resume() }
    }

    /// Waits until something was taken down, and forgets everything.
    ///
    /// - Parameter entry: What to wait for.
    /// - Returns: Everything that was taken down, in order.
    @discardableResult
    func wait(for entry: String) async -> [String] {
        if !entries.contains(entry) {
            await withCheckedContinuation { waiters.append((entry, $0)) }
        }
        defer { entries = [] }
        return entries
    }
}
