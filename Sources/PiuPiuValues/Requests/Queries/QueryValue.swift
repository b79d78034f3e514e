/// A value that can be written in a query or a form: text, numbers, Booleans, dates, arrays, and your own types.
///
/// A `RawRepresentable` type needs no code:
///
/// ```swift
/// enum SortOrder: String, QueryValue {
///     case newest, oldest
/// }
/// let posts: [Post] = try await dispatcher.get("/posts", query: ["sort": SortOrder.newest, "page": 2])
/// ```
///
/// | Type | Text |
/// |---|---|
/// | `String`, `Substring`, `Character` | as it is |
/// | integers, `Double`, `Float`, `Decimal` | as Swift describes them, such as `2`, `2.5` and `1e+20` |
/// | `Bool` | `true` or `false` |
/// | `Date` | RFC 3339 in UTC and whole seconds, such as `2018-04-12T23:20:50Z` |
/// | `UUID`, `URL` | the UUID in upper case; the absolute URL |
/// | `Array` | the texts of its elements, each with the name of the array |
public protocol QueryValue: Sendable {
    /// The texts of the value: one for most values, any number for an array; without one, the name is not written.
    var queryTexts: [String] { get }
}

extension QueryValue where Self: RawRepresentable, RawValue: QueryValue {
    /// The texts of the raw value.
    public var queryTexts: [String] { rawValue.queryTexts }
}

extension QueryValue where Self: CustomStringConvertible {
    /// The description of the value.
    public var queryTexts: [String] { [description] }
}

extension QueryValue where Self: RawRepresentable & CustomStringConvertible, RawValue: QueryValue {
    /// The texts of the raw value.
    public var queryTexts: [String] { rawValue.queryTexts }
}

extension String: QueryValue {}
extension Substring: QueryValue {}
extension Character: QueryValue {}
extension Bool: QueryValue {}
extension Int: QueryValue {}
extension Int8: QueryValue {}
extension Int16: QueryValue {}
extension Int32: QueryValue {}
extension Int64: QueryValue {}
extension UInt: QueryValue {}
extension UInt8: QueryValue {}
extension UInt16: QueryValue {}
extension UInt32: QueryValue {}
extension UInt64: QueryValue {}
extension Double: QueryValue {}
extension Float: QueryValue {}
extension Decimal: QueryValue {}

extension UUID: QueryValue {
    /// The UUID in upper case.
    public var queryTexts: [String] { [uuidString] }
}

extension URL: QueryValue {
    /// The absolute URL.
    public var queryTexts: [String] { [absoluteString] }
}

extension Date: QueryValue {
    /// The date in the format of RFC 3339; for a date outside the years 0000 to 9999, its seconds since 1970.
    public var queryTexts: [String] { [RFC3339.string(from: self) ?? "\(timeIntervalSince1970)"] }
}

extension Array: QueryValue where Element: QueryValue {
    /// The texts of the elements.
    public var queryTexts: [String] { flatMap(\.queryTexts) }
}

extension String.StringInterpolation {
    /// Appends a value as one segment of a path, percent-encoded.
    ///
    /// ```swift
    /// let name = "swift/vapor"
    /// let topic: Topic = try await dispatcher.get("/topics/\(segment: name)")  // …/topics/swift%2Fvapor
    /// ```
    ///
    /// Only unreserved characters (RFC 3986 §2.3) are kept, so that a value from outside cannot add segments, a query
    /// or a fragment. The segments `.` and `..` are encoded too, and a dispatcher refuses to send them.
    ///
    /// - Parameter value: The value; an array is not separated.
    public mutating func appendInterpolation(segment value: some QueryValue) {
        let text = value.queryTexts.joined()
        var bytes: [UInt8] = []
        let isDots = text == "." || text == ".."
        PercentEncoding.append(text, to: &bytes) { $0.isUnreserved && !isDots }
        appendLiteral(String(decoding: bytes, as: UTF8.self))
    }
}
