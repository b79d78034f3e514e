extension ResponseInterface where Body == Data? {
    /// Returns the body, if there is one.
    ///
    /// - Returns: The body.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``.
    public func unwrapData() throws -> Data {
        guard let data else { throw ResponseError.unexpectedEmptyResponse }
        return data
    }

    /// Returns the body as text.
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

    /// Returns the body as text, in the encoding that the server specifies.
    ///
    /// A byte order mark determines the encoding, or else the `charset` in the field `Content-Type`, according to the labels of
    /// the WHATWG [Encoding Standard](https://encoding.spec.whatwg.org). Without either, or with an unknown label, it is UTF-8.
    /// The characters are those of the standard's indexes, as in browsers.
    ///
    /// ```swift
    /// let page = try await dispatcher.data(from: url).validated().decodeText()
    /// ```
    ///
    /// - Parameter isStrict: Whether invalid text is an error. By default, it becomes U+FFFD.
    /// - Returns: The text; empty if there is no body.
    /// - Throws: ``UnsupportedCharsetError`` for encodings that the standard does not support, such as `iso-2022-kr`, for
    ///   `x-user-defined`, and for those whose table on the platform differs from the standard's;
    ///   ``ResponseError/failedToDecodeDataToString(encoding:)`` if `isStrict` is `true`.
    public func decodeText(isStrict: Bool = false) throws -> String {
        let data = data ?? Data()
        let field = (urlResponse as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Type")
        let charset = field?.charset
        let (encoding, markLength) = TextEncoding.sniff(data, label: charset)
        guard encoding.isOffered else { throw UnsupportedCharsetError(charset: charset ?? "") }
        guard let text = encoding.text(of: data.dropFirst(markLength), isRepaired: !isStrict) else {
            throw ResponseError.failedToDecodeDataToString(encoding: encoding.encoding)
        }
        return text
    }

    /// Returns the body as a JSON object of dictionaries, arrays, strings, numbers and null.
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
    ///   - decoder: The decoder; not that of the dispatcher's ``RequestDefaults`` unless you pass it.
    /// - Returns: The value.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``, or the decoder's error unchanged.
    public func decode<D: Decodable>(_ type: D.Type, using decoder: JSONDecoder = JSONDecoder()) throws -> D {
        try decoder.decodeGuarded(type, from: try unwrapData())
    }

    /// Decodes the body from JSON on the concurrent pool instead of the calling actor.
    ///
    /// Use it for large bodies on the main actor, which ``decode(_:using:)`` would block. Cancelling the task does not
    /// interrupt the decoding.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder; not that of the dispatcher's ``RequestDefaults`` unless you pass it.
    /// - Returns: The value.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``, or the decoder's error unchanged.
    @concurrent
    public func decodeConcurrently<D: Decodable & Sendable>(
        _ type: D.Type,
        using decoder: sending JSONDecoder = JSONDecoder()
    ) async throws -> D {
        try decode(type, using: decoder)
    }

    /// Decodes the body from JSON, with a date decoding strategy.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - dateDecodingStrategy: The format of dates, such as `.rfc3339`.
    /// - Returns: The value.
    /// - Throws: ``ResponseError/unexpectedEmptyResponse``, or the decoder's error unchanged.
    public func decode<D: Decodable>(
        _ type: D.Type,
        dateDecodingStrategy: JSONDecoder.DateDecodingStrategy
    ) throws -> D {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dateDecodingStrategy
        return try decode(type, using: decoder)
    }

    /// Decodes the body from JSON, if there is one.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder; not that of the dispatcher's ``RequestDefaults`` unless you pass it.
    /// - Returns: The value; `nil` if the response has no body. The JSON value `null` is decoded like any other value.
    /// - Throws: The decoder's error unchanged.
    public func decodeIfPresent<D: Decodable>(
        _ type: D.Type,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> D? {
        guard let data else { return nil }
        return try decoder.decodeGuarded(type, from: data)
    }
}
