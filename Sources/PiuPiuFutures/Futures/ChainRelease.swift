/// Lets go of chains link by link.
///
/// A future holds its work, which holds the future before it, and so on. Released the ordinary way, a chain of ten
/// thousand would need the stack for as many nested calls.
enum ChainRelease {
    private final class Pending {
        var items: [Any] = []
    }

    private static let key = "PiuPiuFutures.ChainRelease"

    /// Releases a value, after those that are being released on this thread already.
    ///
    /// - Parameter take: Gives the value; nobody may hold on to it afterwards.
    static func release(_ take: () -> Any?) {
        let dictionary = Thread.current.threadDictionary
        if let pending = dictionary[key] as? Pending {
            if let item = take() { pending.items.append(item) }
            return
        }
        let pending = Pending()
        if let item = take() { pending.items.append(item) }
        guard !pending.items.isEmpty else { return }
        dictionary[key] = pending
        while !pending.items.isEmpty { _ = pending.items.popLast() }
        dictionary.removeObject(forKey: key)
    }
}
