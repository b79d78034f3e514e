/// Deadlines of connections, earliest first.
///
/// The queue never removes a timer early: the owner of a timer compares its token when the timer fires.
struct TimerQueue {
    struct Timer {
        let deadline: ContinuousClock.Instant
        let connection: Int
        let token: Int
    }

    private var heap: [Timer] = []
    private var lastToken = 0

    /// Adds a timer for a connection.
    mutating func schedule(after delay: Duration, connection: Int, now: ContinuousClock.Instant) -> Int {
        lastToken += 1
        let delay = min(max(delay, .zero), .seconds(1_000_000_000))
        heap.append(Timer(deadline: now + delay, connection: connection, token: lastToken))
        var child = heap.count - 1
        while child > 0, heap[child].deadline < heap[(child - 1) / 2].deadline {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
        return lastToken
    }

    /// Removes and returns the earliest timer that is due.
    mutating func popDue(_ now: ContinuousClock.Instant) -> Timer? {
        guard let earliest = heap.first, earliest.deadline <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].deadline < heap[smallest].deadline {
                    smallest = child
                }
            }
            if smallest == parent { return earliest }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }

    /// The time until the earliest deadline, rounded up, or -1 if there is none.
    func milliseconds(from now: ContinuousClock.Instant) -> Int32 {
        guard let earliest = heap.first else { return -1 }
        let delay = min(max(earliest.deadline - now, .zero), .seconds(60)).components
        return Int32(delay.seconds * 1000 + (delay.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
