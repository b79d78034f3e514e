extension ResponseInterface where Body == Data? {
    /// The body, where there is one.
    ///
    /// - Returns: The body.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``.
    public func unwrapData() throws -> Data {
        guard let data else { throw ResponseError.unexpectedEmptyResponse }
        return data
    }

    /// The body as text.
    ///
    /// - Parameter encoding: The encoding of the text.
    /// - Returns: The text.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse`` or ``ResponseError/failedToDecodeDataToString(encoding:)``.
    public func decodeString(encoding: String.Encoding = .utf8) throws -> String {
        guard let string = encoding.text(of: try unwrapData()) else {
            throw ResponseError.failedToDecodeDataToString(encoding: encoding)
        }
        return string
    }

    /// The body as a JSON object of dictionaries, arrays, strings, numbers and null.
    ///
    /// - Parameter options: The options of `JSONSerialization`.
    /// - Returns: The object.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``, or the error of `JSONSerialization`.
    public func decodeJSONObject(options: JSONSerialization.ReadingOptions = .mutableContainers) throws -> Any {
        try JSONSerialization.jsonObject(with: try unwrapData(), options: options)
    }

    /// Decodes the body from JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: The value.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``, or the decoder's error as it is.
    public func decode<D: Decodable>(_ type: D.Type, using decoder: JSONDecoder = JSONDecoder()) throws -> D {
        try decoder.decodeGuarded(type, from: try unwrapData())
    }

    /// Decodes the body from JSON on the concurrent pool, away from the actor that calls it.
    ///
    /// Use it for large bodies on the main actor, which ``decode(_:using:)`` keeps busy. Cancelling the task does not cut the
    /// decoding short.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: The value.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``, or the decoder's error as it is.
    @concurrent
    public func decodeConcurrently<D: Decodable & Sendable>(
        _ type: D.Type,
        using decoder: sending JSONDecoder = JSONDecoder()
    ) async throws -> D {
        try decode(type, using: decoder)
    }

    /// Decodes the body from JSON, with a strategy for its dates.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - dateDecodingStrategy: How dates are written, such as `.rfc3339`.
    /// - Returns: The value.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``, or the decoder's error as it is.
    public func decode<D: Decodable>(
        _ type: D.Type,
        dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) throws -> D {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dateDecodingStrategy
        return try decode(type, using: decoder)
    }

    /// Decodes the body from JSON, where there is one.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder.
    /// - Returns: The value; `nil` where the response has no body. The JSON value `null` is decoded as any other.
    /// - Throws: The decoder's error as it is.
    public func decodeIfPresent<D: Decodable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> D? {
        guard let data else { return nil }
        return try decoder.decodeGuarded(type, from: data)
    }
}
