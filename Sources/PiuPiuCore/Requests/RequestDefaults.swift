/// The defaults of requests that a dispatcher makes from a path.
///
/// ```swift
/// var configuration = URLRequestDispatcher.Configuration()
/// configuration.baseURL = URL(string: "https://api.example.com/v1")
/// configuration.defaultQuery = ["locale": "en"]
/// configuration.additionalHeaders[.userAgent] = "Reader/1.0"
/// configuration.requestDefaults.decoder.dateDecodingStrategy = .rfc3339
/// let api = URLRequestDispatcher(configuration: configuration)
/// ```
///
/// They apply to functions that take a path, such as ``DataDispatcher/get(_:query:headers:options:as:)`` and
/// ``DataDispatcher/request(_:_:query:headers:body:)``, and not to your own `URLRequest`. The latter function only makes a
/// request: ``validation``, ``decoder`` and `Accept: application/json` belong to the functions that send one.
public struct RequestDefaults: Sendable {
    /// The server, and the part of the path that all requests share; `nil` if requests have absolute URLs.
    ///
    /// It has no user information, no query and no fragment. Secrets in
    /// ``URLRequestDispatcher/Configuration/additionalHeaders`` are added only to requests to its origin.
    public var baseURL: URL?
    /// Whether a text that is an absolute URL, or begins with `//`, may replace the base URL; `false` by default.
    ///
    /// A text from outside could send a request and its secrets to any server (CVE-2025-27152,
    /// CVE-2024-39338). If it is allowed, ``query`` is left out for other origins.
    public var allowsAbsoluteURLs: Bool
    /// Items that are added to the query of each request to the base URL's origin.
    ///
    /// An item of the same name in the request replaces all default items of that name, and `nil` removes them. Without
    /// a base URL, they are added to every request.
    public var query: QueryItems
    /// The responses that are accepted; 1xx, 2xx and 3xx with any content by default.
    public var validation: Validation
    /// The encoder of JSON bodies.
    ///
    /// Copies of the defaults share it. Do not change it while requests are made.
    public var encoder: JSONEncoder
    /// The decoder of the functions that take a path and return a value, and of pages.
    ///
    /// `decode` of a response or of an error does not use it: pass it as `using:`. Copies of the defaults share it. Do not
    /// change it while requests are in progress.
    public var decoder: JSONDecoder

    /// The dispatcher's names of secret header fields, in addition to the standard ones.
    package var sensitiveHeaders: [String] = []
    /// Whether the dispatcher adds an `Accept` field to requests that have none.
    package var hasAccept = false

    /// Creates defaults.
    ///
    /// - Parameters:
    ///   - baseURL: The server, and the part of the path that all requests share.
    ///   - allowsAbsoluteURLs: Whether an absolute URL may replace the base URL.
    ///   - query: Items that are added to the query of each request.
    ///   - validation: The responses that are accepted.
    ///   - encoder: The encoder of JSON bodies.
    ///   - decoder: The decoder of values and pages.
    public init(
        baseURL: URL? = nil,
        allowsAbsoluteURLs: Bool = false,
        query: QueryItems = [:],
        validation: Validation = .default,
        encoder: JSONEncoder = JSONEncoder(),
        decoder: JSONDecoder = JSONDecoder()
    ) {
        self.baseURL = baseURL
        self.allowsAbsoluteURLs = allowsAbsoluteURLs
        self.query = query
        self.validation = validation
        self.encoder = encoder
        self.decoder = decoder
    }

    /// Makes the URL of a request.
    ///
    /// With a base URL, the text is appended to its path, with one slash between them:
    ///
    /// | Base URL | Text | URL |
    /// |---|---|---|
    /// | `https://api.example.com/v1` | `/posts`, `posts` | `https://api.example.com/v1/posts` |
    /// | `https://api.example.com/v1/` | `/posts/` | `https://api.example.com/v1/posts/` |
    /// | `https://api.example.com/v1` | `/posts?page=2` | `https://api.example.com/v1/posts?page=2` |
    /// | `https://api.example.com/v1` | `/a/../b c` | `https://api.example.com/v1/b%20c` |
    /// | `https://api.example.com/v1` | an empty text | `https://api.example.com/v1` |
    ///
    /// - Escapes such as `%2F` are kept, and characters that a URL cannot contain are percent-encoded. A `%` that does
    ///   not begin an escape is refused; write `%25`. `\(segment:)` encodes a value as one segment.
    /// - `..` cannot leave the path of the base URL. Segments that are `.` or `..` to some servers only, such as
    ///   `%2e%2e`, `..%2f` and `..;`, are refused, and so are backslashes, and empty segments as in `/posts//1`.
    /// - A query in the text is kept and precedes `query`. Items of the same name are both sent. (httpx and ky
    ///   drop the text's query in favour of the argument.)
    /// - A fragment is refused, because it is never sent; write `%23`.
    /// - An absolute URL and a text that begins with `//` are refused unless ``allowsAbsoluteURLs`` is `true`.
    ///
    /// Without a base URL, the text is an absolute `http` or `https` URL without user information.
    ///
    /// - Parameters:
    ///   - path: The path, or an absolute URL.
    ///   - query: Items to add to the query.
    /// - Returns: The URL.
    /// - Throws: ``RequestPathError``.
    public func url(_ path: String, query: QueryItems = [:]) throws -> URL {
        let target = try PathTarget(path, base: baseURL, allowsAbsoluteURLs: allowsAbsoluteURLs)
        guard target.takesDefaults, !self.query.isEmpty else { return target.url.appending(query: query) }
        return target.url.appending(query: self.query.excluding(target.queryNames).overridden(by: query))
    }
}

extension RequestDefaults: Redacted {
    /// The base URL and the names of the query's items.
    package var shown: KeyValuePairs<String, Any> {
        ["baseURL": Redaction.standard.location(of: baseURL), "query": query]
    }
}
