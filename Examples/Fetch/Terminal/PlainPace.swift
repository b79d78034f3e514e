import PiuPiuAsync

/// Decides which progress is worth a line of its own, if lines stay: a pure value.
///
/// That is every tenth of a known total, and every second otherwise.
struct PlainPace {
    private var tenth = -1
    private var hasTotal = false
    private var last: Duration?

    /// Takes in a progress.
    ///
    /// - Parameters:
    ///   - progress: How far the transfer has come.
    ///   - time: When, since some moment.
    /// - Returns: Whether to print it.
    mutating func isDue(_ progress: TransferProgress, at time: Duration) -> Bool {
        if let fraction = progress.fractionCompleted {
            let now = Int(fraction * 10)
            guard !hasTotal || now > tenth else { return false }
            (hasTotal, tenth) = (true, now)
        } else if let last, time - last < .seconds(1) {
            return false
        }
        last = time
        return true
    }
}
