/// Counts the successes and failures of the last seconds, in ten buckets.
///
/// Old buckets are dropped as a whole, so the window is up to a tenth shorter than its length.
struct CallWindow {
    static var bucketCount: Int { 10 }

    /// The number of calls.
    private(set) var total = 0
    /// The number of failures.
    private(set) var failures = 0
    /// The buckets; empty until the first call.
    private var buckets: [(total: Int, failures: Int)] = []
    /// The position of the newest bucket in time.
    private var newest = 0

    /// Adds a call to the current bucket, whose position ascends with time.
    mutating func add(isFailure: Bool, at position: Int) {
        if buckets.isEmpty {
            buckets = Array(repeating: (0, 0), count: Self.bucketCount)
            newest = position
        }
        drop(at: position)
        let index = newest % Self.bucketCount
        buckets[index].total += 1
        total += 1
        if isFailure {
            buckets[index].failures += 1
            failures += 1
        }
    }

    /// Removes the buckets that are too old.
    private mutating func drop(at position: Int) {
        guard position > newest else { return }
        for old in 1...min(position - newest, Self.bucketCount) {
            let index = (newest + old) % Self.bucketCount
            total -= buckets[index].total
            failures -= buckets[index].failures
            buckets[index] = (0, 0)
        }
        newest = position
    }
}
