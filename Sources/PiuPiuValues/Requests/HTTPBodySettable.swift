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

// The functions that begin with `setHTTPBody` do not change the content type. If encoding throws, the request is
// unchanged.
extension HTTPBodySettable {
    /// Sets the body to a text.
    ///
    /// If the text cannot be encoded, the body becomes `nil`.
    ///
    /// - Parameters:
    ///   - string: The text.
    ///   - encoding: The encoding.
    public mutating func setHTTPBody(string: String, encoding: String.Encoding = .utf8) {
        httpBody = encoding.data(of: string)
    }

    /// Sets the body to a JSON object.
    ///
    /// - Parameters:
    ///   - jsonObject: The object; `nil` is written as `null`.
    ///   - options: The options of `JSONSerialization`.
    /// - Throws: `EncodingError` for a value that JSON cannot express; the request is then unchanged.
    public mutating func setHTTPBody(
        jsonObject: [String: Any?],
        options: JSONSerialization.WritingOptions = []
    ) throws {
        httpBody = try JSONObject.data(of: jsonObject, options: options)
    }

    /// Sets the body to an array of JSON objects.
    ///
    /// - Parameters:
    ///   - jsonArray: The objects; `nil` is written as `null`.
    ///   - options: The options of `JSONSerialization`.
    /// - Throws: `EncodingError` for a value that JSON cannot express; the request is then unchanged.
    public mutating func setHTTPBody(
        jsonArray: [[String: Any?]],
        options: JSONSerialization.WritingOptions = []
    ) throws {
        httpBody = try JSONObject.data(of: jsonArray, options: options)
    }
}

// The functions that begin with `setJSONBody` also call `ensureJSONContentType()`. If encoding throws, the request is
// unchanged.
extension HTTPBodySettable {
    /// Sets the body to a value encoded as JSON, and the content type to JSON unless there is one.
    ///
    /// - Parameters:
    ///   - encodable: The value.
    ///   - encoder: The encoder.
    /// - Throws: The encoder's error; the request is then unchanged.
    public mutating func setJSONBody<T: Encodable>(encodable: T, encoder: JSONEncoder = JSONEncoder()) throws {
        httpBody = try encoder.encode(encodable)
        ensureJSONContentType()
    }

    /// Sets the body to a value encoded as JSON, and the content type to JSON unless there is one.
    ///
    /// - Parameters:
    ///   - encodable: The value.
    ///   - encoder: The encoder.
    /// - Throws: The encoder's error; the request is then unchanged.
    public mutating func setJSONBody<T: Encodable>(_ encodable: T, encoder: JSONEncoder = JSONEncoder()) throws {
        try setJSONBody(encodable: encodable, encoder: encoder)
    }

    /// Sets the body to a value encoded as JSON, and the content type to JSON unless there is one.
    ///
    /// - Parameters:
    ///   - encodable: The value.
    ///   - dateEncodingStrategy: The format of dates, such as `.rfc3339`.
    /// - Throws: The encoder's error; the request is then unchanged.
    public mutating func setJSONBody<T: Encodable>(
        encodable: T,
        dateEncodingStrategy: JSONEncoder.DateEncodingStrategy
    ) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = dateEncodingStrategy
        try setJSONBody(encodable: encodable, encoder: encoder)
    }

    /// Sets the body to a value encoded as JSON, and the content type to JSON unless there is one.
    ///
    /// - Parameters:
    ///   - encodable: The value.
    ///   - dateEncodingStrategy: The format of dates, such as `.rfc3339`.
    /// - Throws: The encoder's error; the request is then unchanged.
    public mutating func setJSONBody<T: Encodable>(
        _ encodable: T,
        dateEncodingStrategy: JSONEncoder.DateEncodingStrategy
    ) throws {
        try setJSONBody(encodable: encodable, dateEncodingStrategy: dateEncodingStrategy)
    }

    /// Sets the body to a JSON text, and the content type to JSON unless there is one.
    ///
    /// The text is not checked. If it cannot be encoded, the body becomes `nil`.
    ///
    /// - Parameters:
    ///   - string: The JSON text.
    ///   - encoding: The encoding; RFC 8259 §8.1 requires UTF-8.
    public mutating func setJSONBody(string: String, encoding: String.Encoding = .utf8) {
        setHTTPBody(string: string, encoding: encoding)
        if httpBody != nil { ensureJSONContentType() }
    }

    /// Sets the body to a JSON object, and the content type to JSON unless there is one.
    ///
    /// - Parameters:
    ///   - jsonObject: The object; `nil` is written as `null`.
    ///   - options: The options of `JSONSerialization`.
    /// - Throws: `EncodingError` for a value that JSON cannot express; the request is then unchanged.
    public mutating func setJSONBody(
        jsonObject: [String: Any?],
        options: JSONSerialization.WritingOptions = []
    ) throws {
        try setHTTPBody(jsonObject: jsonObject, options: options)
        ensureJSONContentType()
    }

    /// Sets the body to an array of JSON objects, and the content type to JSON unless there is one.
    ///
    /// - Parameters:
    ///   - jsonArray: The objects; `nil` is written as `null`.
    ///   - options: The options of `JSONSerialization`.
    /// - Throws: `EncodingError` for a value that JSON cannot express; the request is then unchanged.
    public mutating func setJSONBody(
        jsonArray: [[String: Any?]],
        options: JSONSerialization.WritingOptions = []
    ) throws {
        try setHTTPBody(jsonArray: jsonArray, options: options)
        ensureJSONContentType()
    }
}
