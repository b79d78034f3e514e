import PiuPiuFutures

/// The main thread, or the thread that serves the main queue instead of it, as on Linux after an asynchronous `main`.
enum MainThread {
    /// A key whose value is `true` on the main queue; on Linux, each `DispatchQueue.main` is a different object.
    static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main thread.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true || Thread.isMainThread }
}
