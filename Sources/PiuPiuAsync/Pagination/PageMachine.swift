/// Decides on the request of the next page: a pure value.
///
///     first ──▶ page ── next ──▶ page … ── next(nil) or an error ──▶ over
///
/// A next page is refused, in this order, if its URL cannot be requested, if it loses encryption, if it has another
/// origin, if its request was sent before, or if there were enough pages.
struct PageMachine {
    private let options: PaginationOptions
    private let redaction: Redaction
    private let first: URLRequest
    private var current: URLRequest
    /// Hashes of the requests that were sent: eight bytes each, and at most as many as pages are allowed.
    private var visited: Set<Int> = []
    /// The number of pages requested so far.
    private(set) var pageCount = 0

    init(_ request: URLRequest, _ options: PaginationOptions, sensitiveHeaders: [String]) {
        first = request
        current = request
        self.options = options
        redaction = Redaction.standard.hiding(sensitiveHeaders)
    }

    /// Begins with the first page; returns its request.
    mutating func begin() -> URLRequest {
        pageCount = 1
        visited.insert(Self.key(of: first))
        return first
    }

    /// Returns the current page's request with another URL, for a link from the current page.
    ///
    /// It has the user information of the current request if the origin is the same, and otherwise none.
    func request(for target: URL) -> URLRequest {
        guard let url = current.url else { return URLRequest(url: target) }
        var reference = URLReference(target.absoluteString.utf8)
        let isSameOrigin = Self.origin(of: url) == Self.origin(of: target)
        reference?.userInformation = isSameOrigin ? URLReference(url.absoluteString.utf8)?.userInformation : nil
        var request = current
        request.url = reference?.url ?? target
        return request
    }

    /// Checks the next page's request, and removes the secrets of another origin; `nil` if there is no other page.
    mutating func next(_ candidate: URLRequest?) throws(PaginationError) -> URLRequest? {
        guard var request = candidate else { return nil }
        guard let url = request.url, let target = try? RequestTarget(url) else { throw refusal(.invalidNextPage, nil) }
        let source = current.url.flatMap { try? RequestTarget($0) }
        guard target.isSecure || source?.isSecure != true else { throw refusal(.insecureNextPage, url) }
        guard target.origin == source?.origin || options.allowsOtherOrigins else {
            throw refusal(.foreignNextPage, url)
        }
        removeSecrets(from: &request, for: target.origin)
        let isNew = visited.insert(Self.key(of: request)).inserted
        guard isNew else { throw refusal(.repeatedPage, url) }
        guard pageCount < max(1, options.maximumPages) else { throw refusal(.tooManyPages, url) }
        pageCount += 1
        current = request
        return request
    }

    /// Removes the secrets that were meant for the first or the current origin, if the page has another one.
    ///
    /// Consecutive pages of another origin are no exception: the caller may make each request from the first one. A field
    /// to which the caller gave another value for this page stays.
    private func removeSecrets(from request: inout URLRequest, for origin: String) {
        let sources = [first, current].filter { source in
            guard let url = source.url else { return true }
            return Self.origin(of: url) != origin
        }
        guard !sources.isEmpty else { return }
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            guard redaction.isSensitive(name) || Self.originBound.contains(name.lowercased()) else { continue }
            guard sources.contains(where: { $0.value(forHTTPHeaderField: name) == value }) else { continue }
            request.setValue(nil, forHTTPHeaderField: name)
        }
        guard let url = request.url, url.user != nil || url.password != nil else { return }
        request.url = redaction.url(url)
    }

    /// Fields other than the secrets that are meaningful only for one origin.
    private static let originBound: Set<String> = ["host", "origin", "referer"]

    func refusal(_ code: PaginationError.Code, _ url: URL?) -> PaginationError {
        PaginationError(code: code, nextPage: url.map { redaction.location(of: $0) } ?? "", pageCount: pageCount)
    }

    private static func origin(of url: URL) -> String? {
        (try? RequestTarget(url))?.origin
    }

    /// The hash of everything that distinguishes a request from others: cursors may be in the URL, a field or the body.
    private static func key(of request: URLRequest) -> Int {
        var hasher = Hasher()
        hasher.combine(request.httpMethod ?? "GET")
        hasher.combine(request.url.flatMap { try? RequestTarget($0) }?.url ?? request.url?.absoluteString)
        for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            hasher.combine(name)
            hasher.combine(value)
        }
        hasher.combine(request.httpBody)
        return hasher.finalize()
    }
}
