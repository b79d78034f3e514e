/// Encodes values as `application/x-www-form-urlencoded`, or as the items of a query.
///
/// ```swift
/// struct Search: Encodable {
///     var text: String
///     var tags: [String]
///     var page: Int?
/// }
/// let search = Search(text: "a b", tags: ["x", "y"])
/// let items = try FormURLEncoder().items(of: search)
/// let found = url.appending(query: items)  // …&text=a%20b&tags=x&tags=y
/// ```
///
/// | Value | Fields |
/// |---|---|
/// | structure in a structure | `user[name]=Ada`, or `user.name=Ada` |
/// | array | `tags=x&tags=y`, `tags[]=x&tags[]=y`, or `tags[0]=x&tags[1]=y`; an empty one is left out |
/// | array of structures or arrays | `users[0][name]=Ada` with ``ArrayFormat/indexed``, otherwise an error |
/// | `nil` | left out |
/// | `Bool` | `true` or `false` |
/// | `Date` | RFC 3339 in UTC and whole seconds, or the seconds since 1970 |
/// | `Data` | Base64 |
/// | `URL`, `Decimal` | their text |
/// | a number that is infinite or not a number | an error |
///
/// Fields have the order in which the value encodes its properties; those of a dictionary have none.
public struct FormURLEncoder: Sendable, Hashable {
    /// How the elements of an array are named.
    public enum ArrayFormat: Sendable, Hashable {
        /// With the name of the array: `tags=x&tags=y`.
        case repeated
        /// With brackets after the name, as PHP and Rails expect: `tags[]=x&tags[]=y`.
        case brackets
        /// With the index of the element: `tags[0]=x&tags[1]=y`, or `tags.0=x` with ``NestingFormat/dots``.
        case indexed
    }

    /// How nested values are named.
    public enum NestingFormat: Sendable, Hashable {
        /// With the key in brackets: `user[name]=Ada`.
        case brackets
        /// With the key after a dot: `user.name=Ada`.
        case dots
    }

    /// How dates are written.
    public enum DateFormat: Sendable, Hashable {
        /// As RFC 3339 §5.6 in UTC and whole seconds: `2018-04-12T23:20:50Z`.
        case rfc3339
        /// As the seconds since 1970, without a fraction: `1523575250`.
        case secondsSince1970
    }

    /// How the elements of an array are named.
    public var arrays: ArrayFormat
    /// How nested values are named.
    public var nesting: NestingFormat
    /// How dates are written.
    public var dates: DateFormat

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - arrays: How the elements of an array are named.
    ///   - nesting: How nested values are named.
    ///   - dates: How dates are written.
    public init(arrays: ArrayFormat = .repeated, nesting: NestingFormat = .brackets, dates: DateFormat = .rfc3339) {
        self.arrays = arrays
        self.nesting = nesting
        self.dates = dates
    }

    /// Encodes a value as names and values.
    ///
    /// - Parameter value: A structure, a class or a dictionary with keys that are text.
    /// - Returns: The items, for a query or a form.
    /// - Throws: ``FormEncodingError``, or the value's own error.
    public func items(of value: some Encodable) throws -> QueryItems {
        let fields = FormFields()
        try FormPlace(format: self, fields: fields).encode(value)
        if let error = fields.error { throw error }
        return fields.items
    }

    /// Encodes a value as the body of a form.
    ///
    /// - Parameter value: A structure, a class or a dictionary with keys that are text.
    /// - Returns: The body.
    /// - Throws: ``FormEncodingError``, or the value's own error.
    public func encode(_ value: some Encodable) throws -> Data {
        Data(try items(of: value).formEncoded.utf8)
    }
}
