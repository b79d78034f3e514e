import Dispatch
import TestSupport

/// Tells whether code runs on the main thread, or on the thread that serves the main queue instead of it, as on Linux.
enum MainThread {
    static var isCurrent: Bool { DispatchQueue.isMain }

    /// Runs a closure on the main thread.
    static func run(_ body: @escaping () -> Void) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                body()
                continuation.resume()
            }
        }
    }
}
