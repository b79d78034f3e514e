import PiuPiuAsync

/// The rules by which a request matches a recorded one.
///
/// The method, scheme, host, port and path must always be the same; user information and fragments are never compared. Values
/// that were redacted in the recording are not compared either.
///
/// ```swift
/// var matching = HARMatching.strict
/// matching.headers = ["Accept-Language"]
/// matching.ignoredQueryItems = ["timestamp"]
/// let replayer = HARReplayer(har, matching: matching)
/// ```
public struct HARMatching: Sendable, Hashable {
    /// Whether the query items must be in the same order.
    public var comparesQueryOrder: Bool
    /// Names of query items to ignore, such as a time or a random number; the names are case-sensitive.
    public var ignoredQueryItems: Set<String>
    /// Names of header fields that must be equal, or absent in both requests; empty by default.
    public var headers: [String]
    /// Whether the body must be the same.
    ///
    /// JSON is compared by value, forms (`multipart/form-data`) without their boundaries, and everything else byte by
    /// byte. A body that a tool did not record is not compared.
    ///
    /// If this is `false`, exchanges with the same body still take precedence over others.
    public var comparesBody: Bool
    /// Whether the last matching exchange answers all further requests.
    ///
    /// Exchanges that match the same request are replayed in their recorded order. After the last one, the next request gets it
    /// again if this is `true`, and otherwise an error with the code ``HARError/Code/usedUp``.
    public var repeatsLast: Bool

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - comparesQueryOrder: Whether the query items must be in the same order.
    ///   - ignoredQueryItems: Names of query items to ignore.
    ///   - headers: Names of header fields that must be equal.
    ///   - comparesBody: Whether the body must be the same.
    ///   - repeatsLast: Whether the last matching exchange answers all further requests.
    public init(
        comparesQueryOrder: Bool = true,
        ignoredQueryItems: Set<String> = [],
        headers: [String] = [],
        comparesBody: Bool = true,
        repeatsLast: Bool = false
    ) {
        self.comparesQueryOrder = comparesQueryOrder
        self.ignoredQueryItems = ignoredQueryItems
        self.headers = headers
        self.comparesBody = comparesBody
        self.repeatsLast = repeatsLast
    }

    /// The whole query, its order and the body must be the same, and every exchange is replayed once.
    public static let strict = HARMatching()

    /// The query may be in any order, the body is not compared, and the last matching exchange is repeated.
    public static let lenient = HARMatching(comparesQueryOrder: false, comparesBody: false, repeatsLast: true)
}
