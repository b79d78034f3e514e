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
