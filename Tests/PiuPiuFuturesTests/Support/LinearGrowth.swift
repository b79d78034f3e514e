import Testing

/// Checks that the time of a chain grows with its length.
///
/// Twenty times the length takes about twenty times as long, more if caches are too small for it, and 400 times if the time
/// grows with the square. The best of many counts, because other tests run at the same time, and a slowed process is stopped
/// in the long ones only.
func expectLinearGrowth(
    tries: Int,
    of time: (_ length: Int) async throws -> Duration,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    var short = Duration.seconds(60)
    var long = Duration.seconds(60)
    for _ in 0..<tries {
        short = min(short, try await time(500))
        long = min(long, try await time(10_000))
        if long < short * 120 { return }
    }
    Issue.record("\(short) for 500, \(long) for 10,000", sourceLocation: sourceLocation)
}
