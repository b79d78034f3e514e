/// The main thread, or the thread that serves the main queue instead of it, as on Linux.
enum MainThread {
    private static let queue = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main thread.
    ///
    /// `Thread.isMainThread` does not recognize the thread that serves the main queue on Linux, and its cost is a fifth of
    /// the cost of a future.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: queue) == true }
}
