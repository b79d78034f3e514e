import PiuPiuFutures

extension ResponseInterface where T == Data? {
    /// The format of dates.
    public typealias DateStrategy = JSONDecoder.DateDecodingStrategy

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
        try decoding { _ in try piuPiuResponse.decodeString(encoding: encoding) }
    }

    /// Decodes the body from JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - dateDecodingStrategy: The format of dates.
    /// - Returns: The value.
    /// - Throws: ``SerializationError``, with the decoder's error as its cause.
    public func decode<D: Decodable>(_ type: D.Type, dateDecodingStrategy: DateStrategy = .rfc3339) throws -> D {
        try decoding { _ in try piuPiuResponse.decode(type, dateDecodingStrategy: dateDecodingStrategy) }
    }

    /// Reads the body as an object.
    ///
    /// - Parameter type: The type to read.
    /// - Returns: The value.
    /// - Throws: ``SerializationError``, with the error of the type as its cause.
    public func decodeMapDecodable<D: MapDecodableBody>(_ type: D.Type) throws -> D {
        try decoding { try D(jsonData: $0, encoding: .utf8) }
    }

    /// Reads the body as an array of objects; unreadable objects are left out.
    ///
    /// - Parameter type: The type to read.
    /// - Returns: The values.
    /// - Throws: ``SerializationError``, with the error of the type as its cause.
    public func decodeMapDecodable<D: MapDecodableBody>(_ type: [D].Type) throws -> [D] {
        try decoding { try D.parseArray(jsonData: $0, failOnError: false) }
    }

    /// Prints the request and the response as Markdown without secrets, in debug builds only.
    public func debug() { piuPiuResponse.debug() }

    private func decoding<D>(_ decode: (Data) throws -> D) throws -> D {
        let data = try unwrapData()
        let result = Result { try decode(data) }
        return try result.mapError { SerializationError.failedToDecodeResponseData(cause: $0) }.get()
    }
}
