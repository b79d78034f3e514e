/// The items of all pages of a list, one after another.
///
/// The next page is requested when the items of the previous one are used up.
public struct PageItems<Page: Sendable, Items: Sequence>: AsyncSequence {
    /// An item.
    public typealias Element = Items.Element

    private let pages: Pages<Page>
    private let items: @Sendable (Page) -> Items

    init(_ pages: Pages<Page>, _ items: @escaping @Sendable (Page) -> Items) {
        self.pages = pages
        self.items = items
    }

    /// Creates an iterator.
    ///
    /// - Returns: An iterator, which requests the first page when its first item is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(pages.makeAsyncIterator(), items)
    }

    /// The iterator over the items.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var pages: Pages<Page>.AsyncIterator
        private let items: @Sendable (Page) -> Items
        private var rest: Items.Iterator?

        fileprivate init(_ pages: Pages<Page>.AsyncIterator, _ items: @escaping @Sendable (Page) -> Items) {
            self.pages = pages
            self.items = items
        }

        /// Returns the next item, and requests a page if necessary.
        ///
        /// - Returns: The item; `nil` after the last one, and after an error.
        /// - Throws: The errors of ``Pages/AsyncIterator/next()``.
        public mutating func next() async throws -> Items.Element? {
            while true {
                if let item = rest?.next() { return item }
                rest = nil
                guard let page = try await pages.next() else { return nil }
                rest = items(page.data).makeIterator()
            }
        }

        /// Returns the next item without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The item; `nil` after the last one, and after an error.
        /// - Throws: The errors of ``next()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Items.Element? {
            try await next()
        }
    }
}

extension PageItems: Sendable {}

@available(*, unavailable)
extension PageItems.AsyncIterator: Sendable {}

extension Pages where Page: Sequence {
    /// The items of all pages, one after another.
    public var items: PageItems<Page, Page> { PageItems(self) { $0 } }
}

extension Pages {
    /// Returns the items of all pages, one after another.
    ///
    /// - Parameter items: Returns the items of a page, such as `\.messages`.
    /// - Returns: The items.
    public func items<Items: Sequence>(_ items: @escaping @Sendable (Page) -> Items) -> PageItems<Page, Items> {
        PageItems(self, items)
    }
}

extension PageItems: Redacted {
    /// The pages, without their content.
    package var shown: KeyValuePairs<String, Any> { ["pages": pages] }
}

extension PageItems.AsyncIterator: Redacted {
    /// Nothing, because the iterator holds items.
    package var shown: KeyValuePairs<String, Any> { [:] }
}
