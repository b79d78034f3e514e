/// Lets go of chains link by link.
///
/// A future holds its work, which holds the future before it, and so on. Released the ordinary way, a chain of ten
/// thousand would need the stack for as many nested calls.
enum ChainRelease {
    /// What is to be released on one thread.
    private final class Pending {
        private var items: [Any] = []

        /// Adds what a closure gives.
        ///
        /// - Returns: Whether it gave something.
        @discardableResult
        func add(_ take: () -> Any?) -> Bool {
            guard let item = take() else { return false }
            items.append(item)
            return true
        }

        /// Removes the item that was added last.
        ///
        /// Never inlined: releasing the item adds the work of the future before it to `items`. If this is inlined, the
        /// optimiser moves that release into the access to `items`, and the process ends with "Simultaneous accesses".
        ///
        /// - Returns: The item; `nil` if there is none.
        @inline(never)
        func removeLast() -> Any? {
            items.popLast()
        }
    }

    private static let key = "PiuPiuFutures.ChainRelease"

    /// Releases a value, after those that are being released on this thread already.
    ///
    /// - Parameter take: Gives the value; nobody may hold on to it afterwards.
    static func release(_ take: () -> Any?) {
        let dictionary = Thread.current.threadDictionary
        if let pending = dictionary[key] as? Pending {
            pending.add(take)
            return
        }
        let pending = Pending()
        guard pending.add(take) else { return }
        dictionary[key] = pending
        while let item = pending.removeLast() { withExtendedLifetime(item) {} }
        dictionary.removeObject(forKey: key)
    }
}
