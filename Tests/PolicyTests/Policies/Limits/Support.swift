import PiuPiuAsync
import PiuPiuTesting
import TestSupport

/// Counts what is in flight in a mock, and the most at once.
final class Flight: Sendable {
    private let counts = Locked((now: 0, most: 0, total: 0))

    var most: Int { counts.withLock { $0.most } }
    var total: Int { counts.withLock { $0.total } }
    var now: Int { counts.withLock { $0.now } }

    func begin() {
        counts.withLock {
            $0.now += 1
            $0.total += 1
            $0.most = max($0.most, $0.now)
        }
    }

    func end() {
        counts.withLock { $0.now -= 1 }
    }
}
