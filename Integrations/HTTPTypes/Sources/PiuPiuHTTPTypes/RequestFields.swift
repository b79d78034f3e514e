import HTTPTypes
import PiuPiuAsync

/// The header fields of a request, as `URLRequest` has them: one value for each name.
enum RequestFields {
    /// Combines the fields of each name.
    ///
    /// `Host` is left out, because it is a part of the URL.
    ///
    /// - Parameter fields: The fields.
    /// - Returns: The values by their names, which are spelled like the first field of that name.
    /// - Throws: `TransportError` with the code `invalidRequest` if a field that is not a list occurs more than once, or a
    ///   value is not UTF-8.
    static func combined(_ fields: HTTPFields) throws(TransportError) -> [String: String] {
        var values: [HTTPField.Name: (spelling: String, value: String)] = [:]
        for field in fields where !field.name.isHost {
            let name = field.name
            guard let value = field.utf8Value else {
                throw TransportError(.invalidRequest, reason: "The value of \(name) is not UTF-8, and cannot be sent")
            }
            guard values[name] != nil else {
                values[name] = (name.rawName, value)
                continue
            }
            guard !isSingular(name) else {
                throw TransportError(.invalidRequest, reason: "\(name) may occur only once (RFC 9110 §5.3)")
            }
            // In place: a name may have tens of thousands of fields.
            values[name]?.value.append(name == .cookie ? "; " : ", ")
            values[name]?.value.append(value)
        }
        return Dictionary(values.values.map { ($0.spelling, $0.value) }) { first, _ in first }
    }

    /// Whether a field has a single value, so that two of them cannot become one (RFC 9110 §5.3).
    private static func isSingular(_ name: HTTPField.Name) -> Bool {
        singular.contains(name.canonicalName)
    }

    /// The names of fields that are not lists, in lower case.
    private static let singular: Set<String> = [
        // Credentials, and for whom they are.
        "authorization", "proxy-authorization", "origin", "referer", "from", "user-agent", "idempotency-key",
        // The content.
        "content-disposition", "content-length", "content-location", "content-md5", "content-range", "content-type",
        // Conditions and control data.
        "date", "if-modified-since", "if-range", "if-unmodified-since", "last-event-id", "max-forwards", "range",
        "access-control-request-method", "upgrade-insecure-requests", "dnt",
        // Fields of responses, which a request may repeat. A cookie that is set can contain a comma.
        "age", "etag", "expires", "last-modified", "location", "retry-after", "server", "set-cookie",
    ]
}
