extension SingleValueDecodingContainer {
    /// Reads the value with a transform.
    ///
    /// - Parameter transform: Converts the JSON value that is read.
    /// - Returns: The value.
    /// - Throws: `DecodingError` if the value has another type than the transform reads, and the errors of the
    ///   transform, with the coding path of the container.
    public func decode<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination {
        let json = try DecodingError.locating(at: codingPath) { try decode(T.JSONSource.self) }
        return try transform.from(json: json, codingPath: codingPath)
    }

    /// Reads the value with a transform, if there is one.
    ///
    /// - Parameter transform: Converts the JSON value that is read.
    /// - Returns: The value; `nil` for `null`.
    /// - Throws: `DecodingError` if the value has another type than the transform reads, and the errors of the
    ///   transform, with the coding path of the container.
    public func decodeIfPresent<T: DecodingTransform>(using transform: T) throws -> T.ValueDestination? {
        decodeNil() ? nil : .some(try decode(using: transform))
    }

    /// Reads the value, if there is one, with a transform that can return `nil`.
    ///
    /// - Parameter transform: Converts the JSON value that is read.
    /// - Returns: The value; `nil` for `null` or if the transform returns `nil`.
    /// - Throws: `DecodingError` if the value has another type than the transform reads, and the errors of the
    ///   transform, with the coding path of the container.
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
    ///   - transform: Converts the value to the JSON value that is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` if the encoder cannot write the JSON value, and the errors of the transform, with the
    ///   coding path of the container.
    public mutating func encode<T: EncodingTransform>(_ value: T.ValueSource, using transform: T) throws {
        try encode(transform.toJSON(value, codingPath: codingPath))
    }

    /// Writes a value with a transform, and `null` if there is no value.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil`.
    ///   - transform: Converts the value to the JSON value that is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` if the encoder cannot write the JSON value, and the errors of the transform, with the
    ///   coding path of the container.
    public mutating func encodeIfPresent<T: EncodingTransform>(_ value: T.ValueSource?, using transform: T) throws {
        guard let value else { return try encodeNil() }
        try encode(value, using: transform)
    }

    /// Writes a value with a transform that also accepts `nil`, and `null` if there is no value.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil`.
    ///   - transform: Converts the value to the JSON value that is written; `nil` is written as `null`.
    /// - Throws: `EncodingError` if the encoder cannot write the JSON value, and the errors of the transform, with the
    ///   coding path of the container.
    public mutating func encodeIfPresent<T: EncodingTransform, Value>(
        _ value: Value?,
        using transform: T
    ) throws where T.ValueSource == Value? {
        guard let value else { return try encodeNil() }
        try encode(value, using: transform)
    }
}
