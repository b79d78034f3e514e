import PiuPiuAsync

/// How a request has to resemble a recorded one to be answered by it.
///
/// The method, scheme, host, port and path always have to be the same; user information and fragments never count. What a
/// recording has redacted is not compared.
///
/// ```swift
/// var matching = HARMatching.strict
/// matching.headers = ["Accept-Language"]
/// matching.ignoredQueryItems = ["timestamp"]
/// let replayer = HARReplayer(har, matching: matching)
/// ```
public struct HARMatching: Sendable, Hashable {
    /// Whether the query has to have its items in the same order.
    public var comparesQueryOrder: Bool
    /// Names of query items that do not count, such as a time or a random number; in the case in which they are written.
    public var ignoredQueryItems: Set<String>
    /// Names of header fields that have to be the same, or to be missing in both; none by default.
    public var headers: [String]
    /// Whether the body has to be the same.
    ///
    /// JSON is compared by its values, and forms (`multipart/form-data`) without their boundaries; anything else byte by
    /// byte. A body that a tool did not record is not compared.
    ///
    /// Where this is off, exchanges with the same body still go before others.
    public var comparesBody: Bool
    /// Whether the last exchange that matches answers for as long as it is asked.
    ///
    /// Exchanges that match the same request are replayed in their recorded order. When the last was replayed, the next
    /// request gets it again, or else an error with the code ``HARError/Code/usedUp``.
    public var repeatsLast: Bool

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - comparesQueryOrder: Whether the query has to have its items in the same order.
    ///   - ignoredQueryItems: Names of query items that do not count.
    ///   - headers: Names of header fields that have to be the same.
    ///   - comparesBody: Whether the body has to be the same.
    ///   - repeatsLast: Whether the last exchange that matches answers for as long as it is asked.
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

    /// The whole query in its order and the body have to be the same, and every exchange is replayed once.
    public static let strict = HARMatching()

    /// The query may be in another order, the body does not count, and the last exchange that matches is repeated.
    public static let lenient = HARMatching(comparesQueryOrder: false, comparesBody: false, repeatsLast: true)
}
