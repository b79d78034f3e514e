/// Names and values for the query of a URL or for a form, in order.
///
/// ```swift
/// let text: String? = nil
/// let query: QueryItems = ["tag": ["swift", "c++"], "page": 2, "search": text]
/// let found = url.appending(query: query)  // …&tag=swift&tag=c%2B%2B&page=2
/// ```
///
/// - The order of the items is kept, and a name may occur more than once.
/// - An array is written as one item for each element, all with the same name; an empty array is left out.
/// - `nil` is left out. For a request of a dispatcher, it also removes the default item of that name.
/// - Any type that conforms to ``QueryValue`` can be a value.
///
/// Its description shows the names only, because values are often secrets.
public struct QueryItems: Sendable, Hashable {
    private struct Item: Sendable, Hashable {
        var name: String
        /// The texts.
        ///
        /// A `nil` element is a name without `=`. If there is no element, the name only removes a default.
        var texts: [String?]
    }

    private var items: [Item] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list from pairs of names and values.
    ///
    /// - Parameter pairs: The pairs, in order.
    public init(_ pairs: some Sequence<(String, (any QueryValue)?)>) {
        for (name, value) in pairs { append(name: name, value: value) }
    }

    /// Creates a list from a dictionary, sorted by name.
    ///
    /// - Parameter dictionary: The names and values.
    public init(_ dictionary: [String: some QueryValue]) {
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { append(name: name, value: value) }
    }

    /// Creates a list from Foundation's items.
    ///
    /// - Parameter items: The items; one without a value is written as its name alone, without `=`.
    public init(_ items: [URLQueryItem]) {
        self.items = items.map { Item(name: $0.name, texts: [$0.value]) }
    }

    /// Whether nothing is written for the list.
    public var isEmpty: Bool { items.allSatisfy(\.texts.isEmpty) }

    /// Appends an item.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value; `nil` is left out.
    public mutating func append(name: String, value: (any QueryValue)?) {
        items.append(Item(name: name, texts: value?.queryTexts ?? []))
    }

    /// The values of a name, in order; empty if there are none.
    ///
    /// - Parameter name: The name; case matters.
    /// - Returns: The values; an item without `=` has an empty value.
    public func values(for name: String) -> [String] {
        items.filter { $0.name == name }.flatMap(\.texts).map { $0 ?? "" }
    }

    /// The first value of a name; `nil` if there is none.
    ///
    /// - Parameter name: The name; case matters.
    public subscript(name: String) -> String? { values(for: name).first }

    /// Returns the items of another list, and those of this list whose names the other lacks.
    ///
    /// A name with the value `nil` in the other list counts as present there.
    ///
    /// - Parameter other: The list that takes precedence.
    /// - Returns: The items of this list, followed by those of the other.
    public func overridden(by other: QueryItems) -> QueryItems {
        excluding(Set(other.items.map(\.name))).appending(other)
    }

    func appending(_ other: QueryItems) -> QueryItems {
        var copy = self
        copy.items += other.items
        return copy
    }

    package func excluding(_ names: Set<String>) -> QueryItems {
        var copy = self
        if !names.isEmpty { copy.items.removeAll { names.contains($0.name) } }
        return copy
    }

    /// The query of a URL without `?`, percent-encoded.
    ///
    /// Unreserved characters (RFC 3986 §2.3) are kept, and everything else is encoded as UTF-8: a space as `%20`, and
    /// `+` as `%2B`, because many servers read it as a space.
    public var percentEncoded: String {
        encoded { PercentEncoding.append($0, to: &$1, keeping: \.isUnreserved) }
    }

    /// The items as the body of a form, by the WHATWG's
    /// [serializer](https://url.spec.whatwg.org/#urlencoded-serializing): a space as `+`, and everything else
    /// percent-encoded except for letters, digits and `*-._`.
    ///
    /// An item without a value is written with `=`.
    public var formEncoded: String {
        encoded(isForm: true) { PercentEncoding.appendToForm($0, to: &$1) }
    }

    private func encoded(isForm: Bool = false, _ append: (String, inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        var isFirst = true
        for item in items {
            for text in item.texts {
                if !isFirst { bytes.append(UInt8(ascii: "&")) }
                isFirst = false
                append(item.name, &bytes)
                if text != nil || isForm { bytes.append(UInt8(ascii: "=")) }
                append(text ?? "", &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension QueryItems: ExpressibleByDictionaryLiteral {
    /// Creates a list from a literal, in the order of the literal.
    ///
    /// - Parameter elements: Names and values; a name may occur more than once, and `nil` is left out.
    public init(dictionaryLiteral elements: (String, (any QueryValue)?)...) {
        self.init(elements)
    }
}

extension QueryItems: Redacted {
    /// The names, without the values.
    package var shown: KeyValuePairs<String, Any> { ["names": items.map(\.name)] }
}
