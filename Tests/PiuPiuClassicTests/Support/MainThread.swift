import Dispatch

/// Tells whether code runs on the main thread, or on the thread that serves the main queue instead of it, as on Linux.
enum MainThread {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Runs a closure on the main thread.
    static func run(_ body: @escaping () -> Void) async {
        _ = key
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                body()
                continuation.resume()
            }
        }
    }
}
