import PiuPiuFutures
import TestSupport

/// Records what handlers report, so that a test can wait for it.
final class Journal: Sendable {
    private let lines = Locked<[String]>([])
    private let count = Tally()

    /// The entries so far.
    var entries: [String] { lines.withLock { $0 } }

    func callAsFunction(_ items: Any...) {
        let line = items.map { "\($0)" }.joined(separator: " ")
        lines.withLock { $0.append(line) }
        count.add()
    }

    /// Waits until there are a number of entries, and returns all of them.
    func entries(_ count: Int) async -> [String] {
        await self.count.reach(count)
        return entries
    }
}

struct Failure: Error, Equatable {
    var number = 0
}
