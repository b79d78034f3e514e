/// The latencies of the last calls, and their percentiles.
///
/// It keeps the newest samples, up to a number and an age. They are sorted, so that a percentile is one access and a sample
/// takes two binary searches and two moves of at most 2 KiB.
struct LatencyWindow {
    /// The maximum number of samples.
    static let capacity = 256
    /// The age at which a sample no longer counts.
    static let maximumAge = Duration.seconds(300)

    private struct Sample {
        let time: ContinuousClock.Instant
        let nanoseconds: Int64
    }

    /// A ring: after it is full, `oldest` is the next to be replaced.
    private var samples: [Sample] = []
    private var oldest = 0
    private var count = 0
    private var sorted: [Int64] = []

    /// Adds a sample, in place of the oldest one if there is no room; a negative latency counts as zero.
    mutating func record(_ latency: Duration, at now: ContinuousClock.Instant) {
        dropOld(at: now)
        if count == Self.capacity { dropOldest() }
        let sample = Sample(time: now, nanoseconds: max(.zero, latency).clampedNanoseconds)
        let position = (oldest + count) % Self.capacity
        if position < samples.count { samples[position] = sample } else { samples.append(sample) }
        count += 1
        sorted.insert(sample.nanoseconds, at: index(of: sample.nanoseconds))
    }

    /// Returns the latency that a fraction of the samples does not exceed, by the nearest-rank method; `nil` if there are too
    /// few samples.
    mutating func percentile(_ fraction: Double, minimumSamples: Int, at now: ContinuousClock.Instant) -> Duration? {
        dropOld(at: now)
        guard count > 0, count >= minimumSamples else { return nil }
        let rank = Int((fraction * Double(count)).rounded(.up))
        return .nanoseconds(sorted[min(max(rank, 1), count) - 1])
    }

    private mutating func dropOld(at now: ContinuousClock.Instant) {
        while count > 0, samples[oldest].time.duration(to: now) > Self.maximumAge { dropOldest() }
    }

    private mutating func dropOldest() {
        sorted.remove(at: index(of: samples[oldest].nanoseconds))
        oldest = (oldest + 1) % Self.capacity
        count -= 1
    }

    /// The position of the first sample that is not smaller.
    private func index(of nanoseconds: Int64) -> Int {
        var range = 0..<sorted.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = sorted[middle] < nanoseconds ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
