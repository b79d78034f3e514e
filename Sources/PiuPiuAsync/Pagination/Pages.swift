/// The pages of a list that a server sends page by page.
///
/// ```swift
/// for try await post in dispatcher.pages(for: request, of: [Post].self).items {
///     print(post.title)
/// }
/// ```
///
/// Each page is requested on demand: leaving the loop after a page requests no other page, and `prefix(3)` requests three
/// pages. Cancelling the task ends the request and throws `CancellationError`. After an error the sequence is over. Each
/// iteration starts again with the first page.
///
/// **Errors.** A loop throws ``UnacceptableResponseError`` for a response that ``PaginationOptions/validation`` does not
/// accept, ``UndecodableResponseError`` for a page that cannot be decoded, ``ResponseError/unexpectedEmptyResponse`` for
/// one without a body, ``PaginationError`` if the next page must not be requested, the errors of
/// ``DataDispatcher/data(for:)``, and those of the function that makes the next request, unchanged.
///
/// The sequence keeps its dispatcher alive.
public struct Pages<Page: Sendable>: AsyncSequence, Sendable {
    /// A page, with the head of its response.
    public typealias Element = Response<Page>

    private let request: URLRequest
    private let options: PaginationOptions
    private let sensitiveHeaders: [String]
    private let load: @Sendable (URLRequest) async throws -> Response<Page>
    private let next: @Sendable (Response<Page>, PageMachine) throws -> URLRequest?

    init(
        _ request: URLRequest,
        _ options: PaginationOptions,
        sensitiveHeaders: [String],
        load: @escaping @Sendable (URLRequest) async throws -> Response<Page>,
        next: @escaping @Sendable (Response<Page>, PageMachine) throws -> URLRequest?
    ) {
        self.request = request
        self.options = options
        self.sensitiveHeaders = sensitiveHeaders
        self.load = load
        self.next = next
    }

    /// Creates an iterator.
    ///
    /// - Returns: An iterator, which requests the pages on demand.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self, PageMachine(request, options, sensitiveHeaders: sensitiveHeaders))
    }

    /// The iterator over the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The sequence; `nil` after the end.
        private var pages: Pages?
        private var machine: PageMachine
        private var last: Response<Page>?

        fileprivate init(_ pages: Pages, _ machine: PageMachine) {
            self.pages = pages
            self.machine = machine
        }

        /// Requests the next page.
        ///
        /// - Returns: The page; `nil` after the last one, and after an error.
        /// - Throws: ``PaginationError`` if the next page must not be requested, ``UnacceptableResponseError``,
        ///   ``UndecodableResponseError`` with the decoder's error, ``ResponseError/unexpectedEmptyResponse``, the errors of
        ///   the dispatcher and of the function that makes the next request; `CancellationError` if the task is cancelled.
        public mutating func next() async throws -> Response<Page>? {
            guard let pages else { return nil }
            // The sequence is over unless a page arrives.
            self.pages = nil
            try Task.checkCancellation()
            guard let request = try nextRequest(pages) else { return nil }
            let page = try await pages.load(request)
            last = page
            self.pages = pages
            return page
        }

        /// Requests the next page without leaving the caller's actor.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The page; `nil` after the last one, and after an error.
        /// - Throws: The errors of ``next()``.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Response<Page>? {
            try await next()
        }

        private mutating func nextRequest(_ pages: Pages) throws -> URLRequest? {
            guard let page = last.take() else { return machine.begin() }
            return try machine.next(pages.next(page, machine))
        }
    }
}

@available(*, unavailable)
extension Pages.AsyncIterator: Sendable {}

extension DataDispatcher {
    /// Loads a list page by page, along the links of type `next` in the `Link` header field (RFC 8288).
    ///
    /// The next page's request is the previous one with the link's URL: method, header fields and body stay. The list ends
    /// with the first page without such a link.
    ///
    /// - Parameters:
    ///   - request: The request of the first page.
    ///   - type: The type of a page, such as `[Post].self`, decoded from JSON.
    ///   - decoder: The decoder; that of the dispatcher's ``RequestDefaults`` by default.
    ///   - options: Which pages are requested, and which responses count as pages.
    /// - Returns: The pages, which are requested on demand. A loop over them throws the errors that ``Pages``
    ///   lists, such as ``UndecodableResponseError`` for a page that is not JSON.
    public func pages<Page: Decodable & Sendable>(
        for request: URLRequest,
        of type: Page.Type,
        decoder: JSONDecoder? = nil,
        options: PaginationOptions = PaginationOptions()
    ) -> Pages<Page> {
        pages(request, type, decoder, options) { page, machine in
            if let link = page.link("next") { return machine.request(for: link.target) }
            // Otherwise, a list that continues would seem complete.
            if let head = page.head, WebLink.isBroken("next", in: head.bytes(of: "Link"), base: head.url) {
                throw machine.refusal(.invalidNextPage, nil)
            }
            return nil
        }
    }

    /// Loads a list page by page, with a function that makes the next page's request from a page.
    ///
    /// ```swift
    /// let pages = dispatcher.pages(for: request, of: Inbox.self) { page in
    ///     guard let cursor = page.data.cursor, var next = URLComponents(string: "https://example.com/inbox") else { return nil }
    ///     next.queryItems = [URLQueryItem(name: "cursor", value: cursor)]
    ///     return next.url.map { URLRequest(url: $0, method: .get) }
    /// }
    /// for try await message in pages.items(\.messages) { print(message) }
    /// ```
    ///
    /// The request may differ in its URL, its header fields or its body. It is checked like a link: an address from the
    /// server does not get the secrets of another origin.
    ///
    /// - Parameters:
    ///   - request: The request of the first page.
    ///   - type: The type of a page, decoded from JSON.
    ///   - decoder: The decoder; that of the dispatcher's ``RequestDefaults`` by default.
    ///   - options: Which pages are requested, and which responses count as pages.
    ///   - next: Makes the next page's request from the previous page; called when the next page is needed. `nil` ends
    ///     the list.
    /// - Returns: The pages, which are requested on demand. A loop over them throws the errors that ``Pages``
    ///   lists, such as ``UndecodableResponseError`` for a page that is not JSON.
    public func pages<Page: Decodable & Sendable>(
        for request: URLRequest,
        of type: Page.Type,
        decoder: JSONDecoder? = nil,
        options: PaginationOptions = PaginationOptions(),
        next: @escaping @Sendable (_ page: Response<Page>) throws -> URLRequest?
    ) -> Pages<Page> {
        pages(request, type, decoder, options) { page, _ in try next(page) }
    }

    private func pages<Page: Decodable & Sendable>(
        _ request: URLRequest,
        _ type: Page.Type,
        _ decoder: JSONDecoder?,
        _ options: PaginationOptions,
        next: @escaping @Sendable (Response<Page>, PageMachine) throws -> URLRequest?
    ) -> Pages<Page> {
        let decoder = decoder ?? requestDefaults.decoder
        let sensitiveHeaders = requestDefaults.sensitiveHeaders + options.sensitiveHeaders
        return Pages(request, options, sensitiveHeaders: sensitiveHeaders) { page in
            try await Call.leading(elsewhere: Self.isForeign(page, to: request)) {
                let response = try await self.data(for: page).validated(options.validation)
                do {
                    return try response.decoded(type, using: decoder)
                } catch let error as ResponseError {
                    throw error
                } catch {
                    throw UndecodableResponseError(error, decoding: type, from: response)
                }
            }
        } next: {
            try next($0, $1)
        }
    }
}

extension DataDispatcher {
    /// Whether a page has another origin than the first one.
    private static func isForeign(_ page: URLRequest, to first: URLRequest) -> Bool {
        func origin(_ request: URLRequest) -> String? { request.url.flatMap { try? RequestTarget($0).origin } }
        return origin(page) != origin(first)
    }
}

extension Pages: Redacted {
    /// The address of the first page, without query.
    package var shown: KeyValuePairs<String, Any> { ["request": Redaction.standard.location(of: request.url)] }
}

extension Pages.AsyncIterator: Redacted {
    /// The number of pages, without the current one.
    package var shown: KeyValuePairs<String, Any> { ["pageCount": machine.pageCount] }
}
