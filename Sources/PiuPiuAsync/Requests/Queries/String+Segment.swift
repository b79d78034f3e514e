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
