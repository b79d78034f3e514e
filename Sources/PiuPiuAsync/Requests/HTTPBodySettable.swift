/// A request whose body can be set to text or JSON: `URLRequest`, and your own types.
public protocol HTTPBodySettable {
    /// The body; `nil` if there is none.
    var httpBody: Data? { get set }

    /// Sets the content type to `application/json`, unless the request has one.
    mutating func ensureJSONContentType()
}

extension URLRequest: HTTPBodySettable {
    /// Sets the content type to `application/json`, unless the request has one.
    public mutating func ensureJSONContentType() {
        if value(forHTTPHeaderField: "Content-Type") == nil {
            setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
    }
}
