import PiuPiuAsync
import TestSupport

typealias Journal = TestSupport.Journal

extension Journal {
    /// Waits until something was taken down as often as this, and returns everything that was taken down, in order.
    @discardableResult
    func wait(for entry: String = "completion", _ count: Int = 1) async -> [String] {
        await entries(until: entry, count)
    }
}

/// A dispatcher of PiuPiuAsync for tests: no proxy.
func plainDispatcher() -> URLRequestDispatcher {
    var configuration = URLRequestDispatcher.Configuration()
    configuration.transport.proxy = .none
    return URLRequestDispatcher(configuration: configuration)
}
