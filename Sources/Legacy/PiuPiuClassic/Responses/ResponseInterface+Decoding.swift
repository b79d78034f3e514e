import PiuPiuFutures

extension ResponseInterface where T == Data? {
    /// Returns the body, if there is one.
    ///
    /// - Returns: The body.
    /// - Throws: ``SerializationError/unexpectedEmptyResponse``.
    public func unwrapData() throws -> Data {
        guard let data else { throw SerializationError.unexpectedEmptyResponse }
        return data
    }

    /// Returns the body as text.
    ///
    /// - Parameter encoding: The encoding of the text.
    /// - Returns: The text.
    /// - Throws: ``SerializationError``.
    public func decodeString(encoding: String.Encoding = .utf8) throws -> String {
        guard let text = encoding.text(of: try unwrapData()) else {
            throw SerializationError.failedToDecodeResponseData(cause: nil)
        }
        return text
    }

    /// Returns the body as a JSON object of dictionaries, arrays, strings, numbers and null.
    ///
    /// - Parameter options: The options of `JSONSerialization`.
    /// - Returns: The object.
    /// - Throws: ``SerializationError``.
    public func decodeJSONObject(options: JSONSerialization.ReadingOptions = .mutableContainers) throws -> Any {
        try decoding { try JSONSerialization.jsonObject(with: $0, options: options) }
    }

    /// Decodes the body from JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - dateDecodingStrategy: The format of dates.
    /// - Returns: The value.
    /// - Throws: ``SerializationError``, with the decoder's error as the cause.
    public func decode<D: Decodable>(
        _ type: D.Type,
        dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .rfc3339
    ) throws -> D {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dateDecodingStrategy
        return try decoding { try decoder.decodeGuarded(type, from: $0) }
    }

    /// Prints the request and the response as Markdown, with credentials and cookies replaced.
    public func debug() {
        printRequest()
        printResponse()
    }

    /// Prints the request as Markdown, with credentials and cookies replaced.
    public func printRequest() {
        // Printing is the purpose of this method and the next one.
        print(MessageMarkdown.text(of: urlRequest))
    }

    /// Prints the response as Markdown, with cookies replaced.
    public func printResponse() {
        print(MessageMarkdown.text(of: urlRequest, head: ResponseHead(httpResponse), body: data))
    }

    private func decoding<Value>(_ decode: (Data) throws -> Value) throws -> Value {
        let data = try unwrapData()
        do {
            return try decode(data)
        } catch {
            throw SerializationError.failedToDecodeResponseData(cause: error)
        }
    }
}
