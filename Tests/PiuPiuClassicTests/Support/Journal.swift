import TestSupport

typealias Journal = TestSupport.Journal

extension Journal {
    /// Waits until something was taken down, forgets everything, and returns it in order.
    @discardableResult
    func wait(for entry: String) async -> [String] {
        await take(until: entry)
    }

    /// As an expectation of XCTest.
    func fulfill() {
        self("fulfill")
    }
}
