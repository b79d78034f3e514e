import PiuPiuTesting

extension ManualClock {
    /// Returns when a task sleeps until a time, or the calling task is cancelled.
    ///
    /// - Parameter deadline: The time, as a distance from the clock's beginning.
    public func sleeper(until deadline: Duration) async {
        try? await wait(for: .deadline(deadline))
    }

    /// Returns when a number of tasks have begun to sleep, or the calling task is cancelled.
    ///
    /// - Parameter count: The number.
    public func sleeps(_ count: Int) async {
        try? await wait(for: .begun(count))
    }
}
