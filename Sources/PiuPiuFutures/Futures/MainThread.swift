/// The main thread, or the thread that serves the main queue instead, as on Linux.
enum MainThread {
    private static let queue = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main thread.
    ///
    /// `Thread.isMainThread` does not recognize the thread that serves the main queue on Linux, and takes a fifth of the
    /// time of a future.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: queue) == true }
}
