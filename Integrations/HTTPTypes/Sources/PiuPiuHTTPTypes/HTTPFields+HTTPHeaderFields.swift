public import HTTPTypes
public import PiuPiuAsync

extension HTTPFields {
    /// Creates the same fields, in the same order, with every field of a repeated name.
    ///
    /// Values are encoded as UTF-8. A line break or NUL in a value, which no server can send, becomes a space.
    ///
    /// - Parameter fields: Fields of PiuPiu.
    /// - Throws: `TransportError` with the code `malformedHead` if the name of a field is not a token (RFC 9110 §5.1), and
    ///   `headTooLarge` if there are 65,535 fields or more, which `HTTPFields` cannot hold.
    public init(_ fields: HTTPHeaderFields) throws(TransportError) {
        guard fields.count < UInt16.max else {
            throw TransportError(.headTooLarge, reason: "There are too many header fields: \(fields.count)")
        }
        self.init()
        reserveCapacity(fields.count)
        for field in fields {
            guard let name = HTTPField.Name(field.name) else {
                throw TransportError(.malformedHead, reason: "The name of a header field is not a token")
            }
            append(HTTPField(name: name, lenientValue: Array(field.value.utf8)))
        }
    }
}

extension HTTPHeaderFields {
    /// Creates the same fields, in the same order, with every field of a repeated name.
    ///
    /// A value that is not UTF-8 is read as ISO 8859-1, like those of responses.
    ///
    /// - Parameter fields: Fields of swift-http-types.
    public init(_ fields: HTTPFields) {
        self.init()
        reserveCapacity(fields.count)
        for field in fields { append(name: field.name.rawName, value: field.utf8Value ?? field.latin1Value) }
    }
}

extension HTTPField {
    /// The value; `nil` if its bytes are not UTF-8, which ``value`` would change.
    var utf8Value: String? {
        withUnsafeBytesOfValue { String(validating: $0, as: UTF8.self) }
    }

    /// The value, read as ISO 8859-1.
    fileprivate var latin1Value: String {
        withUnsafeBytesOfValue { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) }
    }
}
