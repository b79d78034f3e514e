extension URL {
    /// Creates a URL from a reference that a server sent, or that a person typed, by RFC 3986 §5.
    ///
    /// ```swift
    /// URL(reference: "/list?filter=%22a%22&ids[]=1", relativeTo: page)  // …/list?filter=%22a%22&ids%5B%5D=1
    /// ```
    ///
    /// Escapes stay as they are, byte for byte, and only what may not stand where it is becomes one. `URL(string:)` would
    /// make `%2522` of the `%22` in the example, because the brackets need escapes. A `%` without two hexadecimal digits
    /// becomes `%25`. A host that is not ASCII is written as `xn--…`. With a base, dot segments such as `..` are removed, also
    /// from an absolute reference. It is `nil` if there is no such URL, as for an empty reference without a base.
    ///
    /// - Parameters:
    ///   - reference: The reference, such as a link in the body of a response.
    ///   - base: The URL that it is relative to, such as ``ResponseHead/url``; `nil` leaves a relative reference relative.
    public init?(reference: String, relativeTo base: URL? = nil) {
        var parsed = URLReference(reference.utf8)
        if let base {
            guard let base = URLReference(base.absoluteString.utf8) else { return nil }
            parsed = parsed?.resolved(against: base)
        }
        guard let url = parsed?.url else { return nil }
        self = url
    }
}
