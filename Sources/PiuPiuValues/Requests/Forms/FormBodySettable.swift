/// A request whose body can be set to a form: `URLRequest`, and your own types.
public protocol FormBodySettable: HTTPBodySettable {
    /// Sets the content type to `application/x-www-form-urlencoded`, unless the request has one.
    mutating func ensureFormContentType()
}

extension FormBodySettable {
    /// Sets the body to a form, and the content type to `application/x-www-form-urlencoded` unless there is one.
    ///
    /// ```swift
    /// var request = URLRequest(url: url, method: .post)
    /// request.setFormBody(["grant_type": "client_credentials", "scope": ["read", "write"]])
    /// ```
    ///
    /// The body is written as browsers write it, by the WHATWG's
    /// [serializer](https://url.spec.whatwg.org/#urlencoded-serializing); see ``QueryItems/formEncoded``. Newlines are
    /// not normalized.
    ///
    /// - Parameter items: The fields of the form; an array becomes one field for each element, and `nil` is left out.
    public mutating func setFormBody(_ items: QueryItems) {
        httpBody = Data(items.formEncoded.utf8)
        ensureFormContentType()
    }

    /// Sets the body to a value encoded as a form, and the content type to `application/x-www-form-urlencoded` unless
    /// there is one.
    ///
    /// - Parameters:
    ///   - encodable: The value, such as a structure; its properties become the fields of the form.
    ///   - encoder: The encoder, which determines the names of nested values and arrays.
    /// - Throws: ``FormEncodingError``, or the value's own error; the request is then unchanged.
    public mutating func setFormBody(
        encodable: some Encodable,
        encoder: FormURLEncoder = FormURLEncoder()
    ) throws {
        setFormBody(try encoder.items(of: encodable))
    }
}

extension URLRequest: FormBodySettable {
    /// Sets the content type to `application/x-www-form-urlencoded`, unless the request has one.
    public mutating func ensureFormContentType() {
        if value(forHTTPHeaderField: "Content-Type") == nil {
            setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
    }
}
