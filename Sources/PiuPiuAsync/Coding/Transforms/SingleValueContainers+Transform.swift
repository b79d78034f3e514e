extension SingleValueDecodingContainer {
    /// Reads the value with a transform.
    ///
    /// - Parameter transform: Makes the value of what is read.
    /// - Returns: The value.
    /// - Throws: `DecodingError` where there is something else than the transform reads, and what the transform throws,
    ///   with the coding path of the container.
    public func decode<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination {
        let json = try DecodingError.locating(at: codingPath) { try decode(T.JSONSource.self) }
        return try transform.from(json: json, codingPath: codingPath)
    }

    /// Reads the value with a transform, where there is one.
    ///
    /// - Parameter transform: Makes the value of what is read.
    /// - Returns: The value, `nil` for `null`.
    /// - Throws: `DecodingError` where there is something else than the transform reads, and what the transform throws,
    ///   with the coding path of the container.
    public func decodeIfPresent<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination? {
        decodeNil() ? nil : .some(try decode(using: transform))
    }

    /// Reads the value with a transform that can give none, where there is one.
    ///
    /// - Parameter transform: Makes the value of what is read.
    /// - Returns: The value, `nil` for `null` and where the transform gives `nil`.
    /// - Throws: `DecodingError` where there is something else than the transform reads, and what the transform throws,
    ///   with the coding path of the container.
    public func decodeIfPresent<T: DecodingTransform, Value>(
        using transform: T
    ) throws -> Value? where T.ValueDestination == Value? {
        decodeNil() ? nil : try decode(using: transform)
    }
}

extension SingleValueEncodingContainer {
    /// Writes a value with a transform.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - transform: Makes of the value what is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` where the encoder cannot write that, and what the transform throws, with the coding path
    ///   of the container.
    public mutating func encode<T: EncodingTransform>(_ value: T.ValueSource, using transform: T) throws {
        try encode(transform.toJSON(value, codingPath: codingPath))
    }

    /// Writes a value with a transform, and `null` where there is none.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil`.
    ///   - transform: Makes of the value what is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` where the encoder cannot write that, and what the transform throws, with the coding path
    ///   of the container.
    public mutating func encodeIfPresent<T: EncodingTransform>(_ value: T.ValueSource?, using transform: T) throws {
        guard let value else { return try encodeNil() }
        try encode(value, using: transform)
    }

    /// Writes a value with a transform that also takes none, and `null` where there is none.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil`.
    ///   - transform: Makes of the value what is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` where the encoder cannot write that, and what the transform throws, with the coding path
    ///   of the container.
    public mutating func encodeIfPresent<T: EncodingTransform, Value>(
        _ value: Value?,
        using transform: T
    ) throws where T.ValueSource == Value? {
        guard let value else { return try encodeNil() }
        try encode(value, using: transform)
    }
}
